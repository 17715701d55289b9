import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';

let play: TakeBacks;

beforeAll(async () => {
  play = await startTakeBacks({ settings: { PAYGRAPH_METRICS: 'true' } });
});
afterAll(() => play.harness.stop());

const LONG_AGO = '2020-01-01T00:00:00Z';

const FIELDS = `id finding source state operationKind paymentServiceReference adoptable reason endedAt
  reported { amount currency } transaction { id refundedAmount } operation { id }`;

type Difference = { readonly id: string } & Readonly<Record<string, unknown>>;

const EFFECT = 'adoption { booked { amount currency } capturable { amount } refundable { amount } }';

const listed = async (transactionId: string, filter: object = {}): Promise<readonly Difference[]> => {
  const { differences } = await play.harness.ask<{ differences: { nodes: readonly Difference[] } }>(
    `query ($filter: DifferenceFilter) { differences(filter: $filter) { nodes { ${FIELDS} ${EFFECT} } } }`,
    { filter: { ...filter, transactionId } },
  );
  return differences.nodes;
};

type Ended = { readonly difference: Difference | null; readonly userErrors: readonly unknown[] };

const adopt = async (id: string): Promise<Ended> =>
  (
    await play.harness.ask<{ ended: Ended }>(
      `mutation ($id: ID!) { ended: adoptDifference(id: $id) {
        difference { ${FIELDS} } userErrors { __typename code message path } } }`,
      { id },
    )
  ).ended;

const dismiss = async (id: string, reason = 'Agreed with the provider.'): Promise<Ended> =>
  (
    await play.harness.ask<{ ended: Ended }>(
      `mutation ($id: ID!, $reason: String!) { ended: dismissDifference(id: $id, reason: $reason) {
        difference { ${FIELDS} } userErrors { __typename code message path } } }`,
      { id, reason },
    )
  ).ended;

/** Reports an operation without a key of ours. */
const report = async (id: string, event: string, fields: Readonly<Record<string, unknown>>) =>
  play.tell({
    ...{ event, payment_service_reference: randomUUID(), currency: 'EUR' },
    payment_service_transaction_id: (await play.operation(id, 'authorize')).providerReference,
    ...fields,
  });

/** Creates a payment with a refund that the provider first declined, and then reports as a success. */
async function contradicted() {
  const id = await play.pay({ intent: 'CAPTURE' });
  const { operation } = await play.harness.refund(id, { amount: 400 });
  const { key } = await play.operation(id, 'refund');
  await play.harness.server.app.db.prisma.$executeRaw`
    UPDATE operation SET status = 'declined', provider_reference = NULL WHERE id = ${operation?.id}::uuid`;
  await play.harness.server.app.db.prisma.$executeRaw`
    UPDATE transaction SET refunded_amount = 0 WHERE id = ${id}::uuid`;
  const reference = randomUUID();
  await play.tell({
    ...{ event: 'refund.succeeded', idempotency_key: key, payment_service_reference: reference },
    ...{ amount: 400, currency: 'EUR' },
  });
  return { id, reference, operationId: operation?.id };
}

describe('a difference', () => {
  it('lists a report that contradicts the record', async () => {
    const { id, reference, operationId } = await contradicted();

    expect(await listed(id)).toEqual([
      {
        ...{ id: expect.any(String), finding: 'CONTRADICTS', source: 'NOTICE', state: 'OPEN' },
        ...{ operationKind: 'REFUND', paymentServiceReference: reference, adoptable: true, reason: null },
        ...{ endedAt: null, reported: { amount: 400, currency: 'EUR' } },
        ...{ transaction: { id, refundedAmount: 0 }, operation: { id: operationId } },
        adoption: {
          ...{ booked: { amount: 400, currency: 'EUR' }, capturable: { amount: 0 } },
          refundable: { amount: 600 },
        },
      },
    ]);
  });

  it('books the report when a person adopts it, once', async () => {
    const { id } = await contradicted();
    const [found] = await listed(id);

    const ends = [await adopt(found?.id ?? ''), await adopt(found?.id ?? '')];

    expect(ends.map(({ userErrors }) => userErrors)).toEqual([[], []]);
    expect(await listed(id)).toMatchObject([
      { state: 'ADOPTED', adoptable: false, transaction: { refundedAmount: 400 } },
    ]);
    expect(await play.ledger(id)).toContain('refund 400');
    const { auditLog } = await play.harness.ask<{ auditLog: { nodes: readonly { action: string }[] } }>(
      '{ auditLog(first: 20) { nodes { action actor { kind } } } }',
    );
    expect(auditLog.nodes).toContainEqual({ action: 'difference.updated', actor: { kind: 'API_KEY' } });
  });

  it('ends with a reason when a person dismisses it, and books nothing', async () => {
    const { id } = await contradicted();
    const [found] = await listed(id);

    await dismiss(found?.id ?? '');

    expect(await listed(id)).toMatchObject([
      { state: 'DISMISSED', reason: 'Agreed with the provider.', transaction: { refundedAmount: 0 } },
    ]);
    const refused = await adopt(found?.id ?? '');
    expect(refused.userErrors).toMatchObject([{ __typename: 'DifferenceNotOpen', path: ['id'] }]);
  });

  it('that cannot be booked is refused by an adoption, and stays open', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await report(id, 'refund.succeeded', { amount: 400, currency: 'USD' });
    const [found] = await listed(id);

    const { userErrors } = await adopt(found?.id ?? '');

    expect(userErrors).toMatchObject([{ __typename: 'DifferenceNotAdoptable', path: ['id'] }]);
    expect(await listed(id)).toMatchObject([
      {
        ...{ finding: 'OTHER_MONEY', state: 'OPEN', adoptable: false, adoption: null },
        transaction: { refundedAmount: 0 },
      },
    ]);
  });

  it('about an impossible sum is acknowledged by an adoption', async () => {
    const id = await play.pay();
    await report(id, 'capture.succeeded', { amount: 1200 });
    const [found] = await listed(id);
    expect(found).toMatchObject({
      ...{ finding: 'CAPTURED_EXCEEDS_AUTHORIZED', adoptable: true },
      adoption: { booked: null, capturable: { amount: 0 }, refundable: { amount: 1200 } },
    });

    const { difference } = await adopt(found?.id ?? '');

    expect(difference).toMatchObject({ state: 'ADOPTED' });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1200']);
  });

  it('of an unknown id is not found, and a reason is demanded', async () => {
    const { id } = await contradicted();
    const [found] = await listed(id);

    expect((await adopt(randomUUID())).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await dismiss(found?.id ?? '', '')).userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['reason'] },
    ]);
    expect(await listed(id)).toMatchObject([{ state: 'OPEN' }]);
  });

  it('has no effect to show once the payment allows no adoption', async () => {
    const { id } = await contradicted();
    await play.harness.server.app.db.prisma.$executeRaw`
      UPDATE transaction SET status = 'buyer_approval_pending' WHERE id = ${id}::uuid`;

    const [found] = await listed(id);

    expect(found).toMatchObject({ adoptable: true, adoption: null });
    expect((await adopt(String(found?.id))).userErrors).toMatchObject([
      { __typename: 'DifferenceNotAdoptable' },
    ]);
  });

  it.each([
    ['its source', { source: ['NOTICE'] }, { source: ['LOOK_UP', 'SETTLEMENT'] }],
    ['its kind', { operationKind: ['REFUND', 'VOID'] }, { operationKind: ['CAPTURE'] }],
    ['its age', { foundAtGte: LONG_AGO }, { foundAtLte: LONG_AGO }],
    ['its state', { state: ['OPEN'] }, { state: ['ADOPTED', 'DISMISSED'] }],
  ])('is found by %s', async (_, fitting, other) => {
    const { id } = await contradicted();

    expect(await listed(id, fitting)).toHaveLength(1);
    expect(await listed(id, other)).toEqual([]);
  });

  it('is counted in the metrics', async () => {
    await contradicted();

    const metrics = await (await fetch(`${play.harness.server.url}/metrics`)).text();

    expect(metrics).toMatch(/paygraph_differences_open\{finding="contradicts"\} [1-9]/);
    expect(metrics).toMatch(/paygraph_difference_age_seconds \d/);
  });
});
