import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rebuildReports } from '../../src/modules/reports/index.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { countAll } from './count-all.ts';

const QUARTER_MS = 15 * 60_000;

/** Zones without whole hours, with changes at midnight or by half an hour, and near the date line. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'America/St_Johns', 'Atlantic/Azores'],
  ...['America/Santiago', 'America/Havana', 'Africa/Cairo', 'Asia/Beirut', 'Australia/Lord_Howe'],
  ...['Australia/Adelaide', 'Australia/Eucla', 'Pacific/Chatham', 'Asia/Kathmandu', 'Asia/Kolkata'],
  ...['Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Antarctica/Troll'],
];

/** Intervals with the most days of a report. */
const DAYS = [['DAY', 370]] as const;
const OTHERS = [
  ...([
    ['QUARTER_HOUR', 10],
    ['HOUR', 40],
  ] as const),
  ...([
    ['WEEK', 370],
    ['MONTH', 370],
    ['QUARTER', 370],
    ['YEAR', 370],
  ] as const),
];

let harness: Harness;

const prisma = () => harness.server.app.db.prisma;

beforeAll(async () => {
  harness = await startHarness();
  await harness.captured(1);
  // Many entries of 2027, each of another quarter of an hour or of the same one. Some lie near the changes of clocks.
  await prisma().$executeRawUnsafe(
    `INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, reversal_key, created_at)
     SELECT l.merchant_account_id, gen_random_uuid(), l.transaction_id, l.operation_id, 'capture_reversal', 1 + i * 7919 % 1000, l.currency, i::text,
       timestamptz '2026-12-30Z' + i * interval '3 hours 7 minutes 11.5 seconds'
     FROM ledger_entry l, generate_series(1, 2900) i WHERE l.kind = 'capture'
     UNION ALL
     SELECT l.merchant_account_id, gen_random_uuid(), l.transaction_id, l.operation_id, 'capture_reversal', 1 + i * 7919 % 1000, l.currency,
       concat(d, ' ', i), d + i * interval '11 minutes'
     FROM ledger_entry l, generate_series(1, 150) i, (VALUES (timestamptz '2027-03-27 21:00Z'), (timestamptz '2027-10-30 21:00Z'),
       (timestamptz '2027-04-03 10:00Z')) AS x (d)
     WHERE l.kind = 'capture'`,
  );
  await countAll(harness.server.app);
});
afterAll(() => harness.stop());

/** A part of 2027 that the interval allows. */
function drawPeriod(random: Random, daysMax: number): { readonly from: string; readonly to: string } {
  const year = Date.UTC(2027, 0);
  // Some periods begin or end at midnight in UTC.
  const step = random.chance(0.3) ? 96 : 1;
  const quarters = (days: number): number => Math.floor((random.int(1, days * 96) + step - 1) / step) * step;
  const from = year + quarters(365) * QUARTER_MS;
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + quarters(daysMax - 1) * QUARTER_MS).toISOString(),
  };
}

type Row = {
  readonly startsAt: string;
  readonly captureReversed: { readonly count: number; readonly amount: number };
};

it('fits the plain sums of the ledger in any zone, at any ends', async () => {
  const random = createRandom(20_270_328);
  for (const timeZone of ZONES)
    for (const [interval, daysMax] of [...DAYS, random.pick(OTHERS), random.pick(OTHERS)]) {
      const given = { ...drawPeriod(random, daysMax), interval, timeZone };
      const { transactionReport } = await harness.ask<{ transactionReport: { rows: readonly Row[] } }>(
        `query ($from: DateTime!, $to: DateTime!, $interval: ReportInterval, $timeZone: String!) {
           transactionReport(from: $from, to: $to, interval: $interval, timeZone: $timeZone) { rows { startsAt captureReversed { count amount } } } }`,
        given,
      );
      const rows = transactionReport.rows.map(({ startsAt, captureReversed }) => ({
        startsAt,
        ...captureReversed,
      }));
      expect({ ...given, rows }).toEqual({ ...given, rows: await plainSums(given) });
    }
});

type Given = {
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly timeZone: string;
};

/**
 * Sums the ledger in Postgres, by the words that the zone's clocks show. An interval begins at its first quarter of an hour. Postgres
 * has the zones' rules by itself.
 */
async function plainSums({ from, to, interval, timeZone }: Given): Promise<readonly object[]> {
  const name = interval === 'QUARTER_HOUR' ? 'minute' : interval.toLowerCase();
  const shown = (moment: string): string =>
    `date_trunc('${name}', ${moment} AT TIME ZONE '${timeZone}')` +
    // An hour that the clocks show twice is two hours.
    (name === 'hour' || name === 'minute'
      ? ` || ' ' || (${moment} AT TIME ZONE '${timeZone}' - ${moment} AT TIME ZONE 'UTC')`
      : '::text');
  const quarter = `date_bin('15 minutes', created_at, '2000-01-01Z')`;
  const days = { minute: 1, hour: 1, day: 2, week: 9, month: 33, quarter: 95, year: 370 }[name] ?? 0;
  const found = await prisma().$queryRawUnsafe<readonly { starts_at: Date; count: bigint; amount: bigint }[]>(
    `WITH grid AS (
       SELECT ${shown('g')} AS shown, min(g) AS starts_at
       FROM generate_series(timestamptz '${from}' - interval '${days} days', timestamptz '${to}', '15 minutes') AS g GROUP BY 1)
     SELECT g.starts_at, count(*), sum(l.amount) AS amount
     FROM ledger_entry l JOIN grid g ON g.shown = ${shown(quarter)}
     WHERE l.kind = 'capture_reversal' AND l.created_at >= '${from}' AND l.created_at < '${to}' GROUP BY 1 ORDER BY 1`,
  );
  return found.map(({ starts_at, count, amount }) => ({
    ...{ startsAt: starts_at.toISOString(), count: Number(count), amount: Number(amount) },
  }));
}

it('has the same sums in all grains', async () => {
  expect(await rebuildReports(harness.server.app, 'default', { write: false })).toEqual([]);
});
