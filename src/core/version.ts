// Which version is this? A test holds it equal to deno.json's.

/** Version of hermes-task. */
export const VERSION = "0.1.0";
