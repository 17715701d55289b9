import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rebuildReports } from '../../src/modules/reports/index.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { countAll } from './count-all.ts';

type Buyer = {
  readonly buyerId: string;
  readonly buyer: { readonly displayName: string } | null;
  readonly captured: { readonly count: number; readonly amount: number };
};

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  const start = new Date('2027-06-30T12:00:00Z');
  await harness.pass(start.getTime() - harness.clock.now().getTime());
});
afterAll(() => harness.stop());

const app = () => harness.server.app;

async function createBuyer(displayName: string): Promise<string> {
  const { createBuyer: made } = await harness.ask<{ createBuyer: { buyer: { id: string } } }>(
    'mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyer { id } } }',
    { input: { displayName } },
  );
  return made.buyer.id;
}

const DOCUMENT = `query ($period: TopBuyersPeriod!, $at: DateTime!, $currency: String!, $first: Int!) {
  topBuyers(period: $period, at: $at, currency: $currency, first: $first) {
    asOf buyers { buyerId buyer { displayName } captured { count amount } } } }`;

const given = { period: 'MONTH', at: '2027-06-01T00:00:00Z', currency: 'USD', first: 10 };

/** Counts everything, and asks for the top buyers. */
async function topBuyers(changes: Readonly<Record<string, unknown>> = {}) {
  await countAll(app());
  const answer = await harness.ask<{ topBuyers: { buyers: readonly Buyer[] } }>(DOCUMENT, {
    ...given,
    ...changes,
  });
  return answer.topBuyers.buyers.map(({ buyer, captured }) => [
    buyer?.displayName,
    captured.count,
    captured.amount,
  ]);
}

it('orders buyers by their captures in the days, months and years of UTC', async () => {
  const [ada, bob] = [await createBuyer('Ada'), await createBuyer('Bob')];
  const pay = (amount: number, buyerId: string | null) =>
    harness.create({ amount, buyerId, intent: 'CAPTURE' });
  await pay(500, ada);
  await topBuyers();
  await pay(400, ada);
  await pay(800, bob);
  await pay(9000, null);
  await harness.create({ amount: 7000, buyerId: bob });
  // The next month begins.
  await harness.pass(24 * 3_600_000);
  await pay(300, bob);

  expect(await topBuyers()).toEqual([
    ['Ada', 2, 900],
    ['Bob', 1, 800],
  ]);
  expect(await topBuyers({ at: '2027-07-31T23:59:59Z' })).toEqual([['Bob', 1, 300]]);
  expect(await topBuyers({ period: 'YEAR' })).toEqual([
    ['Bob', 2, 1100],
    ['Ada', 2, 900],
  ]);
  expect(await topBuyers({ period: 'DAY', at: '2027-06-30T23:00:00Z', first: 1 })).toEqual([['Ada', 2, 900]]);
  expect(await topBuyers({ period: 'DAY' })).toEqual([]);
  expect(await topBuyers({ currency: 'EUR' })).toEqual([]);
});

it('shows no buyer of another merchant account', async () => {
  const { token } = await harness.server.createMerchantAccount();
  const { body } = await harness.server.graphql(DOCUMENT, given, { token });
  expect(body.data).toMatchObject({ topBuyers: { buyers: [] } });
});

it.each([
  ['more than 100 buyers', { first: 101 }, 'at most 100'],
  ['no buyer', { first: 0 }, 'at least 1'],
  ['a name of a currency', { currency: 'euro' }, 'ISO 4217'],
])('refuses %s, and says what to do', async (_, changes, message) => {
  await expect(topBuyers(changes)).rejects.toThrow(message);
});

it('a rebuild names and mends sums of buyers that differ from the ledger', async () => {
  const compare = (write = false) => rebuildReports(app(), 'default', { write });
  expect(await compare()).toEqual([]);
  await app().db.prisma.reportBuyer.updateMany({
    where: { grain: 'year', capturedAmount: 900 },
    data: { capturedAmount: 5 },
  });

  const named = [
    expect.stringMatching(
      /^year 2027-01-01T00:00:00.000Z buyer \S+ USD: captured_amount is 5 instead of 900$/,
    ),
  ];
  expect(await compare(true)).toEqual(named);
  expect(await compare()).toEqual([]);
  expect((await topBuyers({ period: 'YEAR' }))[1]).toEqual(['Ada', 2, 900]);
});
