import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../transactions/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const REFUND = `mutation ($id: ID!, $key: String, $amount: Int) {
  refundTransaction(id: $id, input: { amount: $amount }, idempotencyKey: $key) {
    refund { id amount } replayed userErrors { code } } }`;

type Refunded = {
  readonly refundTransaction: {
    readonly refund: { readonly id: string; readonly amount: number } | null;
    readonly replayed: boolean;
    readonly userErrors: readonly { readonly code: string }[];
  };
};

const captured = async (): Promise<string> => {
  const id = await harness.authorized(1000);
  await harness.capture(id);
  return id;
};

const send = (document: string, variables: object, header?: string) =>
  harness.server.graphql<Refunded>(
    document,
    { ...variables },
    {
      headers: header === undefined ? {} : { 'idempotency-key': header },
    },
  );

const refunds = (id: string): Promise<number> =>
  harness.server.app.db.prisma.operation.count({ where: { transactionId: id, kind: 'refund' } });

describe('the header Idempotency-Key', () => {
  it('makes a mutation that moves money safe to repeat, like the argument', async () => {
    const id = await captured();

    const first = await send(REFUND, { id, amount: 300 }, 'refund-7');
    const again = await send(REFUND, { id, amount: 300 }, '"refund-7"');
    const byArgument = await send(REFUND, { id, amount: 300, key: 'refund-7' });
    const both = await send(REFUND, { id, amount: 300, key: 'refund-7' }, 'refund-7');
    const other = await send(REFUND, { id, amount: 301 }, 'refund-7');

    const refund = first.body.data?.refundTransaction.refund;
    expect(first.body.data?.refundTransaction).toMatchObject({ refund: { amount: 300 }, replayed: false });
    for (const { body } of [again, byArgument, both])
      expect(body.data?.refundTransaction).toEqual({ refund, replayed: true, userErrors: [] });
    expect(other.body.data?.refundTransaction.userErrors).toEqual([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(await refunds(id)).toBe(1);
  });

  it('without effect is an ordinary request: two requests without it are two refunds', async () => {
    const id = await captured();
    for (let round = 0; round < 2; round++) await send(REFUND, { id, amount: 300 });
    expect(await refunds(id)).toBe(2);
  });

  const SEVERAL = `mutation ($id: ID!) {
    a: refundTransaction(id: $id, input: { amount: 1 }, idempotencyKey: "a") { replayed }
    b: refundTransaction(id: $id, input: { amount: 1 }, idempotencyKey: "b") { replayed } }`;

  it.each([
    ['that differs from the argument', REFUND, { key: 'another', amount: 300 }],
    ['with several mutations', SEVERAL, {}],
    ['with a query', 'query ($id: ID!) { transaction(id: $id) { id } }', {}],
    [
      'with a mutation that moves no money',
      'mutation ($id: ID!) { syncTransaction(id: $id) { userErrors { code } } }',
      {},
    ],
  ])('%s is refused, and nothing is done', async (_what, document, variables) => {
    const id = await captured();
    // Frequent documents run compiled, and are refused alike.
    for (let round = 0; round < 3; round++) {
      const { body } = await send(document, { id, ...variables }, 'one');
      expect(body.data).toBeUndefined();
      expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['IDEMPOTENCY_KEY_HEADER']);
    }
    expect(await refunds(id)).toBe(0);
  });

  it.each(['', 'k'.repeat(256)])('with a key that is none is refused like the argument (%#)', async (key) => {
    const id = await captured();
    const { body } = await send(REFUND, { id, amount: 300 }, key);
    expect(body.data?.refundTransaction.userErrors).toEqual([{ code: 'INVALID_INPUT' }]);
    expect(await refunds(id)).toBe(0);
  });
});
