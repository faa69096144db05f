// Which known name did somebody mean?

/** `did you mean "x"?` for the nearest name, or undefined when none is near (over two fifths of it differ). */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const found = nearestName(word, known);
  return found === undefined ? undefined : `did you mean "${found}"?`;
}

/** The known name with the fewest edits, if near enough. */
export function nearestName(word: string, known: Iterable<string>): string | undefined {
  const asked = word.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length * 0.4)) + 1;
  for (const name of known) {
    const edits = distance(asked, name.toLowerCase());
    if (edits < fewest) [best, fewest] = [name, edits];
  }
  return best;
}

/** Edits (insert, delete, replace, swap of neighbours) between two short words. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, before[j - 2]! + 1);
      }
      row.push(value);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
