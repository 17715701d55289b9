import type { Db } from './db.ts';
import type { Statement } from './statement.ts';

/** A number of rows of all merchant accounts in one state, for the metrics of the operator. */
export type CountedRows = {
  readonly state: string;
  readonly count: number;
  /** The moment of the oldest of them. Null without one. */
  readonly oldest: Date | null;
};

/** The highest number that a count for metrics reaches. A person acts the same on any higher number. */
export const COUNTED_MAX = 10_000;

type Counting = (values: { readonly limit: number }) => Statement;

/** Returns the function that counts rows by a statement, up to `COUNTED_MAX`. */
export const countingBy =
  (statement: Counting) =>
  (db: Pick<Db, 'query'>): Promise<readonly CountedRows[]> =>
    db.query<CountedRows>(statement({ limit: COUNTED_MAX }));
