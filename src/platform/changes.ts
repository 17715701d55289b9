/**
 * Counts the changes of some records. A copy of the records is good as long as the count is that from before its reading. This
 * process counts its own changes at their commit, and those of other processes when it is notified of them.
 */
export type Changes = {
  /** The number of changes so far. It means nothing by itself. */
  count(): number;
  /** Counts a change. Call the function after the commit, also when it is unknown whether the commit happened. */
  note(): void;
};

/** Starts to count at 0. */
export function countChanges(): Changes {
  let count = 0;
  return {
    count: () => count,
    note: () => {
      count += 1;
    },
  };
}
