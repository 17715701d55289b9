import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listLedgerEntries, reconcileDue } from '../../src/modules/transactions/index.ts';
import { openFraudHarness, type FraudHarness } from './fraud-harness.ts';
import { createService } from './harness.ts';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';

// The shares of payments after declines, reversals, reviews, and operations that were made at the provider.

let play: TakeBacks;
beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());

/** Nine tenths for a seller, and one tenth for the platform. */
const splitsOf = (amount: number) => [
  { kind: 'RECIPIENT', account: 'seller', amount: amount * 0.9 },
  { kind: 'PLATFORM_FEE', amount: amount * 0.1 },
];

const paid = (input: Readonly<Record<string, unknown>> = {}, amount = 1000): Promise<string> =>
  play.pay({ amount, splits: splitsOf(amount), ...input });

/** Returns the captured and the refunded part of each share. */
async function partsOf(id: string): Promise<readonly (readonly number[])[]> {
  const document = 'query ($id: ID!) { transaction(id: $id) { splits { capturedAmount refundedAmount } } }';
  const { transaction } = await play.harness.ask<{
    readonly transaction: {
      readonly splits: readonly { readonly capturedAmount: number; readonly refundedAmount: number }[];
    };
  }>(document, { id });
  return transaction.splits.map(({ capturedAmount, refundedAmount }) => [capturedAmount, refundedAmount]);
}

/** Returns the entries of the ledger with the amounts of their shares. */
async function entriesOf(
  id: string,
): Promise<readonly (readonly [string, number, readonly number[] | null])[]> {
  const page = { after: null, from: null, until: null, limit: 1000 };
  const account = { merchantAccountId: 'default' };
  const entries = await listLedgerEntries(play.harness.server.app, account, page);
  return entries.flatMap(({ transactionId, kind, amount, splits }) =>
    transactionId === id ? [[kind, amount, splits?.map((share) => share.amount) ?? null] as const] : [],
  );
}

/** Reports an operation without a key of ours. Returns the end state of the webhook. */
const made = async (id: string, event: string, amount: number): Promise<string> =>
  play.tell({
    ...{ event, amount, currency: 'EUR', payment_service_reference: randomUUID() },
    payment_service_transaction_id: (await play.operation(id, 'authorize')).providerReference ?? '',
  });

describe('the shares come back', () => {
  it('from a capture that the provider declines', async () => {
    const id = await paid({}, 1_000_000);

    const { operation } = await play.harness.capture(id, { amount: 500_002 });
    expect(operation).toMatchObject({ status: 'DECLINED' });
    expect(await partsOf(id)).toEqual([
      [0, 0],
      [0, 0],
    ]);

    expect((await play.harness.capture(id, { amount: 1_000_000 })).operation).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(await partsOf(id)).toEqual([
      [900_000, 0],
      [100_000, 0],
    ]);
  });

  it('from a refund that the provider declines', async () => {
    const id = await paid({ intent: 'CAPTURE' }, 1_000_000);

    const { operation } = await play.harness.refund(id, { amount: 520_002 });
    expect(operation).toMatchObject({ status: 'DECLINED' });
    expect((await play.harness.refund(id)).operation).toMatchObject({
      amount: 1_000_000,
      status: 'SUCCEEDED',
    });
    expect(await partsOf(id)).toEqual([
      [900_000, 900_000],
      [100_000, 100_000],
    ]);
  });

  it('with the reversals of a capture and of a refund, in the ledger too', async () => {
    const id = await paid();
    await play.harness.capture(id, { amount: 500, final: false });
    await play.harness.capture(id, { amount: 500 });
    await play.harness.refund(id, { amount: 700 });
    const { key } = await play.operation(id, 'refund');

    await play.tell({
      ...{ event: 'refund.reversed', idempotency_key: key, code: 'account_closed' },
      ...{ amount: 300, currency: 'EUR' },
    });
    expect(await partsOf(id)).toEqual([
      [900, 360],
      [100, 40],
    ]);

    await play.tell({
      ...{ event: 'capture.reversed', idempotency_key: (await play.operation(id, 'capture')).key },
      ...{ code: 'insufficient_funds', amount: 300, currency: 'EUR' },
    });
    const parts = await partsOf(id);
    expect(parts).toEqual([
      [630, 360],
      [70, 40],
    ]);
    const entries = await entriesOf(id);
    expect(entries).toContainEqual(['refund_reversal', 300, [270, 30]]);
    expect(entries).toContainEqual(['capture_reversal', 300, [270, 30]]);
    const SIGNS: Readonly<Record<string, number>> = {
      ...{ capture: 1, refund: -1, capture_reversal: -1, refund_reversal: 1 },
    };
    const kept = [0, 1].map((place) =>
      entries.reduce((sum, [kind, , amounts]) => sum + (SIGNS[kind] ?? 0) * (amounts?.[place] ?? 0), 0),
    );
    expect(kept).toEqual(parts.map(([captured = 0, refunded = 0]) => captured - refunded));
  });
});

describe('money that moved at the provider', () => {
  it('is shared out in proportion, and a refund of ours gives back the rest', async () => {
    const id = await paid();

    expect(await made(id, 'capture.succeeded', 500)).toBe('applied');
    play.harness.provider.hasCaptured((await play.operation(id, 'capture')).key, 500);
    expect(await partsOf(id)).toEqual([
      [450, 0],
      [50, 0],
    ]);
    expect(await made(id, 'refund.succeeded', 100)).toBe('applied');
    expect(await partsOf(id)).toEqual([
      [450, 90],
      [50, 10],
    ]);

    const { operation } = await play.harness.refund(id);
    expect(operation).toMatchObject({ amount: 400, status: 'SUCCEEDED' });
    expect(await partsOf(id)).toEqual([
      [450, 450],
      [50, 50],
    ]);
    expect(await entriesOf(id)).toEqual([
      ['authorize', 1000, null],
      ['capture', 500, [450, 50]],
      ['refund', 100, [90, 10]],
      ['refund', 400, [360, 40]],
    ]);
  });

  it('leaves the whole shares to a capture, after an increase', async () => {
    const id = await paid();
    expect(await made(id, 'increase.succeeded', 100)).toBe('applied');

    const { operation } = await play.harness.capture(id);
    expect(operation).toMatchObject({ amount: 1000, status: 'SUCCEEDED' });
    expect(await partsOf(id)).toEqual([
      [900, 0],
      [100, 0],
    ]);
  });
});

describe('with a review', () => {
  let fraud: FraudHarness;
  beforeAll(async () => {
    fraud = await openFraudHarness(play.harness);
  });
  afterAll(async () => {
    await fraud.set({ active: false });
    await fraud.close();
  });

  it.each([0, 100])(
    'an accepted payment captures the whole shares, after an increase of %d',
    async (more) => {
      const { id } = await fraud.pay('review', {
        ...{ amount: 1000, currency: 'EUR', country: 'DE', intent: 'CAPTURE', splits: splitsOf(1000) },
      });
      if (more > 0) expect(await made(id, 'increase.succeeded', more)).toBe('applied');

      const { operation, userErrors } = await fraud.resolve(id, { decision: 'ACCEPT' });

      expect([operation?.kind, operation?.status, userErrors]).toEqual(['CAPTURE', 'SUCCEEDED', []]);
      expect(await partsOf(id)).toEqual([
        [900, 0],
        [100, 0],
      ]);
    },
  );
});

it('a payment with shares does not continue at another service after a decline', async () => {
  const { server, provider } = play.harness;
  for (const definitionId of ['mock-acquirer', 'mock-card'])
    await createService(server, provider.url, { definitionId, currencies: ['GBP'], countries: ['GB'] });
  const amount = 200_012;
  const attemptsOf = async (input: object): Promise<number> => {
    const id = await play.pay({ amount, currency: 'GBP', country: 'GB', ...input });
    const document = 'query ($id: ID!) { transaction(id: $id) { attempts { status } } }';
    const { transaction } = await play.harness.ask<{
      readonly transaction: { readonly attempts: readonly object[] };
    }>(document, { id });
    return transaction.attempts.length;
  };
  const splits = [{ kind: 'RECIPIENT', account: 'seller', amount }];
  expect([await attemptsOf({}), await attemptsOf({ splits })]).toEqual([2, 1]);
});

it('a process of a version without shares can neither claim nor settle', async () => {
  const { prisma } = play.harness.server.app.db;
  const id = await paid();
  // Such a process writes the amounts of the payment, and leaves the shares.
  const claimed = prisma.$executeRaw`UPDATE transaction SET capture_pending_amount = 500 WHERE id = ${id}::uuid`;
  await expect(claimed).rejects.toThrow('transaction_splits_check');

  play.harness.provider.failNext('lose_answer');
  expect((await play.harness.capture(id, { amount: 500 })).operation).toMatchObject({ status: 'PENDING' });
  const settled = prisma.$executeRaw`
    UPDATE transaction SET capture_pending_amount = 0, captured_amount = 500 WHERE id = ${id}::uuid`;
  await expect(settled).rejects.toThrow('transaction_splits_check');
  await play.harness.pass(60_000);
  await reconcileDue(play.harness.server.app);
  expect(await partsOf(id)).toEqual([
    [450, 0],
    [50, 0],
  ]);
});
