import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { providerKeysOf } from '../../src/modules/idempotency/index.ts';
import { startHarness, type Harness } from './harness.ts';

const DAY_MS = 86_400_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const lastKey = (): string => harness.provider.calls.at(-1)?.idempotency_key ?? '';

const operationsOf = (transactionId: string | undefined) =>
  harness.server.app.db.prisma.operation.findMany({
    where: { transactionId: transactionId ?? '' },
    orderBy: { createdAt: 'asc' },
  });

describe('the key of an operation at its provider', () => {
  it('is the id of the operation without an idempotency key', async () => {
    const { transaction } = await harness.create();
    const [operation] = await operationsOf(transaction?.id);
    expect([lastKey(), operation?.providerKey]).toEqual([operation?.id, null]);
  });

  it('follows from the idempotency key, and does not show it', async () => {
    const { transaction } = await harness.create({}, 'order 1');
    const created = lastKey();
    await harness.capture(transaction?.id ?? '', {}, 'order 1');
    const captured = lastKey();
    const stored = await operationsOf(transaction?.id);
    expect(stored.map(({ providerKey }) => providerKey)).toEqual([created, captured]);
    expect(created).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(captured).not.toBe(created);
    expect(created).not.toContain('order');
  });

  it('differs between merchant accounts', async () => {
    await harness.create({}, 'order of two');
    const own = lastKey();
    const { vault } = harness.server.app;
    const other = await harness.server.createMerchantAccount();
    const use = { mutation: 'createTransaction', key: 'order of two', part: '' };
    const [ours, theirs] = await Promise.all(
      [harness.server.merchantAccountId, other.id].map((merchantAccountId) =>
        providerKeysOf({ vault }, { ...use, merchantAccountId }),
      ),
    );
    expect(new Set([own, ...(ours ?? []), ...(theirs ?? [])]).size).toBe(9);
  });

  it('is another one when an expired idempotency key serves a new request', async () => {
    const effects = harness.provider.books.size;
    const keys: string[] = [];
    for (let use = 0; use < 5; use += 1) {
      const { transaction, replayed } = await harness.create({}, 'used again');
      expect([transaction?.status, replayed]).toEqual(['AUTHORIZATION_SUCCEEDED', false]);
      keys.push(lastKey());
      await harness.pass(31 * DAY_MS);
    }
    expect(new Set(keys).size).toBe(5);
    expect(harness.provider.books.size).toBe(effects + 5);
  });
});
