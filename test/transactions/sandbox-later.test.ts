import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { storeLaterReports } from '../../src/modules/transactions/notices/later-reports.ts';
import type { FinalOutcome } from '../../src/modules/transactions/model/outcome.ts';
import { readOperation } from '../../src/modules/transactions/rows/read.sql.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createService, startHarness, type CreateInput, type Harness, type Since } from './harness.ts';
import { applyAfter } from './inbox.ts';
import type { ShiftedClock } from '../support/shifted-clock.ts';
import { historyOf } from './unresolved.ts';

const SECOND = 1_000;

/** The account from the table of the sandbox's page whose debits come back. */
const RETURNING = {
  ...{ scheme: 'ACH', accountNumber: '000999999991', routingNumber: '110000000', accountType: 'CHECKING' },
  accountHolder: { companyName: 'Analytical Engines' },
};

const SHOWN = `query ($id: ID!) { transaction(id: $id) {
  status errorCode capturedAmount captureReversedAmount refundedAmount refundReversedAmount disputeLostAmount
  disputes { stage status reasonCode amount } } }`;

let harness: Harness;
let since: Since;
/** Payment services at the built-in simulator, by definition. */
let services: Readonly<Record<'mock-bank' | 'mock-acquirer' | 'mockds-card', string>>;
let removeFailpoint = (): void => undefined;

beforeAll(async () => {
  harness = await startHarness('mock-card', { clock: standingClock() });
  const builtIn = (definitionId: string): Promise<string> =>
    createService(harness.server, null, { definitionId, webhookSecret: 'whs_of_the_test' });
  services = {
    'mock-bank': await builtIn('mock-bank'),
    'mock-acquirer': await builtIn('mock-acquirer'),
    'mockds-card': await builtIn('mockds-card'),
  };
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});
afterEach(() => removeFailpoint());

/** A clock that only a test moves, however slow the machine is. */
function standingClock(): ShiftedClock {
  let nowMs = Date.now();
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

async function paid(
  definitionId: keyof typeof services,
  amount: number,
  input: CreateInput = {},
): Promise<string> {
  const { transaction, userErrors } = await harness.create({
    ...{ amount, paymentServiceId: services[definitionId], intent: 'CAPTURE', country: 'US' },
    ...input,
  });
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return transaction.id;
}

const shown = async (id: string) => (await harness.ask<{ transaction: unknown }>(SHOWN, { id })).transaction;

const ledgerOf = async (transactionId: string) =>
  (
    await harness.server.app.db.prisma.ledgerEntry.findMany({
      where: { transactionId },
      orderBy: { id: 'asc' },
    })
  ).map(({ kind, amount }) => `${kind} ${amount}`);

const webhooks = () => harness.server.app.db.prisma.inboundWebhook.findMany({ orderBy: { id: 'asc' } });

it('returns a settled debit with the code of the scheme, once', async () => {
  const id = await paid('mock-bank', 1000, { paymentMethod: { bank: RETURNING } });
  await harness.pass(61 * SECOND);
  await reconcileDue(harness.server.app);
  await applyAfter(harness, 0);
  expect(await shown(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000 });

  await applyAfter(harness, 5 * SECOND);
  const booked = await ledgerOf(id);
  await harness.server.app.db.prisma.inboundWebhook.updateMany({
    where: { transactionId: id },
    data: { state: 'parked', nextAttemptAt: new Date(0) },
  });
  await applyAfter(harness, 0);

  expect(await shown(id)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 1000 });
  expect(booked).toEqual(['authorize 1000', 'capture 1000', 'capture_reversal 1000']);
  expect(await ledgerOf(id)).toEqual(booked);
  expect(await since.eventNames()).toEqual([
    ...['transaction.capture-pending', 'transaction.captured', 'transaction.capture-reversed'],
  ]);
  expect(await historyOf(harness, id)).toContainEqual(
    expect.objectContaining({
      name: 'payment-connector-transaction-webhook-processed',
      context: expect.objectContaining({ code: 'insufficient_funds', raw_response_code: 'R01' }),
    }),
  );
});

it('disputes a capture step by step, at intervals', async () => {
  const id = await paid('mock-acquirer', 1_000_000, { intent: 'AUTHORIZE' });
  await harness.capture(id, { amount: 690_005 });
  const dispute = { stage: 'CHARGEBACK', reasonCode: '13.1', amount: 690_005 };

  await applyAfter(harness, 4 * SECOND);
  expect(await shown(id)).toMatchObject({ disputes: [] });
  await applyAfter(harness, SECOND);
  expect(await shown(id)).toMatchObject({ disputes: [{ ...dispute, status: 'NEEDS_RESPONSE' }] });
  await applyAfter(harness, 5 * SECOND);
  expect(await shown(id)).toMatchObject({
    ...{ disputeLostAmount: 690_005, disputes: [{ ...dispute, status: 'LOST' }] },
  });

  expect((await since.eventNames()).slice(-2)).toEqual(['dispute.created', 'dispute.lost']);
});

it('takes captures and refunds back by their amounts, and lets an authorisation expire', async () => {
  const payment = await paid('mock-acquirer', 2_000_000, { intent: 'AUTHORIZE' });
  await harness.capture(payment, { amount: 660_002, final: false });
  await harness.capture(payment, { amount: 1_000_000 });
  await harness.refund(payment, { amount: 670_001 });
  const held = await paid('mock-acquirer', 680_001, { intent: 'AUTHORIZE' });
  const sale = await paid('mock-acquirer', 660_001);

  await applyAfter(harness, 5 * SECOND);

  expect(await shown(payment)).toMatchObject({
    ...{ capturedAmount: 1_660_001, captureReversedAmount: 1 },
    ...{ refundedAmount: 0, refundReversedAmount: 670_001 },
  });
  expect(await shown(held)).toMatchObject({
    ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization' },
  });
  expect(await shown(sale)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 660_001 });
});

it('sends the token that an answer left out, sealed until its time', async () => {
  const id = await paid('mockds-card', 650_001, { store: true });
  const { prisma } = harness.server.app.db;
  const { paymentMethodId } = await prisma.transaction.findFirstOrThrow({ where: { id } });
  const tokens = () => prisma.paymentMethodToken.count({ where: { paymentMethodId: paymentMethodId ?? '' } });
  expect([await tokens(), (await webhooks()).at(-1)?.sealedToken]).toEqual([0, expect.any(String)]);

  await applyAfter(harness, 5 * SECOND);

  expect(await tokens()).toBe(1);
  expect(JSON.stringify(await webhooks())).not.toContain('tok_');
});

it('keeps a report when the process dies before the success is written, and books it once', async () => {
  removeFailpoint = setFailpoint('authorize.settling', () => {
    throw new Error('killed');
  });
  const before = (await webhooks()).length;
  await expect(paid('mock-acquirer', 660_001)).rejects.toThrow();
  removeFailpoint();
  const [report] = (await webhooks()).slice(before);
  const { transactionId } = await harness.server.app.db.prisma.operation.findFirstOrThrow({
    where: { id: report?.operationId ?? '' },
  });

  await applyAfter(harness, 61 * SECOND);
  expect(await ledgerOf(transactionId)).toEqual([]);
  await reconcileDue(harness.server.app);
  await applyAfter(harness, 5 * SECOND);

  expect(await ledgerOf(transactionId)).toEqual([
    ...['authorize 660001', 'capture 660001', 'capture_reversal 660001'],
  ]);
  expect(await webhooks()).toHaveLength(before + 1);
});

it('stores nothing after any other success, nor for a provider elsewhere', async () => {
  const before = (await webhooks()).length;

  await paid('mock-acquirer', 1000);
  await harness.captured(660_001);

  expect(await webhooks()).toHaveLength(before);
});

it('stores nothing in production', async () => {
  const { app } = harness.server;
  const id = await paid('mock-acquirer', 690_003);
  const { merchantAccountId, ...row } = await app.db.prisma.operation.findFirstOrThrow({
    where: { transactionId: id },
  });
  const operated = await readOperation(app.db, merchantAccountId, row.id);
  if (!operated) throw new Error('The operation is gone');
  await app.db.prisma.inboundWebhook.deleteMany({ where: { operationId: row.id } });
  const stored = (await webhooks()).length;
  const outcome: FinalOutcome = {
    kind: 'succeeded',
    reference: row.providerReference ?? '',
    money: { amount: 690_003, currency: 'USD' },
    rawResponseCode: null,
    rawResponseDescription: null,
  };

  await storeLaterReports({ ...app, config: { ...app.config, production: true } }, operated, outcome);
  expect(await webhooks()).toHaveLength(stored);
  await storeLaterReports(app, operated, outcome);
  expect(await webhooks()).toHaveLength(stored + 1);
});
