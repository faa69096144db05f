import { assert, assertEquals, assertRejects } from "@std/assert";
import { processes } from "../../../src/os/process.ts";
import { type ChildCommand, SpawnFault } from "../../../src/ports.ts";

const command = (script: string, more: Partial<ChildCommand> = {}): ChildCommand => ({
  program: "/bin/sh",
  args: ["-c", script],
  cwd: "/",
  env: { PATH: "/usr/bin:/bin" },
  mark: "m",
  ...more,
});

async function ended(script: string, more: Partial<ChildCommand> = {}) {
  const child = await processes.start(command(script, more));
  return { exit: await child.exit, ...child.output() };
}

Deno.test("processes.start() gives empty input, the chosen environment and both streams", async () => {
  const { exit, stdout, stderr } = await ended(
    'cat; env | grep -v -e _= -e PWD= -e SHLVL; echo "$A" >&2; exit 3',
    { env: { A: "ü" } },
  );
  assertEquals([exit, stdout.text, stderr.text], [{ code: 3, signal: null }, "A=ü\n", "ü\n"]);
});

Deno.test("[F-ORIG-6][FAULT-44] a character split over two writes arrives whole", async () => {
  const { stdout } = await ended(String.raw`printf 'a\360\237'; sleep 0.1; printf '\216\211b'`);
  assertEquals(stdout.text, "a🎉b");
});

Deno.test("[P5] output beyond the bound goes to the log without keys, and the edge damages no character", async () => {
  const folder = await Deno.makeTempDir();
  const spillPath = `${folder}/1.log`;
  const key = "AIzaSyA1234567890abcdefghijklmnopqrstuvw";
  const print = (letter: string, times: number) => `head -c ${times} /dev/zero | tr '\\0' ${letter};`;
  const script = `${print("x", 1048575)} printf 'ééé\nKEY=${key}\n'; ${print("y", 20000)} printf end`;
  const { stdout } = await ended(script, { spillPath });
  const sizeBytes = 1048575 + 6 + `\nKEY=${key}\n`.length + 20003;
  assertEquals([stdout.cut, stdout.sizeBytes, stdout.text.length, stdout.text.at(-1)], [
    true,
    sizeBytes,
    1048575,
    "x",
  ]);
  assert(stdout.tail.endsWith("yend") && !stdout.tail.includes("\uFFFD"));
  const log = await Deno.readTextFile(spillPath);
  assert(log.includes("KEY=") && !log.includes(key) && log.endsWith("yend"));
  assertEquals((await Deno.stat(spillPath)).mode! & 0o777, 0o600);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a helper that holds the pipe does not hold up the end", async () => {
  const before = performance.now();
  const child = await processes.start(command("sleep 30 & echo $!; exit 0"));
  const { code } = await child.exit;
  assert(performance.now() - before < 10_000);
  assertEquals(code, 0);
  Deno.kill(Number(child.output().stdout.text), "SIGKILL");
});

Deno.test("ask() sends one SIGTERM, and none after the end", async () => {
  const child = await processes.start(
    command('trap "echo asked" TERM; echo up; n=0; while [ $n -lt 8 ]; do sleep 0.1; n=$((n+1)); done'),
  );
  while (!child.output().stdout.text.includes("up")) await new Promise((resolve) => setTimeout(resolve, 10));
  child.ask();
  child.ask();
  await child.exit;
  assertEquals(child.output().stdout.text.match(/asked/g)?.length, 1);
  child.ask();
});

Deno.test("processes.start() tells why a child could not be started", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/data`;
  await Deno.writeTextFile(file, "no program", { mode: 0o644 });
  const orphan = `${folder}/orphan`;
  await Deno.writeTextFile(orphan, "#!/no/such/interpreter\n", { mode: 0o755 });
  const table: [Partial<ChildCommand>, string][] = [
    [{ program: `${folder}/none` }, "missing"],
    [{ program: orphan }, "missing"],
    [{ program: file }, "not_executable"],
    [{ cwd: `${folder}/none` }, "no_cwd"],
    [{ args: ["-c", "x".repeat(200_000)] }, "too_long"],
  ];
  for (const [more, kind] of table) {
    const fault = await assertRejects(() => processes.start(command("true", more)), SpawnFault);
    assertEquals(fault.kind, kind);
  }
  await Deno.remove(folder, { recursive: true });
});
