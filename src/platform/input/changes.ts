/**
 * Counts the changes of some records. A copy of the records is good as long as the count is that from before its reading. A
 * process counts its own changes before it answers them. It counts those of other processes when it is notified of them.
 */
export type Changes = {
  /** Rises with each change, and sometimes without one. */
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
