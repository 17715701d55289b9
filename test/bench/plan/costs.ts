import type { Lifetime } from '../soak/lifetimes.ts';

/** The costs of one payment that is authorised and captured, with a webhook for each event. */
export type OfPayment = {
  /** Processor time in milliseconds. */
  readonly apiMs: number;
  readonly workerMs: number;
  readonly postgresMs: number;
  /** Bytes of the log of Postgres, with `wal.many` payments after a checkpoint. */
  readonly walBytes: number;
  readonly wal: Wal;
  /** Bytes of tables and indexes by the time for which they are kept. */
  readonly diskBytes: Readonly<Record<Lifetime, number>>;
  readonly events: number;
};

/** The log of Postgres between two checkpoints. */
export type Wal = {
  /** Bytes without any payment. */
  readonly atRest: number;
  /** Bytes of each of few payments, besides those at rest. */
  readonly few: { readonly payments: number; readonly bytesEach: number };
  readonly many: number;
};
