import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { until } from '../support/until.ts';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';

let play: TakeBacks;

beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());

const REFUNDS = `query ($id: ID!) { transaction(id: $id) {
  refunds { id amount status captures { amount capture { id amount reversedAmount } } } } }`;

type Refund = {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly captures: readonly {
    readonly amount: number;
    readonly capture: { readonly id: string; readonly amount: number } | null;
  }[];
};

/** Reads the refunds of a payment, oldest first. */
async function refundsOf(id: string): Promise<readonly Refund[]> {
  type Found = { readonly transaction: { readonly refunds: readonly Refund[] } };
  return (await play.harness.ask<Found>(REFUNDS, { id })).transaction.refunds.toReversed();
}

/** The parts of a refund, as the amount of each capture with the part of it. */
const partsOf = ({ captures }: Refund) => captures.map(({ amount, capture }) => [capture?.amount, amount]);

/** Creates a payment of 1000 with captures of these amounts. */
async function captured(...amounts: readonly number[]): Promise<string> {
  const id = await play.pay();
  for (const amount of amounts) await play.harness.capture(id, { amount, final: false });
  return id;
}

describe('a refund', () => {
  it('is of the oldest captures first, and names their keys and references', async () => {
    const id = await captured(300, 301, 302);

    await play.harness.refund(id, { amount: 400 });
    await play.harness.refund(id, { amount: 400 });

    expect((await refundsOf(id)).map(partsOf)).toEqual([
      [
        [300, 300],
        [301, 100],
      ],
      [
        [301, 201],
        [302, 199],
      ],
    ]);
    const captures = play.harness.provider.calls.slice(-5, -2);
    const named = (index: number, amount: number) => {
      const key = captures[index]?.idempotency_key ?? '';
      const capture_id = play.harness.provider.books.get(key)?.id;
      return { idempotency_key: key, capture_id, amount };
    };
    expect(play.harness.provider.calls.slice(-2).map((call) => call.captures)).toEqual([
      [named(0, 300), named(1, 100)],
      [named(1, 201), named(2, 199)],
    ]);
  });

  it('of a sale is of its authorisation', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });

    await play.harness.refund(id, { amount: 400 });

    expect((await refundsOf(id)).map(({ captures }) => captures)).toEqual([[{ amount: 400, capture: null }]]);
    const { key, providerReference } = await play.operation(id, 'authorize');
    expect(play.harness.provider.calls.at(-1)?.captures).toEqual([
      { idempotency_key: key, capture_id: providerReference, amount: 400 },
    ]);
  });

  it('that more than fits leaves nothing behind', async () => {
    const id = await captured(300, 301);
    await play.harness.refund(id, { amount: 400 });
    const calls = play.harness.provider.calls.length;

    const { userErrors } = await play.harness.refund(id, { amount: 202 });

    expect(userErrors).toMatchObject([{ code: 'REFUND_TOO_LARGE' }]);
    expect([await refundsOf(id), play.harness.provider.calls.length]).toMatchObject([{ length: 1 }, calls]);
  });

  it.each([
    ['of less', [{ amount: 399 }]],
    ['of more', [{ amount: 401 }]],
    ['with an empty part', [{ amount: 400 }, { amount: 0 }]],
    ['of none', []],
  ])('cannot be stored with captures %s', async (_, refundCaptures) => {
    const id = await captured(1000);
    await play.harness.refund(id, { amount: 400 });
    const { id: refund } = await play.operation(id, 'refund');

    const changed = play.harness.server.app.db.prisma.operation.updateMany({
      where: { id: refund },
      data: { refundCaptures },
    });

    await expect(changed).rejects.toThrow('operation_refund_captures_check');
  });

  it('takes the captures that a refused refund left', async () => {
    const id = await play.pay({ amount: 2_000_000 });
    for (const amount of [520_002, 520_003]) await play.harness.capture(id, { amount, final: false });

    await play.harness.refund(id, { amount: 520_002 });
    await play.harness.refund(id, { amount: 520_001 });
    await play.harness.refund(id, { amount: 520_004 });
    await play.harness.refund(id, { amount: 520_010 });

    expect((await refundsOf(id)).map((refund) => [refund.status, partsOf(refund)])).toEqual([
      ['DECLINED', [[520_002, 520_002]]],
      ['FAILED', [[520_002, 520_001]]],
      [
        'FAILED',
        [
          [520_002, 520_002],
          [520_003, 2],
        ],
      ],
      [
        'SUCCEEDED',
        [
          [520_002, 520_002],
          [520_003, 8],
        ],
      ],
    ]);
  });

  it('that comes back in part frees its last captures first', async () => {
    const id = await captured(300, 301);
    await play.harness.refund(id, { amount: 500 });
    const { key } = await play.operation(id, 'refund');
    const reversed = { event: 'refund.reversed', idempotency_key: key, code: 'unavailable_payment_method' };
    await play.tell({ ...reversed, amount: 250, currency: 'EUR', reversal_reference: `rev ${key}` });

    await play.harness.refund(id, { amount: 351 });

    const [, second] = await refundsOf(id);
    expect(second && partsOf(second)).toEqual([
      [300, 50],
      [301, 301],
    ]);
  });

  it('leaves out the reversed part of a capture', async () => {
    const id = await captured(300, 301);
    const { prisma } = play.harness.server.app.db;
    const first = await prisma.operation.findFirstOrThrow({
      where: { transactionId: id, kind: 'capture' },
      orderBy: { id: 'asc' },
    });
    const reversed = { event: 'capture.reversed', idempotency_key: first.id, code: 'insufficient_funds' };
    await play.tell({ ...reversed, amount: 299, currency: 'EUR', reversal_reference: `rev ${first.id}` });

    await play.harness.refund(id, { amount: 3 });

    expect((await refundsOf(id)).map(partsOf)).toEqual([
      [
        [300, 1],
        [301, 2],
      ],
    ]);
  });

  it('waits for another refund, and takes the captures that the other left', async () => {
    const id = await captured(300, 301);
    const { prisma } = play.harness.server.app.db;
    const [refunds] = await prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM transaction WHERE id = ${id}::uuid FOR UPDATE`;
      const started = Promise.all([300, 301].map(() => play.harness.refund(id, { amount: 300 })));
      await until(async () => {
        const waiting = await prisma.$queryRaw<readonly unknown[]>`
          SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length >= 2;
      });
      return [started];
    });
    await refunds;

    expect((await refundsOf(id)).map(partsOf).flat().toSorted()).toEqual([
      [300, 300],
      [301, 300],
    ]);
  });

  it('is sent again with the same captures after a crash', async () => {
    const id = await captured(300, 301);
    const remove = setFailpoint('refund.called', () => {
      remove();
      throw new Error('The process died.');
    });
    await play.harness.refund(id, { amount: 400 }, `crash ${id}`).catch(() => null);
    await play.harness.capture(id, { amount: 100 });

    await play.harness.pass(120_000);
    while (await reconcileDue(play.harness.server.app));

    const { key } = await play.operation(id, 'refund');
    const sent = play.harness.provider.calls.filter((call) => call.idempotency_key === key);
    expect(sent.map((call) => [call.operation, call.captures])).toEqual([
      ['refund', sent[0]?.captures],
      ['refund', sent[0]?.captures],
    ]);
    const answer = await play.harness.refund(id, { amount: 400 }, `crash ${id}`);
    expect(answer).toMatchObject({ replayed: true, operation: { status: 'SUCCEEDED' } });
    expect((await refundsOf(id)).map(partsOf)).toEqual([
      [
        [300, 300],
        [301, 100],
      ],
    ]);
  });
});
