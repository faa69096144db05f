import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { redact, redactValue } from "../../../src/core/redact.ts";

// Made-up keys, put together here so that no scanner takes this file for a leak.
const of = (length: number, letters = "aB3dE5gH7jK9mN1p") => letters.repeat(20).slice(0, length);
const GEMINI = "AIza" + of(35);
const OPENAI = "sk-" + of(48);
const JWT = `eyJ${of(20)}.eyJ${of(40)}.${of(43)}`;
const PEM_LINES = `${of(64)}\n${of(64)}\n${of(20)}==`;
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${PEM_LINES}\n-----END RSA PRIVATE KEY-----`;
const BASIC = btoa("aladdin:opensesame");

const SECRETS: readonly (readonly [name: string, text: string, clean: string])[] = [
  ["a prefixed name", `GEMINI_API_KEY=${GEMINI}`, "GEMINI_API_KEY=[redacted]"],
  ["an export", `export X_TOKEN="${of(20)}" && run`, 'export X_TOKEN="[redacted]" && run'],
  ["a password line", "user: me\npassword: hunter2\nhost: x", "user: me\npassword: [redacted]\nhost: x"],
  ["a password without a digit", "password: correcthorse\n", "password: [redacted]\n"],
  ["an env file", "DB_PASSWORD=p@ss;w(rd&1\nPORT=1", "DB_PASSWORD=[redacted]\nPORT=1"],
  ["an env file with dots", "API_KEY=abc.def(ghi\nB=1", "API_KEY=[redacted]\nB=1"],
  ["a quote that never closes", '{"password": "hunter2 and', '{"password": "[redacted]'],
  ["a name with spaces", `Your API key: ${of(24)}`, "Your API key: [redacted]"],
  ["camel case", `{ openaiApiKey: '${of(24)}' }`, "{ openaiApiKey: '[redacted]' }"],
  ["a weak name", `GROQ_KEY=${of(30)}`, "GROQ_KEY=[redacted]"],
  ["JSON", `{"api_key": "${of(20)}", "a": 1}`, '{"api_key": "[redacted]", "a": 1}'],
  ["JSON with a quote in it", String.raw`{"password":"a\"b9c","x":"y"}`, '{"password":"[redacted]","x":"y"}'],
  [
    "JSON in a string",
    String.raw`{"out":"{\"access_token\": \"${of(20)}\", \"n\": 1}"}`,
    String.raw`{"out":"{\"access_token\": \"[redacted]\", \"n\": 1}"}`,
  ],
  [
    "JSON in a string in a string",
    JSON.stringify(JSON.stringify(JSON.stringify({ secret: "abc123", b: "c" }))),
    JSON.stringify(JSON.stringify(JSON.stringify({ secret: "[redacted]", b: "c" }))),
  ],
  ["escaped lines", String.raw`"a\npassword=hunter2\nb"`, String.raw`"a\npassword=[redacted]\nb"`],
  ["a key behind an escape", String.raw`"key:\n${GEMINI}"`, String.raw`"key:\nAIza[redacted]"`],
  ["URL user info", "https://me:s3cret@host.example/x", "https://[redacted]@host.example/x"],
  ["a password with @", "postgres://u:p@ss@db:5432/x", "postgres://[redacted]@db:5432/x"],
  ["a token as user", `https://${of(24)}@host/x`, "https://[redacted]@host/x"],
  ["Bearer", `curl -H 'Authorization: Bearer ${of(30)}' u`, "curl -H 'Authorization: Bearer [redacted]' u"],
  ["Bearer alone", `sent Bearer ${of(30)} to`, "sent Bearer [redacted] to"],
  ["Basic", `authorization: Basic ${BASIC}`, "authorization: Basic [redacted]"],
  ["Basic alone", `with Basic ${BASIC}.`, "with Basic [redacted]."],
  ["a JSON header", `{"Authorization": "Bearer ${of(30)}"}`, '{"Authorization": "Bearer [redacted]"}'],
  ["a bare header", `Authorization: ${of(30)}\nHost: x`, "Authorization: [redacted]\nHost: x"],
  ["a cookie", "Cookie: sid=abcdef123456; theme=dark\nHost: x", "Cookie: [redacted]\nHost: x"],
  ["x-api-key", `x-api-key: ${of(20)}`, "x-api-key: [redacted]"],
  ["x-goog-api-key", `'x-goog-api-key': '${of(20)}'`, "'x-goog-api-key': '[redacted]'"],
  ["a flag", `tool --api-key ${of(20)} --x`, "tool --api-key [redacted] --x"],
  ["a flag with =", `tool --password=hunter2 -v`, "tool --password=[redacted] -v"],
  ["curl -u", "curl -u me:hunter2 https://x", "curl -u me:[redacted] https://x"],
  ["a JWT", `got ${JWT} back`, "got eyJ[redacted] back"],
  ["PEM", `before\n${PEM}\nafter`, "before\n-----BEGIN RSA PRIVATE KEY-----[redacted]\nafter"],
  ["PEM in JSON", JSON.stringify({ k: PEM }), '{"k":"-----BEGIN RSA PRIVATE KEY-----[redacted]"}'],
  [
    "PEM without its end",
    `-----BEGIN PRIVATE KEY-----\n${PEM_LINES.slice(0, 100)}\n\nNow the log goes on.`,
    "-----BEGIN PRIVATE KEY-----[redacted]\n\nNow the log goes on.",
  ],
  [
    "PEM cut in its last line",
    `-----BEGIN PRIVATE KEY-----\n${of(64)}\n${of(9)}`,
    "-----BEGIN PRIVATE KEY-----[redacted]",
  ],
  ["?key=", `GET /v1?key=${GEMINI}&x=1`, "GET /v1?key=[redacted]&x=1"],
  ["&access_token=", "cb?a=1&access_token=abc#f", "cb?a=1&access_token=[redacted]#f"],
  ["a signed URL", `u?X-Amz-Signature=${"0a".repeat(32)}`, "u?X-Amz-Signature=[redacted]"],
  ["in a sentence", `I used ${OPENAI}, it works`, "I used sk-[redacted], it works"],
];

const SHAPED: readonly (readonly [prefix: string, body: string])[] = [
  ["sk-", of(48)],
  ["sk-proj-", of(60)],
  ["sk-or-v1-", "0a1b".repeat(16)],
  ["sk-ant-api03-", of(90)],
  ["AIza", of(35)],
  ["nvapi-", of(64)],
  ["hf_", of(34)],
  ["gsk_", of(52)],
  ["xai-", of(80)],
  ["ghp_", of(36)],
  ["gho_", of(36)],
  ["github_pat_", of(22) + "_" + of(59)],
  ["AKIA", "IOSFODNN7EXAMPLE"],
  ["glpat-", of(20)],
  ["xoxb-", "123456789012-" + of(24)],
  ["fw_", of(24)],
  ["r8_", of(37)],
  ["npm_", of(36)],
  ["csk-", of(48)],
  ["pplx-", of(48)],
  ["GOCSPX-", of(28)],
  ["sk_live_", of(24)],
  ["dop_v1_", of(64)],
];

const PICTURE = btoa(
  Array.from({ length: 3000 }, (_, i) => String.fromCharCode((i * 7919 + i * i) % 256)).join(""),
);

const ORDINARY: readonly (readonly [name: string, text: string])[] = [
  ["a git hash", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 and 9fceb02"],
  ["a sha256", `sha256:${"9f0c".repeat(16)}`],
  ["a UUID", "id 123e4567-e89b-12d3-a456-426614174000"],
  ["a picture", `data:image/png;base64,${PICTURE}`],
  [
    "a picture with key prefixes in it",
    `data:image/png;base64,abcd+AIza${of(40)}/AKIAIOSFODNN7EXAMPLE0aeyJ${of(30)}==`,
  ],
  ["a long file name", `/srv/data/2026-08-11_${"very_long_name-".repeat(12)}v2.final.tar.gz`],
  ["a session id", "session_id: 20260811_115247_084e47"],
  ["a session field", '{"session_id": "20260811_115247_084e47", "task_id": "1723380000000_abc123"}'],
  ["counts", '{"token_count": 12, "input_tokens": 1243, "max_tokens": 500, "tokens": "many"}'],
  ["max_tokens", "run with max_tokens=500 and --max-tokens 500"],
  [
    "prose on passwords",
    "The password: it must have 8 letters. A password is a secret; tell nobody your API key.",
  ],
  ["prose on keys", "Set the API key: see the docs. Token: a unit of text. The secret: patience."],
  ["prose on Bearer", "Bearer authentication and Basic configuration differ; Bearer tokens2 too."],
  ["a type", "interface Login { password: string; token?: string; apiKey: z.string() }"],
  ["code with a map", "const key = map.get(key);\nlet token = tokens[i];\nconst apiKey = readKey();"],
  ["code with env", 'const apiKey = process.env.OPENAI_API_KEY; os.environ["API_KEY"]'],
  ["keyword arguments", "login(user=user, password=password, api_key=self.api_key, token=None)"],
  [
    "placeholders",
    'API_KEY=$MY_KEY TOKEN=${TOKEN} "api_key": "<your key>" password=*** SECRET=your-secret-here',
  ],
  [
    "package names",
    "pip install sk-learn scikit-learn; sk-estimators-with-a-very-long-name hf_hub_download hf_transfer",
  ],
  ["xai and fw words", "xai-explainable-methods, fw_update_available_now, gsk_wrapper_function"],
  ["a public key", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----"],
  ["a URL with a port", "see http://localhost:8080/a@b and ssh://git@github.com/x/y.git, mail me@x.example"],
  ["an ordinary key parameter", "https://x.example/list?key=title&token=next&page=2"],
  ["page tokens", '{"next_page_token": "CAUQAA12345678", "eos_token": "</s>", "cache_key": "a1b2c3d4e5f6"}'],
  ["a result line", "tests: pass: 12, fail: 0; secret: false; password: null"],
  ["a key press", "Press the any key: 5 times. keyboard: qwerty1234"],
  ["text", "Xin chào! 😀 漢字 — nothing to see here."],
];

Deno.test("redact() takes secrets out and keeps what stands around them", async (t) => {
  for (const [name, text, clean] of SECRETS) await t.step(name, () => assertEquals(redact(text), clean));
});

Deno.test("redact() knows the shapes of keys, in every surrounding", async (t) => {
  for (const [prefix, body] of SHAPED) {
    await t.step(prefix, () => {
      for (
        const [before, after] of [["", ""], ["use ", "."], ["(", ")"], ['["', '"]'], ["a=", "&b"], [
          "\\n",
          "\\n",
        ]]
      ) {
        const clean = redact(`${before}${prefix}${body}${after}`);
        assert(!clean.includes(body.slice(0, 8)), clean);
        assert(clean.startsWith(before!) && clean.endsWith(after!), clean);
      }
    });
  }
});

Deno.test("redact() leaves ordinary text alone", async (t) => {
  for (const [name, text] of ORDINARY) await t.step(name, () => assertEquals(redact(text), text));
});

Deno.test("redact() twice is redact() once", () => {
  const texts = [
    ...SECRETS.map(([, text]) => text),
    ...SHAPED.map((words) => words.join("")),
    ...ORDINARY.map(([, t]) => t),
  ];
  const joined = ["\n", " ", '"', "\\n", "&", "=", ": "].map((sign) => texts.join(sign));
  for (const text of [...texts, ...joined, ...texts.map((text) => JSON.stringify(text))]) {
    const once = redact(text);
    assertEquals(redact(once), once);
  }
});

Deno.test("redact() finds the same secrets in JSON text made of the table", () => {
  for (const [name, text] of SECRETS.filter(([name]) => !/JSON|escape/.test(name))) {
    const clean = redact(JSON.stringify({ log: text }));
    for (const part of [GEMINI, OPENAI, JWT, of(20), of(64), "hunter2", "s3cret", "opensesame", BASIC]) {
      assert(!clean.includes(part), `${name}: ${clean}`);
    }
  }
});

Deno.test("redact() is linear: a megabyte of trouble takes no longer than a moment", async (t) => {
  const units = [
    "a",
    "a-",
    "A_",
    "aaaa ",
    "=",
    "token=",
    "TOKEN=",
    "token=$",
    "API_KEY=abc.",
    "X_KEY=",
    "Authorization: ",
    "api_key=get_",
    "password=aKey",
    'token="',
    "token='$ ",
    '\\"',
    "\\",
    "password:  ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n",
    "eyJ",
    "eyJaaaaaaaaaa.",
    "sk-",
    "sk-a-",
    "sk-aaaaaaaaaaaaaaaaaaaaaaaa",
    "://",
    "a://b:",
    "a://:@",
    "http://aaaaaaaaaaaaaaaaaaaaaaaaa:b ",
    "?key=",
    "&a=b",
    "Bearer ",
    "Basic aaaaaaaa",
    "AIza",
    "xoxb-a-",
    "--a ",
    "--password ",
    "x: 'password: \"",
    `${"w".repeat(127)} `,
    `--${"w".repeat(60)} `,
    "-u a:",
    " \t",
    "é",
    "0123456789:",
    "api_key = ",
  ];
  for (const unit of units) {
    await t.step(JSON.stringify(unit.slice(0, 30)), () => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const start = performance.now();
      redact(text);
      const ms = performance.now() - start;
      assert(ms < 3000, `${ms} ms`);
    });
  }
});

Deno.test("redactValue() cleans strings, keys and what has a telling name, and nothing else", () => {
  const value = {
    api_key: "abc",
    headers: { Authorization: "Bearer abc" },
    list: [`x ${GEMINI}`, 12, null, true],
    max_tokens: 500,
    nested: { password: "two words", token: "hello", session_id: "20260811_115247_084e47" },
    [`k ${OPENAI}`]: "v",
  };
  assertEquals<unknown>(redactValue(value), {
    api_key: "[redacted]",
    headers: { Authorization: "[redacted]" },
    list: ["x AIza[redacted]", 12, null, true],
    max_tokens: 500,
    nested: { password: "[redacted]", token: "hello", session_id: "20260811_115247_084e47" },
    "k sk-[redacted]": "v",
  });
  assertEquals(redactValue(redactValue(value)), redactValue(value));
});

Deno.test("redactValue() does not reach into the prototype", () => {
  const value = JSON.parse('{"__proto__": {"api_key": "abc"}, "a": 1}');
  assertNotMatch(JSON.stringify(redactValue(value)), /abc/);
  assertEquals((redactValue(value) as { api_key?: string }).api_key, undefined);
});
