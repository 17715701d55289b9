import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settledOtherwise } from '../../src/connectors/sandbox/simulator/settlement-simulator.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { CARD } from '../transactions/harness.ts';
import {
  createSettlingService,
  DAY_MS,
  DIFFERENCE,
  entryOnWire,
  pageOnWire,
  startSettling,
  type Difference,
  type Settling,
  type Shown,
} from './harness.ts';

let settling: Settling;
/** The provider of payments in euros. */
let other: FakeProvider;

beforeAll(async () => {
  settling = await startSettling();
  other = await startFakeProvider();
  await createSettlingService(settling, 'EUR', other.url);
});
afterAll(async () => {
  await other.close();
  await settling.harness.stop();
});

/** Makes an id without digits. An id that looks like a card number would be shown as a digest. */
const newId = (): string => `st_${randomUUID().replaceAll(/\d/g, 'x')}`;

/** Fetches one page of entries, which the provider makes up, for the service of US dollars. */
async function settle(...entries: readonly object[]): Promise<readonly Shown[]> {
  const { harness, service } = settling;
  const { prisma } = harness.server.app.db;
  await settling.drain();
  const found = await prisma.settlementSource.findFirstOrThrow({ where: { paymentServiceId: service } });
  const given = entries.map((entry) => entryOnWire({ id: newId(), ...entry }));
  harness.provider.settlements.answerNext(pageOnWire(given, found.cursor ?? ''));
  await prisma.settlementSource.updateMany({
    where: { paymentServiceId: service },
    data: { nextFetchAt: harness.clock.now() },
  });
  await settling.drain();
  const ids = given.map(({ id }) => id);
  const shown = await settling.entries();
  return ids.flatMap((id) => shown.find((entry) => entry.paymentServiceSettlementId === id) ?? []);
}

const reasons = (entries: readonly Shown[]) => entries.map(({ difference }) => difference?.reason ?? null);

async function operationsOf(transactionId: string) {
  const { prisma } = settling.harness.server.app.db;
  return prisma.operation.findMany({ where: { transactionId }, orderBy: { id: 'asc' } });
}

type Named = { readonly id: string; readonly providerReference: string | null };

/** All names of an operation in an entry. */
const namesOf = (operation: Named | undefined): object => ({
  ...{ idempotency_key: operation?.id, reference: operation?.providerReference },
  payment_id: operation?.providerReference,
});

/** Makes a sale of another merchant account at the same provider, and returns its id. */
async function saleOf(token: string): Promise<string> {
  const { server, provider } = settling.harness;
  await server.graphql(
    `mutation ($fields: [FieldInput!]!) { createPaymentService(input: { displayName: "Theirs",
      paymentServiceDefinitionId: "mock-acquirer", fields: $fields, acceptedCurrencies: ["USD"],
      acceptedCountries: ["US"], settlementReportingEnabled: true }) { userErrors { message } } }`,
    {
      fields: [
        { key: 'merchant_id', value: 'theirs' },
        { key: 'api_url', value: provider.url },
      ],
    },
    { token },
  );
  const { body } = await server.graphql<{ createTransaction: { transaction: { id: string } | null } }>(
    `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) { transaction { id } } }`,
    { input: { amount: 1000, currency: 'USD', intent: 'CAPTURE', paymentMethod: { card: CARD } } },
    { token },
  );
  return body.data?.createTransaction.transaction?.id ?? '';
}

type Explained = {
  readonly difference: Difference | null;
  readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] }[];
};

const EXPLAIN = `mutation ($id: ID!, $reason: String!) {
  explained: explainSettlementDifference(id: $id, reason: $reason) {
    difference ${DIFFERENCE} userErrors { code path } } }`;

const explain = async (id: string, reason: string): Promise<Explained> =>
  (await settling.harness.ask<{ explained: Explained }>(EXPLAIN, { id, reason })).explained;

describe('the amounts that the sandbox settles in another way', () => {
  it('show each difference once, and a conversion as none', async () => {
    const { harness, nextDay, entries } = settling;
    const ids: Record<string, string> = {};
    for (const [name, amount] of Object.entries(settledOtherwise)) ids[name] = await harness.captured(amount);

    await nextDay();

    const found = await entries({ kind: ['CHARGE'] });
    const of = (name: string) => reasons(found.filter(({ transaction }) => transaction?.id === ids[name]));
    expect(of('other_amount')).toEqual(['OTHER_AMOUNT']);
    expect(of('other_currency')).toEqual(['OTHER_CURRENCY']);
    expect(of('twice').toSorted()).toEqual(['ALREADY_SETTLED', null]);
    expect(of('converted')).toEqual([null]);
    expect(reasons(found.filter(({ transaction }) => transaction === null))).toEqual(['NO_SUCH_OPERATION']);
    expect(found.find(({ transaction }) => transaction?.id === ids['converted'])).toMatchObject({
      ...{ gross: 625_504, currency: 'EUR', originalAmount: 695_005, originalCurrency: 'USD' },
      exchangeRate: '0.9',
    });
    expect((await settling.differences()).map(({ reason }) => reason).toSorted()).toEqual([
      ...['ALREADY_SETTLED', 'NO_SUCH_OPERATION', 'OTHER_AMOUNT', 'OTHER_CURRENCY'],
    ]);
    const names = await harness.eventNames();
    expect(names.filter((name) => name === 'settlement.difference-found')).toHaveLength(4);
  });
});

describe('an entry', () => {
  it('finds its capture by the authorisation, and the refund by its own reference', async () => {
    const { harness } = settling;
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 600, final: false });
    await harness.capture(id, { amount: 400 });
    await harness.refund(id, { amount: 400 });
    const [authorisation, first, second, refund] = await operationsOf(id);
    const payment = { payment_id: authorisation?.providerReference };

    const found = await settle(
      { ...payment, gross: 400, fee: 0, net: 400 },
      { reference: authorisation?.providerReference, gross: 600, fee: 0, net: 600 },
      { ...payment, type: 'refund', reference: refund?.providerReference, gross: -400, fee: 0, net: -400 },
      { ...payment, gross: 400, fee: 0, net: 400 },
    );

    expect(found.map(({ operationId }) => operationId)).toEqual([
      ...[second?.id, first?.id, refund?.id, second?.id],
    ]);
    expect(reasons(found)).toEqual([null, null, null, 'ALREADY_SETTLED']);
  });

  it("never matches another payment service's operation", async () => {
    const paid = await settling.harness.create({ amount: 1000, currency: 'EUR', intent: 'CAPTURE' });
    const [sale] = await operationsOf(paid.transaction?.id ?? '');
    expect(sale?.status).toBe('succeeded');

    const [entry] = await settle(namesOf(sale));

    expect([entry?.transaction, entry?.difference?.reason]).toEqual([null, 'NO_SUCH_OPERATION']);
  });

  it("never matches another merchant account's operation", async () => {
    const { server } = settling.harness;
    const stranger = await server.createMerchantAccount();
    const [sale] = await operationsOf(await saleOf(stranger.token));
    expect([sale?.status, sale?.merchantAccountId]).toEqual(['succeeded', stranger.id]);

    const [entry] = await settle(namesOf(sale));

    expect([entry?.transaction, entry?.difference?.reason]).toEqual([null, 'NO_SUCH_OPERATION']);
  });

  it('is not shown to another merchant account, which cannot explain it', async () => {
    const { server } = settling.harness;
    const stranger = await server.createMerchantAccount();
    const [entry] = await settle({ type: 'adjustment' });
    const { body } = await server.graphql(
      `query ($id: ID!) { settlement(id: $id) { id } settlements { nodes { id } } payouts { nodes { id } }
        settlementDifferences { nodes { id } } }`,
      { id: entry?.id },
      { token: stranger.token },
    );
    expect(body.data).toEqual({
      ...{ settlement: null, settlements: { nodes: [] }, payouts: { nodes: [] } },
      settlementDifferences: { nodes: [] },
    });
    const refused = await server.graphql<{ explained: Explained }>(
      EXPLAIN,
      { id: entry?.id, reason: 'Mine.' },
      { token: stranger.token },
    );
    expect(refused.body.data?.explained).toEqual({
      difference: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    });
  });

  it('of a fee or a payout is no difference, and an adjustment always is', async () => {
    const found = await settle(
      { type: 'fee', gross: 0, fee: 30, net: -30 },
      { type: 'payout', gross: -3_000_000_000, fee: 0, net: -3_000_000_000 },
      { type: 'payout_reversal', gross: 50, fee: 0, net: 50 },
      { type: 'adjustment', gross: 50, fee: 0, net: 50 },
    );
    expect(reasons(found)).toEqual([null, null, null, 'ADJUSTMENT']);
    expect(found[1]?.gross).toBe(-3_000_000_000);
    expect(found[3]?.difference?.nextMatchAt).toBeNull();
  });
});

describe('a difference', () => {
  it('ends by itself when its operation succeeds later', async () => {
    const { harness } = settling;
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    await harness.capture(id);
    const [authorisation, capture] = await operationsOf(id);
    const [early] = await settle({
      ...{ idempotency_key: capture?.id, payment_id: authorisation?.providerReference },
    });
    expect([early?.operationId, early?.difference?.reason]).toEqual([
      ...[capture?.id, 'OPERATION_NOT_SUCCEEDED'],
    ]);

    await harness.pass(60_000);
    await harness.sync(id);
    await harness.pass(5 * 60_000);
    await settling.drain();

    const after = (await settling.entries({ transactionId: id }))[0];
    expect([after?.operationId, after?.difference]).toEqual([capture?.id, null]);
    expect((await harness.eventNames()).slice(-1)).toEqual(['settlement.difference-resolved']);
  });

  it('is explained once with a reason, is found by it, and is matched no more', async () => {
    const { harness } = settling;
    const id = await harness.captured(1000);
    const [sale] = await operationsOf(id);
    const [entry] = await settle({ reference: sale?.providerReference, gross: 900, net: 870 });
    const difference = entry?.difference?.id ?? '';
    expect(entry?.difference?.nextMatchAt).not.toBeNull();
    const before = (await harness.eventNames()).length;

    const done = await explain(difference, 'The provider kept a deposit.');
    const again = await explain(difference, 'The provider kept a deposit.');

    expect(done).toEqual({
      difference: {
        ...{ id: difference, reason: 'OTHER_AMOUNT', explanation: 'The provider kept a deposit.' },
        ...{ explainedAt: expect.any(String), nextMatchAt: null },
      },
      userErrors: [],
    });
    expect(again).toEqual(done);
    expect((await harness.eventNames()).slice(before)).toEqual(['settlement.difference-explained']);
    expect((await settling.differences({ explained: true })).map((each) => each.id)).toEqual([difference]);
    const open = await settling.differences({ explained: false });
    expect(open.some((each) => each.id === difference)).toBe(false);
    const { auditLog } = await harness.ask<{ auditLog: { nodes: readonly object[] } }>(
      `{ auditLog(first: 1) { nodes { action actor { kind } target { type id } } } }`,
    );
    expect(auditLog.nodes).toEqual([
      expect.objectContaining({
        action: 'settlement.updated',
        target: { type: 'settlement', id: difference },
      }),
    ]);
  });

  it.each([
    ['an entry that fits', 'fits', 'Because.', { code: 'NOT_FOUND', path: ['id'] }],
    ['an unknown entry', randomUUID(), 'Because.', { code: 'NOT_FOUND', path: ['id'] }],
    ['no reason', 'adjusted', '', { code: 'INVALID_INPUT', path: ['reason'] }],
  ])('is not explained: %s', async (_, given, reason, error) => {
    const [fits] = await settling.entries({ kind: ['FEE'] });
    const [adjusted] = await settling.entries({ kind: ['ADJUSTMENT'] });
    const id = { fits: fits?.id, adjusted: adjusted?.id }[given] ?? given;

    expect(await explain(id, reason)).toEqual({ difference: null, userErrors: [error] });

    expect((await settling.entries({ kind: ['ADJUSTMENT'] }))[0]).toEqual(adjusted);
  });

  it('is listed by reason, currency, payment service and day', async () => {
    const { differences, service } = settling;
    const of = async (filter: object) => new Set((await differences(filter)).map(({ reason }) => reason));
    expect(await of({ reason: ['OTHER_AMOUNT'], paymentServiceId: [service] })).toEqual(
      new Set(['OTHER_AMOUNT']),
    );
    expect(await of({ currency: ['EUR'] })).toEqual(new Set(['OTHER_CURRENCY']));
    expect(await of({ settledOnGte: '2099-01-01' })).toEqual(new Set());
  });
});

describe('disputed money', () => {
  it('leaves and comes back with the dispute, each time once', async () => {
    const { harness, service } = settling;
    const { prisma } = harness.server.app.db;
    const id = await harness.captured(1000);
    const [sale] = await operationsOf(id);
    const now = harness.clock.now();
    await prisma.dispute.create({
      data: {
        ...{ merchantAccountId: harness.server.merchantAccountId, id: randomUUID(), transactionId: id },
        ...{ operationId: sale?.id ?? null, paymentServiceId: service, providerReference: 'dp_held' },
        ...{ stage: 'chargeback', status: 'needs_response', reason: 'fraudulent', amount: 1000 },
        ...{ currency: 'USD', reportedAt: now, createdAt: now, updatedAt: now },
      },
    });
    const out = { type: 'chargeback', dispute: 'dp_held', gross: -1000, fee: 1500, net: -2500 };
    const back = { type: 'chargeback_reversal', dispute: 'dp_held', gross: 1000, fee: 0, net: 1000 };

    const found = await settle(back, out, out, back, { ...out, dispute: 'dp_none' });

    expect(reasons(found)).toEqual([
      ...['OPERATION_NOT_SUCCEEDED', null, 'ALREADY_SETTLED', null, 'NO_SUCH_DISPUTE'],
    ]);
    expect(found[1]).toMatchObject({ transaction: { id }, operationId: sale?.id });
  });
});

describe('a list', () => {
  it('refuses a day that is none', async () => {
    await expect(settling.entries({ settledOnGte: '2026-02-30' })).rejects.toThrow('Must be a day');
    await settling.harness.pass(DAY_MS);
  });
});
