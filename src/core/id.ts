// How is a task named, and which text may stand for an id at all?

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const PLAIN = /^[A-Za-z0-9_-]{1,128}$/;

/** Makes a task's id: `<epoch ms>_<6 of a-z0-9>`. `random` gives numbers from 0 up to, not including, 1. */
export function newTaskId(nowMs: number, random: () => number): string {
  const tail = Array.from({ length: 6 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
  return `${Math.trunc(nowMs)}_${tail}`;
}

/** Tells whether a text may be an id. An id is data and never a path: no dot, slash, percent sign or space. */
export function isPlainId(text: string): boolean {
  return PLAIN.test(text);
}
