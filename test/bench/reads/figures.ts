import type { Kind } from './kinds.ts';
import type { SideName } from './sides.ts';

/** The length of a measurement. */
export type Extent = { readonly warmUp: number; readonly rounds: number; readonly requests: number };

/** Answers a second, and milliseconds of processor time for one answer, of each round. */
export type Figures = { readonly rate: number[]; readonly cpu: number[] };

/** The figures of a kind of read. A side that does not offer the kind has none. */
export type Row = { readonly kind: Kind; readonly of: Readonly<Record<SideName, Figures>> };

/** The figures with one number of transactions. `head` describes the database. */
export type Measured = { readonly rows: number; readonly head: string; readonly kinds: Row[] };
