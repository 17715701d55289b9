import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeNextFigures } from '../../src/modules/routing-figures/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { copyPayments, simulatingAs } from '../routing-simulations/harness.ts';
import { openShop, type Input, type Shop } from '../routing/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { explainCompared, makeAllFigures, readCompared } from './harness.ts';

/** Amounts for which the sandbox declines in a retriable way, and for good. */
const [RETRIABLE, FINAL] = [200_012, 200_011];

/** Copies of each payment. With the payment itself there are 20. */
const COPIES = 19;

const HOUR_MS = 3_600_000;

let server: TestServer;
let shop: Shop;
let clock: ShiftedClock;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({ clock });
});
beforeEach(async () => {
  shop = await openShop(server);
});
afterAll(() => server.stop());

const all = (action: Input) => ({ name: 'All', action });
const order = (...paymentServiceIds: readonly string[]) => all({ order: { paymentServiceIds } });
const bySuccess = (paymentServiceIds: readonly string[], more: Input = {}) =>
  all({ bySuccess: { paymentServiceIds, keepShare: 0, minimumCases: 10, ...more } });

const ago = (hours: number): string => new Date(clock.now().getTime() - hours * HOUR_MS).toISOString();

/** Lets the first service authorise 20 payments, the second decline 20, and the third authorise 20 and decline 20. */
async function makePast(from: string): Promise<void> {
  const [first, second, third] = shop.services;
  await shop.follow(order(first));
  await shop.pay();
  await shop.follow(order(second));
  await shop.pay({ amount: FINAL });
  await shop.follow(order(third));
  await shop.pay();
  await shop.pay({ amount: FINAL });
  await copyPayments(server.app.config.DATABASE_URL ?? '', shop.id, COPIES, from);
}

const figuresOf = (account: string) =>
  server.app.db.prisma.routingFigures.findMany({
    where: { merchantAccountId: account },
    orderBy: { id: 'asc' },
  });

const payOnce = async (input: Input = {}): Promise<string> => {
  const { transaction, userErrors } = await shop.pay(input);
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return transaction.id;
};

describe('a rule by success', () => {
  it('asks first the service that authorised most, and explains itself when the figures are gone', async () => {
    const [first, second, third] = shop.services;
    await makePast(ago(1));
    await shop.follow(bySuccess([second, third, first]));
    expect(await shop.asked({ amount: 1300 })).toEqual([2]);

    await makeAllFigures(server);
    const id = await payOnce({ amount: 1300 });

    const { routing } = await readCompared(shop, id);
    const [figures] = await figuresOf(shop.id);
    expect(routing.compared).toEqual({
      ...{
        by: 'SUCCESS',
        figuresId: figures?.id,
        figuresMadeAt: figures?.madeAt.toISOString(),
        trial: false,
      },
      services: [
        counted(first, { cases: 20, authorized: 20, lowerBound: 0.838875 }),
        counted(third, { cases: 40, authorized: 20, lowerBound: 0.351995 }),
        // The listed order asked the second service once more.
        counted(second, { cases: 21, authorized: 1, lowerBound: 0.008456 }),
      ],
    });
    expect(await explainCompared(shop, { amount: 1300, cardScheme: 'VISA' })).toEqual(routing.compared);
    await server.app.db.prisma.routingFigures.deleteMany({ where: { merchantAccountId: shop.id } });
    expect(await readCompared(shop, id)).toEqual({ routing });
    expect((await shop.transaction(id))?.attempts.map(({ paymentService }) => paymentService.id)).toEqual([
      first,
    ]);
  });

  const counted = (paymentServiceId: string, figures: Input) => ({
    // The declined payments have another number of digits.
    ...{ paymentServiceId, segment: ['METHOD', 'SCHEME', 'COUNTRY'], ...figures },
    ...{ expectedFee: null, feeSource: null },
  });

  it('reads a snapshot once in a process, and then takes no statement more than another rule', async () => {
    const [first, second, third] = shop.services;
    await makePast(ago(1));
    await shop.follow(bySuccess([second, third, first]));
    await makeAllFigures(server);
    const input = { amount: 1300 };
    expect(await Promise.all([1, 2, 3].map(() => shop.asked(input)))).toEqual([[1], [1], [1]]);

    // A second reading would find no figures.
    await server.app.db.prisma.routingFigures.updateMany({
      where: { merchantAccountId: shop.id },
      data: { content: { rates: [], fees: [] } },
    });
    expect(await shop.asked(input)).toEqual([1]);
    const bySuccessSent = await statementsOf(() => shop.asked(input));
    await shop.follow(order(first));
    await shop.asked(input);
    expect(bySuccessSent).toEqual(await statementsOf(() => shop.asked(input)));
    expect(bySuccessSent).toContain('payment_services_accepting');
  });

  /** Returns the names of the statements that a request sends, those of background work left out. */
  async function statementsOf(request: () => Promise<unknown>): Promise<readonly (string | null)[]> {
    const { db } = server.app;
    const query = db.query.bind(db);
    const sent: (string | null)[] = [];
    const recording: typeof query = (statement) => {
      sent.push(statement.name);
      return query(statement);
    };
    Object.assign(db, { query: recording });
    await request();
    Object.assign(db, { query });
    return sent.filter((name) => !/^(relay_|accounts_away)/.test(name ?? '')).toSorted();
  }

  it('decides about a further attempt by the figures of the first', async () => {
    const [first, second, third] = shop.services;
    await makePast(ago(1));
    await shop.follow(bySuccess([second, third, first], { onlyThese: true }));
    await makeAllFigures(server);

    const { transaction } = await shop.pay({ amount: RETRIABLE });
    const { routing } = await readCompared(shop, transaction?.id ?? '');

    expect(transaction?.attempts.map(({ paymentService }) => paymentService.id)).toEqual([
      first,
      third,
      second,
    ]);
    expect(routing.retries.map(({ attempt, compared }) => [attempt, compared])).toEqual([
      [2, routing.compared],
      [3, routing.compared],
    ]);
  });

  it('counts the first attempts of its hours, and no unknown outcome', async () => {
    const [first, second, third] = shop.services;
    await makePast(ago(30));
    await shop.follow(bySuccess([second, third, first], { lastHours: 24 }), {
      ...bySuccess([first, second], { lastHours: 48 }),
      name: 'Longer',
    });
    await makeAllFigures(server);
    expect(await shop.asked({ amount: 1300 })).toEqual([2]);
    const [figures] = await figuresOf(shop.id);
    const { rates } = figures?.content as { rates: { lastHours: number }[] };
    expect(new Set(rates.map(({ lastHours }) => lastHours))).toEqual(new Set([48]));

    await server.app.db.prisma.operation.updateMany({
      where: { merchantAccountId: shop.id, kind: 'authorize', paymentServiceId: first },
      data: { attempts: 0 },
    });
    await shop.follow(bySuccess([second, first, third], { lastHours: 48 }));
    await makeAllFigures(server);
    const compared = await explainCompared(shop, { cardScheme: 'VISA' });
    expect(compared?.services.map(({ paymentServiceId, cases }) => [paymentServiceId, cases])).toEqual([
      [third, 40],
      [second, 21],
      [first, null],
    ]);
  });

  it('is simulated by the figures of the moment of the simulation', async () => {
    const [first, second, third] = shop.services;
    await makePast(ago(1));

    const { moves } = await simulatingAs(server, shop).result([bySuccess([second, third, first])]);

    expect(new Set(moves.map(({ toPaymentServiceId }) => toPaymentServiceId))).toEqual(new Set([first]));
  });
});

describe('a rule by cost', () => {
  it('asks first the cheapest service by settlements, and by the table without them', async () => {
    const [first, second, third] = shop.services;
    await shop.follow(order(second));
    for (let nth = 0; nth < 20; nth += 1) await settle(await payOnce({ intent: 'CAPTURE' }), second, 20n);
    const table = [
      { paymentServiceId: first, percentage: '1', fixed: { amount: 20, currency: 'USD' } },
      { paymentServiceId: second, percentage: '9' },
    ];
    await shop.follow(all({ byCost: { paymentServiceIds: [third, first, second], table } }));
    expect(await shop.asked()).toEqual([1]);
    await makeAllFigures(server);

    const id = await payOnce({ amount: 1500 });

    const { routing } = await readCompared(shop, id);
    const figured = (paymentServiceId: string, figures: Input) => ({
      ...{ paymentServiceId, segment: null, cases: null, authorized: null, lowerBound: null },
      ...{ expectedFee: null, feeSource: null, ...figures },
    });
    expect(routing.compared).toMatchObject({ by: 'COST', trial: false });
    expect(routing.compared?.services).toEqual([
      // 20 of 1299, in a payment of 1500.
      figured(second, {
        ...{ segment: ['METHOD', 'BIN', 'CURRENCY', 'DIGITS'], cases: 20 },
        ...{ expectedFee: '23.0947', feeSource: 'SETTLEMENTS' },
      }),
      figured(first, { expectedFee: '35.0000', feeSource: 'TABLE' }),
      figured(third, {}),
    ]);
  });

  /** Adds the line of a settlement for the capture of a payment. */
  async function settle(transactionId: string, paymentServiceId: string, fee: bigint): Promise<void> {
    const { prisma } = server.app.db;
    const where = { merchantAccountId: shop.id, transactionId, kind: 'capture' };
    const { id: ledgerEntryId, operationId } = await prisma.ledgerEntry.findFirstOrThrow({ where });
    await prisma.settlement.create({
      data: {
        ...{ merchantAccountId: shop.id, id: server.app.ids.uuid(), paymentServiceId, transactionId },
        ...{ reference: `txn ${transactionId}`, kind: 'charge', gross: 1299n, fee, net: 1299n - fee },
        ...{ currency: 'USD', settledOn: clock.now(), createdAt: clock.now(), updatedAt: clock.now() },
        ...{ ledgerEntryId, operationId },
      },
    });
  }
});

describe('the rounds', () => {
  // Those of the accounts before would count as well.
  beforeEach(async () => {
    await server.app.db.prisma.routingFiguresRound.deleteMany();
  });

  const rounds = () =>
    server.app.db.prisma.routingFiguresRound.count({ where: { merchantAccountId: shop.id } });

  it('begin with a version that compares services, and end with its last activation', async () => {
    const [first, second] = shop.services;
    await shop.follow(order(first));
    expect(await makeAllFigures(server)).toBe(0);

    await shop.follow(bySuccess([first, second]));
    expect(await makeAllFigures(server)).toBe(1);
    expect([await rounds(), (await figuresOf(shop.id)).length]).toEqual([1, 1]);

    await shop.activate({});
    clock.advance(HOUR_MS);
    expect(await makeAllFigures(server)).toBe(1);
    expect([await rounds(), (await figuresOf(shop.id)).length]).toEqual([0, 1]);
  });

  it('stay while more versions are planned than a round reads', async () => {
    const [first, second] = shop.services;
    const { version: plain } = await ask(order(first));
    const { version } = await ask(bySuccess([first, second]));
    for (let hours = 1; hours <= 10; hours += 1)
      await shop.activate({ versionId: plain?.id, activeFrom: ago(-hours) });
    await shop.activate({ versionId: version?.id, activeFrom: ago(-11) });

    expect(await makeAllFigures(server)).toBe(1);
    expect([await rounds(), (await figuresOf(shop.id)).length]).toEqual([1, 0]);
    clock.advance(2 * HOUR_MS);
    expect(await makeAllFigures(server)).toBe(1);
    expect([await rounds(), (await figuresOf(shop.id)).length]).toEqual([1, 1]);
  });

  it('make figures every five minutes, also for a planned version, and keep those of a day', async () => {
    const [first, second] = shop.services;
    const { version } = await ask(bySuccess([first, second]));
    await shop.activate({ versionId: version?.id, activeFrom: ago(-72) });
    expect(await makeAllFigures(server)).toBe(1);
    const [made] = await figuresOf(shop.id);
    expect(await makeAllFigures(server)).toBe(0);

    clock.advance(5 * 60_000);
    expect(await makeAllFigures(server)).toBe(1);
    expect((await figuresOf(shop.id)).map(({ id }) => id)).toContain(made?.id);
    clock.advance(25 * HOUR_MS);
    await makeAllFigures(server);
    const kept = await figuresOf(shop.id);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.madeAt).toEqual(expect.any(Date));
  });

  const ask = (rule: Input) => shop.makeVersion([rule]);

  it('go on after a crash before the commit, and keep the former figures until then', async () => {
    const [first, second] = shop.services;
    await shop.follow(bySuccess([first, second]));
    await makeAllFigures(server);
    clock.advance(5 * 60_000);
    const clear = setFailpoint('routing-figures.made', () => {
      throw new Error('crashed');
    });
    await expect(makeNextFigures(server.app)).rejects.toThrow('crashed');
    clear();
    expect([await makeAllFigures(server), (await figuresOf(shop.id)).length]).toEqual([0, 1]);

    clock.advance(2 * 60_000);
    expect([await makeAllFigures(server), (await figuresOf(shop.id)).length]).toEqual([1, 2]);
  });

  it('are of one process, and an activation meanwhile plans another', async () => {
    const [first, second] = shop.services;
    await shop.follow(bySuccess([first, second]));
    const { version } = await ask(bySuccess([second, first], { lastHours: 5 }));
    let activated = false;
    const clear = setFailpoint('routing-figures.made', async () => {
      if (activated) return;
      activated = true;
      expect(await makeNextFigures(server.app)).toBe(false);
      await shop.activate({ versionId: version?.id });
    });
    const made = await makeAllFigures(server);
    clear();

    expect(made).toBe(2);
    expect(await makeAllFigures(server)).toBe(0);
  });
});
