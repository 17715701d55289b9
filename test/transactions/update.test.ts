import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdAt } from '../support/hold.ts';
import { startHarness, type Harness, type Since } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

type Updated = {
  readonly transaction: { readonly [field: string]: unknown } | null;
  readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] }[];
};

const DOCUMENT = `mutation ($id: ID!, $input: UpdateTransactionInput!) {
  payload: updateTransaction(id: $id, input: $input) {
    transaction { externalIdentifier metadata status capturedAmount updatedAt }
    userErrors { code message path } } }`;

async function update(id: string, input: Readonly<Record<string, unknown>>): Promise<Updated> {
  const { payload } = await harness.ask<{ payload: Updated }>(DOCUMENT, { id, input });
  return payload;
}

async function madeWith(input: Readonly<Record<string, unknown>>): Promise<{ id: string; since: Since }> {
  const { transaction } = await harness.create(input);
  return { id: transaction?.id ?? '', since: await harness.since() };
}

/** The target of the latest event. */
async function lastTarget(): Promise<Readonly<Record<string, unknown>>> {
  const { payload } = await harness.server.app.db.prisma.event.findFirstOrThrow({
    orderBy: { position: 'desc' },
  });
  return (JSON.parse(payload) as { target: Readonly<Record<string, unknown>> }).target;
}

const historyOf = async (transactionId: string) =>
  (
    await harness.server.app.db.prisma.historyEntry.findMany({
      where: { transactionId, name: 'transaction-modified-event' },
      orderBy: { id: 'asc' },
    })
  ).map(({ context }) => context);

describe('updateTransaction', () => {
  it('changes the identifier and the metadata, and publishes the change', async () => {
    const { id, since } = await madeWith({ externalIdentifier: 'order-1', metadata: { cart: '1' } });

    const { transaction } = await update(id, {
      externalIdentifier: 'order-2',
      metadata: { lines: [1, { a: null }] },
    });

    const expected = { externalIdentifier: 'order-2', metadata: { lines: [1, { a: null }] } };
    expect(transaction).toMatchObject({ ...expected, status: 'AUTHORIZATION_SUCCEEDED' });
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual(['transaction.modified']);
    expect(await lastTarget()).toMatchObject({
      id,
      external_identifier: 'order-2',
      metadata: expected.metadata,
    });
    expect(await historyOf(id)).toEqual([{ fields: ['external_identifier', 'metadata'] }]);
  });

  it('keeps an absent field, and clears a field with null', async () => {
    const { id } = await madeWith({ externalIdentifier: 'order-1', metadata: { cart: '1' } });

    expect((await update(id, { metadata: null })).transaction).toMatchObject({
      externalIdentifier: 'order-1',
      metadata: null,
    });
    expect((await update(id, { externalIdentifier: null })).transaction).toMatchObject({
      externalIdentifier: null,
      metadata: null,
    });
  });

  it('publishes nothing when the values are equal', async () => {
    const { id, since } = await madeWith({ metadata: { b: 1, a: [true] } });
    const before = await harness.transaction(id);

    const { transaction } = await update(id, { metadata: { a: [true], b: 1 } });

    expect(transaction).toMatchObject({ metadata: before?.['metadata'] });
    expect(await since.eventNames()).toEqual([]);
    expect(await historyOf(id)).toEqual([]);
  });

  it('is found by its new identifier and not by the old one', async () => {
    const { id } = await madeWith({ externalIdentifier: 'before-1' });
    await update(id, { externalIdentifier: 'after-1' });

    const found = async (externalIdentifier: string) => {
      const document = `query ($filter: TransactionFilter) { transactions(filter: $filter) { nodes { id } } }`;
      const data = await harness.ask<{ transactions: { nodes: unknown[] } }>(document, {
        filter: { externalIdentifier },
      });
      return data.transactions.nodes;
    };
    expect(await found('after-1')).toEqual([{ id }]);
    expect(await found('before-1')).toEqual([]);
  });

  it.each([
    ['no field', {}, [], 'Must name a field to change.'],
    [
      'an empty identifier',
      { externalIdentifier: '' },
      ['externalIdentifier'],
      'Must be 1 to 200 characters.',
    ],
    ['metadata with a long name', { metadata: { ['x'.repeat(101)]: 1 } }, ['metadata'], expect.any(String)],
  ])('refuses %s and writes nothing', async (_, input, path, message) => {
    const { id, since } = await madeWith({ externalIdentifier: 'order-1' });

    const { transaction, userErrors } = await update(id, input);

    expect(transaction).toBeNull();
    expect(userErrors).toEqual([{ code: 'INVALID_INPUT', path: ['input', ...path], message }]);
    expect(await since.eventNames()).toEqual([]);
  });

  it("refuses another merchant account's payment as an unknown one", async () => {
    const { id, since } = await madeWith({ externalIdentifier: 'order-1' });
    const other = await harness.server.createMerchantAccount();

    const variables = { id, input: { externalIdentifier: 'stolen' } };
    const { body } = await harness.server.graphql<{ payload: Updated }>(DOCUMENT, variables, other);

    expect(body.data?.payload.userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect(await since.eventNames()).toEqual([]);
  });

  it('keeps a change that comes while a capture is under way, and the capture settles', async () => {
    const { id, since } = await madeWith({ externalIdentifier: 'order-1' });
    const held = holdAt('capture.called');
    const capture = harness.capture(id);
    await held.reached;

    const { transaction } = await update(id, { externalIdentifier: 'order-2' });
    held.go();

    expect(transaction).toMatchObject({ externalIdentifier: 'order-2', capturedAmount: 0 });
    expect((await capture).transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(await since.eventNames()).toEqual([
      'transaction.modified',
      'capture.succeeded',
      'transaction.captured',
    ]);
    expect(await lastTarget()).toMatchObject({ external_identifier: 'order-2', captured_amount: 1299 });
  });

  it('leaves the stored answer of a key as it was', async () => {
    const input = { externalIdentifier: 'order-1', metadata: { cart: '1' } };
    const first = await harness.create(input, 'kept');
    await update(first.transaction?.id ?? '', { metadata: { cart: '2' } });

    expect(await harness.create(input, 'kept')).toEqual({ ...first, replayed: true });
  });
});
