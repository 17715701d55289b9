import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fetchDueSettlements, startSettlementFetcher } from '../../src/modules/settlements/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { until } from '../support/until.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import {
  createSettlingService,
  DAY_MS,
  entryOnWire,
  pageOnWire,
  startSettling,
  type Settling,
} from './harness.ts';

let settling: Settling;
/** The provider of payments in Swiss francs. */
let other: FakeProvider;

beforeAll(async () => {
  settling = await startSettling();
  const { clock } = settling.harness;
  other = await startFakeProvider({ now: () => clock.now() });
  await createSettlingService(settling, 'CHF', other.url);
});
afterAll(async () => {
  await other.close();
  await settling.harness.stop();
});
beforeEach(() => settling.harness.provider.behave());

const count = () => settling.harness.server.app.db.prisma.settlement.count();
const calls = () => settling.harness.provider.settlements.calls;

describe('settlements of a day', () => {
  it('come on the next day, page by page, each entry once, with a payout', async () => {
    const { harness, nextDay, drain, entries } = settling;
    const ids: string[] = [];
    for (let sale = 0; sale < 12; sale += 1) ids.push(await harness.captured(1000));
    await harness.refund(ids[0] ?? '', { amount: 400 });
    await drain();
    expect(await count()).toBe(0);
    const before = calls().length;

    await nextDay();

    // Two pages: the second begins with the last entry of the first.
    expect(calls().length - before).toBe(2);
    const found = await entries();
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(
      [...Array<string>(12).fill('CHARGE'), 'PAYOUT', 'REFUND'].toSorted(),
    );
    expect(new Set(found.map((entry) => entry.paymentServiceSettlementId)).size).toBe(14);
    expect(found.filter(({ difference }) => difference)).toEqual([]);
    const charge = found.find(({ kind, transaction }) => kind === 'CHARGE' && transaction?.id === ids[0]);
    const operation = await harness.server.app.db.prisma.operation.findFirst({
      where: { transactionId: ids[0] ?? '', kind: 'authorize' },
    });
    expect(charge).toMatchObject({
      ...{ type: 'settlement', operationId: operation?.id, paymentService: { id: settling.service } },
      operation: { id: operation?.id, kind: 'AUTHORIZE' },
      ...{ gross: 1000, fee: 30, net: 970, currency: 'USD', dispute: null, exchangeRate: null },
    });
    expect(found.find(({ kind }) => kind === 'PAYOUT')).toMatchObject({
      ...{ transaction: null, gross: -(12 * 970 - 400), fee: 0, net: -(12 * 970 - 400) },
    });
  });

  it('change nothing when they are fetched again from the start', async () => {
    const before = await settling.entries();
    await settling.harness.server.app.db.prisma.settlementSource.updateMany({
      data: { cursor: null, nextFetchAt: new Date(0) },
    });

    await settling.drain();

    expect(await settling.entries()).toEqual(before);
  });

  it('are summed up with the payment, and the payout is listed', async () => {
    const [refunded] = await settling.entries({ kind: ['REFUND'] });
    const { transaction, payouts } = await settling.harness.ask<{ transaction: unknown; payouts: unknown }>(
      `query ($id: ID!) {
        transaction(id: $id) { settlement { totals { currency gross fee net } entries { kind gross } } }
        payouts { nodes { amount fee currency paymentService { id } paymentServicePayoutId } } }`,
      { id: refunded?.transaction?.id },
    );
    expect(transaction).toEqual({
      settlement: {
        totals: [{ currency: 'USD', gross: 600, fee: 30, net: 570 }],
        entries: [
          { kind: 'REFUND', gross: -400 },
          { kind: 'CHARGE', gross: 1000 },
        ],
      },
    });
    expect(payouts).toEqual({
      nodes: [
        {
          ...{ amount: 11_240, fee: 0, currency: 'USD', paymentService: { id: settling.service } },
          paymentServicePayoutId: refunded?.['paymentServicePayoutId'],
        },
      ],
    });
  });

  it('have an event for the payout alone', async () => {
    const names = await settling.harness.eventNames();
    expect(names.filter((name) => /^(payout|settlement)\./.test(name))).toEqual(['payout.created']);
  });
});

describe('a page', () => {
  it.each(['settlements.fetched', 'settlements.recorded'])(
    'is stored once although its process dies at %s',
    async (point) => {
      const { harness } = settling;
      await harness.captured(1500);
      await harness.pass(DAY_MS + 2 * 3_600_000);
      const before = await count();
      const remove = setFailpoint(point, () => {
        throw new Error('The process died');
      });
      await fetchDueSettlements(harness.server.app);
      remove();
      const between = await count();

      await harness.pass(60_000);
      await settling.drain();

      expect(between - before).toBe(point === 'settlements.fetched' ? 0 : 2);
      expect((await count()) - before).toBe(2);
    },
  );

  it('is stored once by two processes that fetch the same at once', async () => {
    const { harness } = settling;
    const { app } = harness.server;
    await harness.captured(1600);
    await harness.pass(DAY_MS + 2 * 3_600_000);
    const before = await count();
    const release = Promise.withResolvers<null>();
    const remove = setFailpoint('settlements.fetched', async () => void (await release.promise));
    const first = fetchDueSettlements(app);
    await untilCalls(calls().length + 1);
    // The lease of the first process is over while its answer is on the way.
    await app.db.prisma.settlementSource.updateMany({ data: { nextFetchAt: new Date(0) } });
    const second = fetchDueSettlements(app);
    await untilCalls(calls().length + 1);
    release.resolve(null);
    await Promise.all([first, second]);
    remove();

    expect((await count()) - before).toBe(2);
    expect(await settling.differences()).toEqual([]);
  });

  it.each([
    ['of nonsense', { result: 'perhaps' }],
    ['without a readable entry', pageOnWire([entryOnWire({ net: 1 }), entryOnWire({ gross: 'a' })], 'c')],
    ['that leads to itself', 'same place'],
  ] as const)('%s is not stored, shown as a failure, and fetched again', async (_, answer) => {
    const { harness, service } = settling;
    const { prisma } = harness.server.app.db;
    await harness.pass(DAY_MS);
    const source = await prisma.settlementSource.findFirstOrThrow({ where: { paymentServiceId: service } });
    const given = answer === 'same place' ? pageOnWire([], source.cursor ?? '', true) : answer;
    harness.provider.settlements.answerNext(given);
    const before = await count();

    await fetchDueSettlements(harness.server.app);

    expect(await count()).toBe(before);
    const after = await prisma.settlementSource.findFirstOrThrow({ where: { paymentServiceId: service } });
    expect([after.cursor, after.failures]).toEqual([source.cursor, 1]);
    expect(await settling.reporting()).toMatchObject({ failure: 'UNREADABLE', failureReason: null });
    await harness.pass(60_000);
    await settling.drain();
    expect(await settling.reporting()).toMatchObject({ failure: null, failedAt: null });
  });

  it("that the provider refuses shows the provider's words", async () => {
    const { harness } = settling;
    await harness.pass(DAY_MS);
    harness.provider.settlements.answerNext({ result: 'refused', message: 'The key lacks a right.' });

    await fetchDueSettlements(harness.server.app);

    const shown = await settling.reporting();
    expect(shown).toMatchObject({ failure: 'REFUSED', failureReason: 'The key lacks a right.' });
    expect(Date.parse(shown?.nextFetchAt ?? '') - Date.parse(shown?.failedAt ?? '')).toBe(30_000);
    await harness.pass(60_000);
    await settling.drain();
  });

  it('that repeats an entry with other facts is logged, and the first report stands', async () => {
    const { harness } = settling;
    await harness.pass(DAY_MS);
    const source = await harness.server.app.db.prisma.settlementSource.findFirstOrThrow({
      where: { paymentServiceId: settling.service },
    });
    const fee = { id: 'fee_1', type: 'fee', gross: 0, fee: 250, net: -250 };
    harness.provider.settlements.answerNext(
      pageOnWire([entryOnWire(fee), entryOnWire(fee)], 'fees', true),
      pageOnWire([entryOnWire({ ...fee, fee: 260, net: -260 })], source.cursor ?? ''),
    );

    await settling.drain();

    expect((await settling.entries({ kind: ['FEE'] })).map(({ net }) => net)).toEqual([-250]);
    expect(harness.server.logs()).toContain('The provider repeated a settlement with other facts.');
  });
});

describe('an entry that is paid out later', () => {
  it('has the payout that a repeat names, and keeps the first', async () => {
    const { harness } = settling;
    await harness.pass(DAY_MS);
    const source = await harness.server.app.db.prisma.settlementSource.findFirstOrThrow({
      where: { paymentServiceId: settling.service },
    });
    const fee = { id: 'fee_2', type: 'fee', gross: 0, fee: 90, net: -90 };
    harness.provider.settlements.answerNext(
      pageOnWire([entryOnWire(fee)], 'unpaid', true),
      pageOnWire([entryOnWire({ ...fee, payout: 'po_later' })], 'paid', true),
      pageOnWire([entryOnWire({ ...fee, payout: 'po_other' })], source.cursor ?? ''),
    );

    await settling.drain();

    const paid = await settling.entries({ paymentServicePayoutId: 'po_later' });
    expect(paid.map(({ net }) => net)).toEqual([-90]);
  });
});

describe('a silent provider', () => {
  it('delays no other payment service', async () => {
    const { harness } = settling;
    await harness.create({ amount: 700, currency: 'CHF', intent: 'CAPTURE' });
    await harness.pass(DAY_MS + 2 * 3_600_000);
    harness.provider.failNext('hang');
    const round = fetchDueSettlements(harness.server.app);

    await until(async () => (await settling.entries({ currency: ['CHF'] })).length === 2);

    harness.provider.release();
    await round;
    await settling.drain();
  });
});

describe('the worker', () => {
  it('fetches page after page of one payment service while another is silent', async () => {
    const { harness } = settling;
    const before = (await settling.entries({ currency: ['CHF'] })).length;
    for (let sale = 0; sale < 12; sale += 1)
      await harness.create({ amount: 700, currency: 'CHF', intent: 'CAPTURE' });
    await harness.pass(DAY_MS + 2 * 3_600_000);
    harness.provider.failNext('hang');
    const asked = other.settlements.calls.length;
    const worker = startSettlementFetcher(harness.server.app);

    await until(async () => (await settling.entries({ currency: ['CHF'] })).length === before + 13);

    expect(other.settlements.calls.length - asked).toBeGreaterThanOrEqual(2);
    harness.provider.release();
    await worker.stop();
    await settling.drain();
  });
});

describe('settlementReportingEnabled', () => {
  it('false stops the fetches, and true continues from where they were', async () => {
    const { harness, setReporting, nextDay } = settling;
    await harness.captured(1700);
    await setReporting(false);
    const before = [calls().length, await count()];
    await nextDay();
    expect([calls().length, await count()]).toEqual(before);

    await setReporting(true);
    await settling.drain();

    expect((await count()) - (before[1] ?? 0)).toBe(2);
  });

  it('is refused for a definition without settlements', async () => {
    const { createPaymentService: refused } = await settling.harness.ask<{ createPaymentService: unknown }>(
      `mutation { createPaymentService(input: { displayName: "Card", paymentServiceDefinitionId: "mock-card",
        fields: [{ key: "merchant_id", value: "test" }], acceptedCurrencies: ["NOK"], acceptedCountries: ["US"],
        settlementReportingEnabled: true }) { paymentService { id } userErrors { path message } } }`,
    );
    expect(refused).toEqual({
      paymentService: null,
      userErrors: [
        {
          path: ['input', 'settlementReportingEnabled'],
          message: 'The definition has no settlement reports.',
        },
      ],
    });
  });
});

const untilCalls = (wanted: number) => until(async () => calls().length >= wanted);
