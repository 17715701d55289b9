import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { query } from '../support/database.ts';
import { startHarness, type Harness, type Since } from './harness.ts';

let harness: Harness;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await allow({});
  since = await harness.since();
});

type Limits = { readonly amount?: number; readonly percentage?: number };

/** Sets the over-capture limits of the merchant account. A missing limit forbids over-captures. */
async function allow({ amount, percentage }: Limits): Promise<void> {
  const { updateMerchantAccount: payload } = await harness.ask<{
    updateMerchantAccount: { userErrors: unknown[] };
  }>(
    `mutation ($id: ID!, $input: UpdateMerchantAccountInput!) {
      updateMerchantAccount(id: $id, input: $input) { userErrors { message } } }`,
    {
      id: harness.server.merchantAccountId,
      input: { overCaptureAmount: amount ?? null, overCapturePercentage: percentage ?? null },
    },
  );
  expect(payload.userErrors).toEqual([]);
}

async function amountsOf(id: string): Promise<readonly unknown[]> {
  const found = await harness.transaction(id);
  return [found?.status, found?.capturedAmount, found?.capturable.amount, found?.refundable.amount];
}

describe('without a limit of the merchant account', () => {
  it('no capture exceeds the authorised amount', async () => {
    const id = await harness.authorized(1000);
    const before = await harness.transaction(id);

    const payload = await harness.capture(id, { amount: 1001 });

    expect(payload).toMatchObject({
      operation: null,
      transaction: null,
      userErrors: [
        {
          code: 'CAPTURE_TOO_LARGE',
          path: ['input', 'amount'],
          capturable: { amount: 1000, currency: 'USD' },
        },
      ],
    });
    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual(['transaction.authorized']);
    expect(await harness.transaction(id)).toEqual(before);
  });
});

describe('a capture above the authorised amount', () => {
  it.each<[string, Limits, number, number]>([
    ['so many minor units', { amount: 150 }, 1000, 1150],
    ['so much per cent', { percentage: 10 }, 1000, 1100],
    ['whole minor units of a percentage, rounded down', { percentage: 10 }, 999, 1098],
    ['no minor unit, when the percentage is of less', { percentage: 10 }, 9, 9],
    ['the amount, where it is more than the percentage', { amount: 50, percentage: 10 }, 100, 150],
    ['the percentage, where it is more than the amount', { amount: 50, percentage: 10 }, 1000, 1100],
    ['twice as much at 100 per cent', { percentage: 100 }, 1000, 2000],
    ['nothing at limits of zero', { amount: 0, percentage: 0 }, 1000, 1000],
  ])('%s, and no more', async (what, limits, authorized, most) => {
    await allow(limits);
    const id = await harness.authorized(authorized);

    const refused = await harness.capture(id, { amount: most + 1 }, what);
    expect(refused.userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: most, currency: 'USD' } },
    ]);
    expect(since.calls()).toEqual(['authorize']);

    const payload = await harness.capture(id, { amount: most }, what);
    expect(payload).toMatchObject({
      operation: { amount: most, status: 'SUCCEEDED' },
      transaction: { authorizedAmount: authorized, capturedAmount: most, capturable: { amount: 0 } },
    });
    expect(harness.provider.calls.at(-1)).toMatchObject({ operation: 'capture', amount: most });
    expect((await harness.ledger()).at(-1)).toEqual({ kind: 'capture', amount: most });
  });

  it('happens only on request: without an amount, a capture takes the authorised rest', async () => {
    await allow({ amount: 150 });
    const id = await harness.authorized(1000);
    expect(await amountsOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 0, 1000, 0]);

    expect((await harness.capture(id)).operation?.amount).toBe(1000);
  });

  it('counts over all captures together, and all captured money is refundable', async () => {
    await allow({ amount: 150 });
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 1050, final: false });
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1050, 0, 1050]);

    expect((await harness.capture(id, { amount: 101, final: false })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 100 } },
    ]);
    expect((await harness.capture(id, { final: false })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 100 } },
    ]);
    await harness.capture(id, { amount: 100, final: false });
    expect((await harness.capture(id, { amount: 1 })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 0 } },
    ]);

    expect((await harness.refund(id)).operation).toMatchObject({ amount: 1150, status: 'SUCCEEDED' });
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture', 'refund']);
  });

  it('reaches 99 999 999 and no more', async () => {
    await allow({ amount: 99_999_999, percentage: 100 });
    const id = await harness.authorized(60_000_000);

    expect((await harness.capture(id, { amount: 100_000_000 })).userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'amount'] },
    ]);
    await harness.capture(id, { amount: 1, final: false });
    expect((await harness.capture(id, { amount: 99_999_999 })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 99_999_998 } },
    ]);
    await harness.capture(id, { amount: 99_999_998 });

    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 99_999_999, 0, 99_999_999]);
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
  });

  it('needs an authorised amount', async () => {
    await allow({ amount: 150 });
    const verified = await harness.authorized(0);

    expect((await harness.capture(verified, { amount: 1 })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 0 } },
    ]);
    expect(since.calls()).toEqual(['authorize']);
  });

  it('is refused for a sale that the provider has not decided', async () => {
    await allow({ amount: 150 });
    const id = await harness.captured(600_001);

    expect((await harness.capture(id, { amount: 1 })).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_PENDING' },
    ]);
    expect(since.calls()).toEqual(['authorize']);
    await harness.sync(id);
  });
});

describe('a limit that is changed later', () => {
  it('applies from then on to payments without an over-capture', async () => {
    const id = await harness.authorized(1000);
    await allow({ amount: 150 });
    expect((await harness.capture(id, { amount: 1151 })).userErrors).toMatchObject([
      { capturable: { amount: 1150 } },
    ]);
    await allow({ amount: 20 });

    expect((await harness.capture(id, { amount: 1021 })).userErrors).toMatchObject([
      { capturable: { amount: 1020 } },
    ]);
    expect((await harness.capture(id, { amount: 1020 })).operation?.status).toBe('SUCCEEDED');
  });

  it('keeps the allowance of a payment with an earlier over-capture', async () => {
    await allow({ amount: 150 });
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 1100, final: false });
    await allow({});

    expect((await harness.capture(id, { amount: 51, final: false })).userErrors).toMatchObject([
      { capturable: { amount: 50 } },
    ]);
    await allow({ percentage: 20 });
    expect((await harness.capture(id, { amount: 100, final: false })).operation?.status).toBe('SUCCEEDED');

    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1200, 0, 1200]);
  });
});

describe('a capture above the authorised amount', () => {
  let removeFailpoint: () => void = () => undefined;
  afterEach(() => removeFailpoint());

  it('frees its amount when the provider declines', async () => {
    await allow({ amount: 10_000 });
    const id = await harness.authorized(499_000);

    const payload = await harness.capture(id, { amount: 500_002 });

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'refused_transaction' },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 499_000 } },
    });
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.declined',
      'transaction.capture-failed',
    ]);
  });

  it('is settled under the same key after an unknown outcome, whatever the limit is then', async () => {
    await allow({ amount: 150 });
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    const payload = await harness.capture(id, { amount: 1150 }, 'unknown');
    expect(payload).toMatchObject({ operation: { status: 'PENDING' }, transaction: { capturedAmount: 0 } });
    await allow({});

    await reconcileLater();

    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1150, 0, 1150]);
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
    expect(await harness.capture(id, { amount: 1150 }, 'unknown')).toMatchObject({
      replayed: true,
      operation: { id: payload.operation?.id, amount: 1150, status: 'SUCCEEDED' },
    });
    expect(since.calls()).toHaveLength(3);
  });

  it.each(['capture.claimed', 'capture.called', 'capture.settling', 'capture.settled'])(
    'moves the money once when its process dies at %s',
    async (point) => {
      await allow({ amount: 150 });
      const id = await harness.authorized(1000);
      removeFailpoint = setFailpoint(point, () => {
        throw new Error('The process died.');
      });
      await expect(harness.capture(id, { amount: 1100 }, point)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      removeFailpoint();

      await reconcileLater();

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1100, 0, 1100]);
    },
  );

  it('lets exactly as many of twenty through as fit', async () => {
    await allow({ percentage: 20 });
    const id = await harness.authorized(100);

    const payloads = await Promise.all(
      Array.from({ length: 20 }, () => harness.capture(id, { amount: 30, final: false })),
    );

    expect(payloads.filter(({ operation }) => operation?.status === 'SUCCEEDED')).toHaveLength(4);
    expect(payloads.filter(({ userErrors }) => userErrors[0]?.code === 'CAPTURE_TOO_LARGE')).toHaveLength(16);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 120, 0, 120]);
    expect(since.calls().filter((operation) => operation === 'capture')).toHaveLength(4);
  });
});

describe('the database, independently of the code,', () => {
  const write = (id: string, columns: string): Promise<unknown> =>
    query(harness.server.app.config.DATABASE_URL ?? '', `UPDATE transaction SET ${columns} WHERE id = $1`, [
      id,
    ]).then(
      () => null,
      (error: unknown) => (error as { constraint?: string }).constraint,
    );

  it('refuses more than is authorised unless a claim had an allowance', async () => {
    await allow({ amount: 150 });
    const id = await harness.authorized(1000);

    expect(await write(id, 'capture_pending_amount = 1001')).toBe('transaction_captured_check');
    expect(await write(id, 'capture_pending_amount = 1000')).toBeNull();
    expect(await write(id, 'capture_pending_amount = 0, over_capture_allowance = -1')).toBe(
      'transaction_over_capture_check',
    );
    expect(await write(id, 'over_capture_allowance = 100000000')).toBe('transaction_over_capture_check');
  });

  it('refuses more than the allowance of the claim', async () => {
    await allow({ amount: 150 });
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 1050, final: false });

    expect(await write(id, 'captured_amount = 1151')).toBe('transaction_captured_check');
    expect(await write(id, 'capture_pending_amount = 101')).toBe('transaction_captured_check');
    expect(await write(id, 'over_capture_allowance = 49')).toBe('transaction_captured_check');
    expect(await write(id, 'captured_amount = 1150')).toBeNull();
  });
});

/** Advances beyond every lease, then reconciles. */
async function reconcileLater(): Promise<void> {
  await harness.pass(50_000);
  await reconcileDue(harness.server.app);
}
