import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectOnce, rebuildReports } from '../../src/modules/reports/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { CARD, createService, startHarness, type Harness } from '../transactions/harness.ts';
import { countAll } from './count-all.ts';

const HOUR_MS = 3_600_000;

const SUM = '{ count amount average }';
const ROWS = `asOf rows { startsAt value currency created ${SUM} authorized ${SUM} declined ${SUM} failed ${SUM} captured ${SUM}
  refunded ${SUM} voided ${SUM} expired ${SUM} captureReversed ${SUM} refundReversed ${SUM} disputeLost ${SUM}
  authorizationRate }`;

type Sum = { readonly count: number; readonly amount: number; readonly average: number | null };
type Row = {
  readonly startsAt: string;
  readonly value: string | null;
  readonly currency: string;
  readonly authorizationRate: number | null;
  readonly [sum: string]: Sum | string | number | null;
};

let harness: Harness;
/** A payment service for pounds. */
let pounds: string;

beforeAll(async () => {
  harness = await startHarness();
  pounds = await createService(harness.server, harness.provider.url, { currencies: ['GBP'] });
});
afterAll(() => harness.stop());

const app = () => harness.server.app;

/** The next whole hour. Each test has hours of its own. */
async function nextHour(): Promise<Date> {
  const now = harness.clock.now().getTime();
  await harness.pass(HOUR_MS - (now % HOUR_MS));
  return new Date(now - (now % HOUR_MS) + HOUR_MS);
}

const hoursAfter = (moment: Date, hours: number): string =>
  new Date(moment.getTime() + hours * HOUR_MS).toISOString();

/** Counts everything, and asks for a report, by default with every sum. */
async function report(variables: Readonly<Record<string, unknown>>, fields = ROWS): Promise<readonly Row[]> {
  await countAll(app());
  const { transactionReport } = await harness.ask<{ transactionReport: { rows: readonly Row[] } }>(
    `query ($from: DateTime!, $to: DateTime!, $interval: ReportInterval, $timeZone: String, $groupBy: ReportDimension,
       $filter: TransactionReportFilter) {
       transactionReport(from: $from, to: $to, interval: $interval, timeZone: $timeZone, groupBy: $groupBy, filter: $filter) { ${fields} } }`,
    { timeZone: 'UTC', ...variables },
  );
  return transactionReport.rows;
}

const sum = (count: number, amount: number) => ({
  count,
  amount,
  average: count === 0 ? null : amount / count,
});
const NOTHING = sum(0, 0);

/** A code of the sandbox: insufficient funds. */
const DECLINED = 200_011;

/** Compares the sums of narrow selections with those of the widest. */
async function expectSameSums(period: Readonly<Record<string, unknown>>): Promise<void> {
  // Hours of Kathmandu begin between those of UTC.
  for (const timeZone of ['UTC', 'Asia/Kathmandu']) {
    const all = await report({ ...period, timeZone });
    expect(all.length).toBeGreaterThan(0);
    for (const selection of SELECTIONS) {
      expect(all).toMatchObject(await report({ ...period, timeZone }, `rows { ${selection} }`));
    }
  }
}

/** A selection for each set of sums that a report reads. */
const SELECTIONS = [
  `authorized ${SUM} captured ${SUM} refunded ${SUM}`,
  'authorizationRate',
  `created ${SUM} voided ${SUM}`,
  `captured ${SUM} disputeLost ${SUM}`,
];

describe('a report', () => {
  it('sums payments and what became of them, by currency', async () => {
    const from = await nextHour();
    const partly = await harness.authorized(1000);
    await harness.capture(partly, { amount: 600 });
    await harness.refund(partly, { amount: 100 });
    await harness.captured(500);
    await harness.void(await harness.authorized(300));
    await harness.create({ amount: DECLINED, currency: 'USD', country: 'US' });

    const rows = await report({ from, to: hoursAfter(from, 1) });

    expect(rows).toEqual([
      {
        ...{ startsAt: from.toISOString(), value: null, currency: 'USD' },
        ...{ created: sum(4, 1800 + DECLINED), authorized: sum(3, 1800), declined: sum(1, DECLINED) },
        ...{ captured: sum(2, 1100), refunded: sum(1, 100), voided: sum(1, 300), failed: NOTHING },
        ...{ expired: NOTHING, captureReversed: NOTHING, refundReversed: NOTHING, disputeLost: NOTHING },
        authorizationRate: 0.75,
      },
    ]);
    await expectSameSums({ from, to: hoursAfter(from, 1), interval: 'HOUR' });
  });

  it('never adds currencies, and filters by them', async () => {
    const service = await createService(harness.server, harness.provider.url, { currencies: ['EUR'] });
    const from = await nextHour();
    await harness.create({ amount: 100, currency: 'EUR', country: 'DE' });
    await harness.create({ amount: 300, currency: 'USD', country: 'US' });

    const to = hoursAfter(from, 1);
    const rows = await report({ from, to });
    expect(rows.map(({ currency, authorized }) => [currency, authorized])).toEqual([
      ['EUR', sum(1, 100)],
      ['USD', sum(1, 300)],
    ]);
    expect(await report({ from, to, filter: { currency: ['USD'] } })).toEqual(rows.slice(1));
    expect(await report({ from, to, filter: { paymentServiceId: [service] } })).toMatchObject([
      { currency: 'EUR', value: null, created: NOTHING, authorized: sum(1, 100) },
    ]);
  });

  it.each([
    ['METHOD', { method: ['card'] }, 'card', { created: 2, authorized: 1, declined: 1 }],
    ['SCHEME', { scheme: ['visa'] }, 'visa', { created: 0, authorized: 1, declined: 1 }],
    ['COUNTRY', { country: ['US'] }, 'US', { created: 2, authorized: 1, declined: 1 }],
    ['BUYER_COUNTRY', { buyerCountry: ['CH'] }, 'CH', { created: 2, authorized: 1, declined: 1 }],
    [
      'PAYMENT_SOURCE',
      { paymentSource: ['ecommerce'] },
      'ecommerce',
      { created: 2, authorized: 1, declined: 1 },
    ],
    ['THREE_D_SECURE', { threeDSecure: ['none'] }, 'none', { created: 0, authorized: 1, declined: 1 }],
    ['DECLINE_CODE', {}, 'insufficient_funds', { created: 0, authorized: 0, declined: 1 }],
  ])('splits the sums by %s', async (groupBy, filter, value, counts) => {
    const from = await nextHour();
    const buyer = { billingDetails: { address: { country: 'CH' } } };
    await harness.create({ amount: 1000, currency: 'USD', country: 'US', buyer });
    await harness.create({ amount: DECLINED, currency: 'USD', country: 'US', buyer });
    const asked = { from, to: hoursAfter(from, 1), groupBy };

    const rows = await report(asked);

    expect(rows).toMatchObject([
      { value, ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, { count }])) },
    ]);
    expect(await report({ ...asked, filter })).toEqual(rows);
  });

  /** The counts of a report's groups, by their value. */
  const countsOf = (rows: readonly Row[]) =>
    new Map(
      rows.map(({ value, created, authorized, declined }) => [
        value,
        [created, authorized, declined].map((each) => (each as Sum).count),
      ]),
    );

  it('splits the sums by the payment service that carried the operation out', async () => {
    const { paymentServices } = await harness.ask<{
      paymentServices: { nodes: readonly { id: string; acceptedCurrencies: readonly string[] }[] };
    }>('{ paymentServices { nodes { id acceptedCurrencies } } }');
    const dollars = paymentServices.nodes.find((each) => each.acceptedCurrencies.includes('USD'))?.id;
    const from = await nextHour();
    await harness.create({ amount: 100, currency: 'GBP' });
    await harness.create({ amount: 200, currency: 'GBP' });
    await harness.create({ amount: 300, currency: 'USD' });
    await harness.create({ amount: DECLINED, currency: 'USD' });
    const asked = { from, to: hoursAfter(from, 1), groupBy: 'PAYMENT_SERVICE' };

    const rows = await report(asked);

    expect(countsOf(rows)).toEqual(
      new Map([
        [pounds, [0, 2, 0]],
        [dollars, [0, 1, 1]],
      ]),
    );
    expect(await report({ ...asked, filter: { paymentServiceId: [pounds] } })).toEqual(
      rows.filter(({ value }) => value === pounds),
    );
  });

  it("splits the sums by the country of the card's issuer", async () => {
    const german = { ...CARD, number: '2223 0031 2200 3222' };
    const from = await nextHour();
    await harness.create({ amount: 100, paymentMethod: { card: german } });
    await harness.create({ amount: 200 });
    // The provider names no country for a declined card.
    await harness.create({ amount: DECLINED });
    const asked = { from, to: hoursAfter(from, 1), groupBy: 'CARD_COUNTRY' };

    const rows = await report(asked);

    expect(countsOf(rows)).toEqual(
      new Map([
        ['', [0, 0, 1]],
        ['DE', [0, 1, 0]],
        ['US', [0, 1, 0]],
      ]),
    );
    expect(await report({ ...asked, filter: { cardCountry: ['DE'] } })).toEqual(
      rows.filter(({ value }) => value === 'DE'),
    );
  });

  it('has days of the time zone, also where the clocks change', async () => {
    const start = new Date('2027-03-27T22:30:00Z');
    await harness.pass(start.getTime() - harness.clock.now().getTime());
    // Berlin has 23:30, then 00:30. The next day begins 23 hours later.
    await harness.authorized(1);
    await harness.pass(HOUR_MS);
    await harness.authorized(20);
    await harness.pass(22 * HOUR_MS);
    await harness.authorized(300);
    await harness.pass(HOUR_MS);
    await harness.authorized(4000);

    const rows = async (interval: string, timeZone: string) =>
      (await report({ from: '2027-03-27T12:00:00Z', to: '2027-03-29T12:00:00Z', interval, timeZone })).map(
        ({ startsAt, authorized }) => [startsAt, (authorized as Sum).amount],
      );

    expect(await rows('DAY', 'Europe/Berlin')).toEqual([
      ['2027-03-26T23:00:00.000Z', 1],
      ['2027-03-27T23:00:00.000Z', 320],
      ['2027-03-28T22:00:00.000Z', 4000],
    ]);
    expect(await rows('DAY', 'Asia/Kathmandu')).toEqual([
      ['2027-03-27T18:15:00.000Z', 21],
      ['2027-03-28T18:15:00.000Z', 4300],
    ]);
    expect(await rows('QUARTER_HOUR', 'UTC')).toEqual([
      ['2027-03-27T22:30:00.000Z', 1],
      ['2027-03-27T23:30:00.000Z', 20],
      ['2027-03-28T21:30:00.000Z', 300],
      ['2027-03-28T22:30:00.000Z', 4000],
    ]);
    expect(await rows('MONTH', 'Europe/Berlin')).toEqual([['2027-02-28T23:00:00.000Z', 4321]]);
  });

  it('has no row for a day of a zone without payments, although the day of UTC has one', async () => {
    const paidAt = new Date('2027-04-10T22:30:00Z');
    await harness.pass(paidAt.getTime() - harness.clock.now().getTime());
    await harness.authorized(7);

    const days = { from: '2027-04-08T22:00:00Z', to: '2027-04-12T22:00:00Z', interval: 'DAY' };
    const rows = await report({ ...days, timeZone: 'Europe/Berlin' });
    expect(rows.map(({ startsAt, authorized }) => [startsAt, authorized])).toEqual([
      ['2027-04-10T22:00:00.000Z', sum(1, 7)],
    ]);
  });

  it('says how new it is', async () => {
    const from = await nextHour();
    await harness.authorized(1000);
    const asked = `{ transactionReport(from: "${from.toISOString()}", to: "${hoursAfter(from, 1)}") { asOf rows { currency } } }`;
    const before = harness.clock.now().toISOString();
    await harness.pass(60_000);

    const { transactionReport: late } = await harness.ask<{ transactionReport: { asOf: string; rows: [] } }>(
      asked,
    );
    expect(late.rows).toEqual([]);
    expect(late.asOf <= before).toBe(true);

    await projectOnce(app());
    const { transactionReport: now } = await harness.ask<{ transactionReport: { asOf: string; rows: [] } }>(
      asked,
    );
    expect(now.rows).toEqual([{ currency: 'USD' }]);
    expect(now.asOf > before).toBe(true);
  });
});

describe('the spread of a report', () => {
  const SPREADS = `rows { value amountPercentiles { p50 p90 p95 p99 } answerTime { count average p50 p90 p95 p99 } }`;

  async function spreads(from: Date, groupBy?: string): Promise<readonly Row[]> {
    const { transactionReport } = await harness.ask<{ transactionReport: { rows: readonly Row[] } }>(
      `query ($from: DateTime!, $to: DateTime!, $groupBy: ReportDimension) {
         transactionReport(from: $from, to: $to, groupBy: $groupBy) { ${SPREADS} } }`,
      { from, to: hoursAfter(from, 1), groupBy },
    );
    return transactionReport.rows;
  }

  it('has percentiles of authorised amounts, merged from many commits', async () => {
    const from = await nextHour();
    for (const amount of [1, 2, 3, 4, 5, 6, 7, 8, 9, 20]) {
      await harness.authorized(amount);
      await projectOnce(app());
    }
    await harness.create({ amount: DECLINED, currency: 'USD', country: 'US' });
    await countAll(app());

    expect(await spreads(from)).toMatchObject([
      { amountPercentiles: { p50: 5, p90: 9, p95: 20, p99: 20 }, answerTime: { count: 11 } },
    ]);
    expect(await spreads(from, 'DECLINE_CODE')).toMatchObject([
      { amountPercentiles: null, answerTime: { count: 1 } },
    ]);
  });

  it('has the times of decisions, with an error of at most 1 %', async () => {
    const from = await nextHour();
    await harness.authorized(500);
    const { merchantAccountId, id } = await app().db.prisma.operation.findFirstOrThrow({
      where: { kind: 'authorize', amount: 500, createdAt: { gte: from } },
    });
    await app().db.prisma.operation.updateMany({
      where: { merchantAccountId, id },
      data: { sentAt: from, settledAt: new Date(from.getTime() + 12_345) },
    });
    await harness.create({ amount: 700, currency: 'USD', country: 'US' });
    const { id: postponed } = await app().db.prisma.operation.findFirstOrThrow({
      where: { kind: 'authorize', amount: 700, createdAt: { gte: from } },
    });
    await app().db.prisma.operation.updateMany({
      where: { merchantAccountId, id: postponed },
      data: { acceptedAt: from },
    });
    await countAll(app());

    const [row] = await spreads(from);
    const { p50, count } = row?.answerTime as unknown as { p50: number; count: number };
    expect(count).toBe(1);
    expect(Math.abs(p50 - 12_345)).toBeLessThanOrEqual(124);
  });
});

describe('the input of a report', () => {
  const given = { from: '2027-01-01T00:00:00Z', to: '2027-01-02T00:00:00Z' };

  it.each([
    ['a moment between quarters', { from: '2027-01-01T00:01:00Z' }, 'from', 'quarter of an hour'],
    ['an end before the start', { to: '2026-01-01T00:00:00Z' }, 'from', 'before to'],
    ['more than five years', { from: '2020-01-01T00:00:00Z' }, 'from', '5 years'],
    ['too many intervals', { from: '2026-01-01T00:00:00Z', interval: 'HOUR' }, 'interval', '1000 intervals'],
    ['an unknown time zone', { timeZone: 'Berlin' }, 'timeZone', 'IANA'],
    ['two dimensions', { groupBy: 'METHOD', filter: { country: ['DE'] } }, 'filter', 'one dimension'],
    ['an empty list', { filter: { method: [] } }, 'method', 'at least one'],
    ['a name of a currency', { filter: { currency: ['euro'] } }, 'currency', 'ISO 4217'],
  ])('refuses %s, and says what to do', async (_, changes, field, message) => {
    const refused = report({ ...given, ...changes });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(`"${field}"`);
  });
});

describe('the projection', () => {
  it('counts each fact once, whatever dies and whoever works beside it', async () => {
    const from = await nextHour();
    await harness.captured(700);
    const remove = setFailpoint('reports.projected', () => {
      throw new Error('The process died.');
    });
    await expect(projectOnce(app())).rejects.toThrow('died').finally(remove);

    await Promise.all([projectOnce(app()), projectOnce(app()), projectOnce(app())]);

    expect(await report({ from, to: hoursAfter(from, 1) })).toMatchObject([
      { created: sum(1, 700), authorized: sum(1, 700), captured: sum(1, 700) },
    ]);
  });

  it('fits the payments and the ledger, and a rebuild names and mends what does not', async () => {
    await countAll(app());
    const compare = (write = false) => rebuildReports(app(), 'default', { write });
    expect(await compare()).toEqual([]);

    const from = await nextHour();
    await harness.authorized(1000);
    // Uncounted facts are no difference.
    expect(await compare()).toEqual([]);
    await projectOnce(app());
    await app().db.prisma.reportBucket.updateMany({
      where: { startsAt: from, dimension: 'method', grain: 'hour' },
      data: { authorizedAmount: 5 },
    });

    await app().db.prisma.reportHistogram.updateMany({
      where: { startsAt: from, dimension: 'scheme', grain: 'hour' },
      data: { amountBins: [] },
    });

    const place = `hour ${from.toISOString()}`;
    const named = [
      `${place} method card USD: authorized_amount is 5 instead of 1000`,
      expect.stringMatching(`^${place} scheme visa USD: amount_bins is {} instead of {\\d+}$`),
    ];
    expect(await compare()).toEqual(named);
    expect(await compare(true)).toEqual(named);
    expect(await compare()).toEqual([]);
  });
});
