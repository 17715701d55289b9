/** Turns a table of words by meaning into the meaning of each word. White space is between the words of a meaning. */
export const meaningsByWord = <Meaning extends string>(
  table: Readonly<Partial<Record<Meaning, string>>>,
): ReadonlyMap<string, Meaning> =>
  new Map(
    Object.entries<string | undefined>(table).flatMap(([meaning, words = '']) =>
      // The keys of the table are meanings, which `Object.entries` does not say.
      words
        .trim()
        .split(/\s+/)
        .map((word) => [word, meaning as Meaning] as const),
    ),
  );
