// Scripted children for tests: what a started program prints, when it ends and how it takes being asked to.
import type { Captured, Child, ChildCommand, ChildExit, Processes } from "../../src/ports.ts";
import { SpawnFault } from "../../src/ports.ts";
import type { FakeClock } from "./fake_clock.ts";

/** How one child behaves. Everything left out is the most harmless. */
export interface ChildScript {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code?: number;
  readonly signal?: string;
  /** When it ends by itself, after its start; `Infinity` is never. At once when left out. */
  readonly afterMs?: number;
  /** How it ends once it is asked: after how long, with which status. It ignores being asked when left out. */
  readonly whenAsked?: { readonly afterMs: number; readonly code: number; readonly stderr?: string };
  /** What it does to the world just before it prints and ends, such as writing its session. */
  readonly effect?: () => void;
}

/** Decides what a command does; a {@link SpawnFault} is thrown as one. */
export type Director = (command: ChildCommand, start: number) => ChildScript | SpawnFault;

/** A child that was started. */
export interface StartedChild {
  readonly command: ChildCommand;
  readonly pid: number;
  readonly running: boolean;
  readonly asked: boolean;
}

/** The processes of a fake world; remembers everything that was started. */
export class FakeProcesses implements Processes {
  readonly #clock: FakeClock;
  readonly #direct: Director;
  readonly #children: FakeChild[] = [];

  /** `direct` is asked for each start, with its number from 0. */
  constructor(clock: FakeClock, direct: Director) {
    this.#clock = clock;
    this.#direct = direct;
  }

  /** Everything started so far. */
  get started(): readonly StartedChild[] {
    return this.#children;
  }

  /** Starts a scripted child. */
  start(command: ChildCommand): Promise<Child> {
    const script = this.#direct(command, this.#children.length);
    if (script instanceof SpawnFault) return Promise.reject(script);
    const child = new FakeChild(1000 + this.#children.length, command, script, this.#clock);
    this.#children.push(child);
    return Promise.resolve(child);
  }

  /** Ends a child for good, as the guardian does. */
  kill(pid: number) {
    this.#children.find((child) => child.pid === pid)?.end({ code: -1, signal: "SIGKILL" });
  }
}

class FakeChild implements Child, StartedChild {
  readonly pid: number;
  readonly command: ChildCommand;
  readonly exit: Promise<ChildExit>;
  running = true;
  asked = false;
  readonly #script: ChildScript;
  readonly #clock: FakeClock;
  readonly #resolve: (exit: ChildExit) => void;
  #stdout = "";
  #stderr = "";

  constructor(pid: number, command: ChildCommand, script: ChildScript, clock: FakeClock) {
    this.pid = pid;
    this.command = command;
    this.#script = script;
    this.#clock = clock;
    const { promise, resolve } = Promise.withResolvers<ChildExit>();
    this.exit = promise;
    this.#resolve = resolve;
    const afterMs = script.afterMs ?? 0;
    if (afterMs === Infinity) return;
    if (afterMs > 0) clock.at(clock.now() + afterMs, () => this.#finish());
    else this.#finish();
  }

  #finish() {
    if (!this.running) return;
    this.#script.effect?.();
    this.#stdout = this.#script.stdout ?? "";
    this.#stderr = this.#script.stderr ?? "";
    this.end({ code: this.#script.code ?? 0, signal: this.#script.signal ?? null });
  }

  ask() {
    if (this.asked || !this.running) return;
    this.asked = true;
    const answer = this.#script.whenAsked;
    if (!answer) return;
    this.#clock.at(this.#clock.now() + answer.afterMs, () => {
      if (this.running) this.#stderr = answer.stderr ?? "";
      this.end({ code: answer.code, signal: null });
    });
  }

  end(exit: ChildExit) {
    this.running = false;
    this.#resolve(exit);
  }

  output() {
    return { stdout: captured(this.#stdout), stderr: captured(this.#stderr) };
  }
}

function captured(text: string): Captured {
  return { text, tail: "", sizeBytes: new TextEncoder().encode(text).length, cut: false };
}
