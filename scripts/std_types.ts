// Which types do the functions of @std/assert have? A data table for scripts/jsr_bridge.ts, whose source of these
// modules is plain JavaScript. Signatures as documented for @std/assert 1.0.

const CONSTRUCTOR = "abstract new (...args: any[]) =>";
const declared = (name: string, rest: string): string => `export declare function ${name}${rest};\n`;
const comparing = (name: string): string => declared(name, "<T>(actual: T, expected: T, msg?: string): void");

/** Module of @std/assert, without its ending, to the text of its declaration file. */
export const ASSERT_TYPES: Readonly<Record<string, string>> = {
  assert: declared("assert", "(expr: unknown, msg?: string): asserts expr"),
  assertion_error:
    "export declare class AssertionError extends Error {\n  constructor(message: string, options?: ErrorOptions);\n}\n",
  almost_equals: declared(
    "assertAlmostEquals",
    "(actual: number, expected: number, tolerance?: number, msg?: string): void",
  ),
  array_includes: "export type ArrayLikeArg<T> = ArrayLike<T> & object;\n" +
    declared(
      "assertArrayIncludes",
      "<T>(actual: ArrayLikeArg<T>, expected: ArrayLikeArg<T>, msg?: string): void",
    ),
  equal: declared("equal", "(a: unknown, b: unknown): boolean"),
  equals: comparing("assertEquals"),
  exists: declared("assertExists", "<T>(actual: T, msg?: string): asserts actual is NonNullable<T>"),
  fail: declared("fail", "(msg?: string): never"),
  false: 'export type Falsy = false | 0 | 0n | "" | null | undefined;\n' +
    declared("assertFalse", "(expr: unknown, msg?: string): asserts expr is Falsy"),
  greater: comparing("assertGreater"),
  greater_or_equal: comparing("assertGreaterOrEqual"),
  instance_of: declared(
    "assertInstanceOf",
    `<T extends ${CONSTRUCTOR} any>(actual: unknown, expectedType: T, msg?: string): asserts actual is InstanceType<T>`,
  ),
  is_error: declared(
    "assertIsError",
    `<E extends Error = Error>(error: unknown, ErrorClass?: ${CONSTRUCTOR} E, msgMatches?: string | RegExp, msg?: string): asserts error is E`,
  ),
  less: comparing("assertLess"),
  less_or_equal: comparing("assertLessOrEqual"),
  match: declared("assertMatch", "(actual: string, expected: RegExp, msg?: string): void"),
  not_equals: comparing("assertNotEquals"),
  not_instance_of: declared(
    "assertNotInstanceOf",
    `<A, T>(actual: A, unexpectedType: ${CONSTRUCTOR} T, msg?: string): asserts actual is Exclude<A, T>`,
  ),
  not_match: declared("assertNotMatch", "(actual: string, expected: RegExp, msg?: string): void"),
  not_strict_equals: comparing("assertNotStrictEquals"),
  object_match: declared(
    "assertObjectMatch",
    "(actual: Record<PropertyKey, any>, expected: Record<PropertyKey, unknown>, msg?: string): void",
  ),
  rejects: declared("assertRejects", "(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>") +
    declared(
      "assertRejects",
      `<E extends Error = Error>(fn: () => PromiseLike<unknown>, ErrorClass: ${CONSTRUCTOR} E, msgIncludes?: string, msg?: string): Promise<E>`,
    ),
  strict_equals: declared(
    "assertStrictEquals",
    "<T>(actual: unknown, expected: T, msg?: string): asserts actual is T",
  ),
  string_includes: declared("assertStringIncludes", "(actual: string, expected: string, msg?: string): void"),
  throws: declared("assertThrows", "(fn: () => unknown, msg?: string): unknown") +
    declared(
      "assertThrows",
      `<E extends Error = Error>(fn: () => unknown, ErrorClass: ${CONSTRUCTOR} E, msgIncludes?: string, msg?: string): E`,
    ),
  unimplemented: declared("unimplemented", "(msg?: string): never"),
  unreachable: declared("unreachable", "(msg?: string): never"),
};
