import type { Lifetime } from '../soak/lifetimes.ts';
import type { OfPayment } from './costs.ts';

/** The assumptions of the plan. Each has its reason in the bench's text. */
export const ASSUMED = {
  /** The payments of the busiest second as a multiple of the day's mean. */
  peakFactor: 10,
  /** The share of its time that a core may be busy in that second. */
  busy: 0.6,
  /** The processes of each role, at least. One may be lost. */
  processesMin: 2,
  coresMin: 2,
  /** The days whose rows and indexes Postgres keeps in memory, and the least memory in GB. */
  daysInMemory: 1,
  memoryMinGb: 2,
  /** The seconds between two checkpoints, as Postgres has them by default. */
  checkpointSeconds: 300,
  /** The cores of the largest machine for Postgres. */
  coresMax: 64,
} as const;

const DAY_SECONDS = 86_400;
const YEAR_DAYS = 365;

/** The days for which rows are kept by default. */
export type Days = Readonly<Record<Exclude<Lifetime, 'ever'>, number>>;

export type Plan = {
  readonly perDay: number;
  readonly perSecond: number;
  readonly apis: number;
  readonly workers: number;
  readonly cores: number;
  readonly memoryGb: number;
  readonly walGbPerDay: number;
  /** The disk after a year. */
  readonly diskGb: number;
  /** The growth of the disk in each further year, when as many events go as come. */
  readonly furtherGb: number;
};

/** Reckons the machines and the space for a number of payments a day. */
export function planFor(perDay: number, of: OfPayment, days: Days): Plan {
  const perSecond = (perDay / DAY_SECONDS) * ASSUMED.peakFactor;
  const coresFor = (ms: number, min: number): number =>
    Math.max(min, Math.ceil((perSecond * ms) / 1_000 / ASSUMED.busy));
  const gb = (bytes: number): number => (perDay * bytes) / 1e9;
  const checkpoints = DAY_SECONDS / ASSUMED.checkpointSeconds;
  const { ever, events, keys, audit } = of.diskBytes;
  const after = (year: number): number =>
    gb(
      ever * year * YEAR_DAYS +
        events * Math.min(days.events, year * YEAR_DAYS) +
        keys * Math.min(days.keys, year * YEAR_DAYS) +
        audit * Math.min(days.audit, year * YEAR_DAYS),
    );
  return {
    ...{ perDay, perSecond },
    apis: coresFor(of.apiMs, ASSUMED.processesMin),
    workers: coresFor(of.workerMs, ASSUMED.processesMin),
    cores: coresFor(of.postgresMs, ASSUMED.coresMin),
    memoryGb: Math.max(ASSUMED.memoryMinGb, gb((ever + events + keys + audit) * ASSUMED.daysInMemory)),
    walGbPerDay: (checkpoints * walOf(perDay / checkpoints, of)) / 1e9,
    diskGb: after(1),
    furtherGb: gb(ever * YEAR_DAYS),
  };
}

/** Returns the bytes of the log from one checkpoint to the next with so many payments. */
function walOf(payments: number, { walBytes, wal: { atRest, few, many } }: OfPayment): number {
  const [ofFew, ofMany] = [few.payments * few.bytesEach, many * walBytes];
  // Postgres writes each page as a whole once. So few payments cost more each, and above many each costs the same.
  if (payments <= few.payments) return atRest + payments * few.bytesEach;
  if (payments >= many) return atRest + payments * walBytes;
  return atRest + ofFew + ((payments - few.payments) * (ofMany - ofFew)) / (many - few.payments);
}

/** The payments a second at which a part is as busy as it may be. */
export type End = { readonly part: 'processors of Postgres' | 'the relay'; readonly perSecond: number };

/** Reckons where one Postgres ends, nearest first. */
export const endsOf = (of: OfPayment, relayedPerSecond: number): readonly End[] =>
  [
    {
      part: 'processors of Postgres' as const,
      perSecond: (ASSUMED.coresMax * ASSUMED.busy * 1_000) / of.postgresMs,
    },
    { part: 'the relay' as const, perSecond: (relayedPerSecond * ASSUMED.busy) / of.events },
  ].toSorted((one, other) => one.perSecond - other.perSecond);

/** Returns the payments a day whose busiest second has so many. */
export const perDayOf = (perSecond: number): number => (perSecond * DAY_SECONDS) / ASSUMED.peakFactor;
