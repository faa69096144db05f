import { assertEquals } from "@std/assert";
import { keyNames, presenceOf } from "../../../src/hermes/dotenv.ts";

Deno.test("keyNames() reads lines as Hermes does and lets only names out", () => {
  const table: [string, [string, string][]][] = [
    ["\uFEFFA=1234", [["A", "key"]]],
    ["export A = '1234'", [["A", "key"]]],
    ['A="12 34" # why', [["A", "key"]]],
    ["A=1234 # why", [["A", "key"]]],
    ["A=12#34", [["A", "key"]]],
    ["A=123", []],
    ["A=", []],
    ['A=""', []],
    ["#A=1234", []],
    ["A=op://Vault/Item", [["A", "reference"]]],
    ["A=1234\r\nA=changeme", []],
    ["A=changeme\nA=1234", [["A", "key"]]],
    ["9A=1234\nnot a line\n=x", []],
    ["", []],
  ];
  for (const [text, names] of table) assertEquals([...keyNames(text)] as [string, string][], names, text);
});

Deno.test("presenceOf() refuses placeholders and what is no text", () => {
  for (const value of ["  ***  ", "YOUR_API_KEY", "None", "abc", "", undefined, null, 12345, {}]) {
    assertEquals(presenceOf(value), undefined, String(value));
  }
  assertEquals(presenceOf(" abcd "), "key");
});
