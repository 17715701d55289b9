import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from './harness.ts';

// The search finds a payment by its words. A row version is written only for a word that changes.

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

/** Reads the words of a payment, with the database transaction that wrote each. */
const words = async (id: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await harness.server.app.db.prisma.$queryRaw<{ term: string; version: string }[]>`
    SELECT term, xmin::text AS version FROM transaction_term WHERE transaction_id = ${id}::uuid ORDER BY term`;
  return new Map(rows.map(({ term, version }) => [term, version]));
};

const paid = async (externalIdentifier: string): Promise<string> =>
  (await harness.create({ externalIdentifier })).transaction?.id ?? '';

const update = (id: string, input: object) =>
  harness.ask(
    `mutation ($id: ID!, $input: UpdateTransactionInput!) {
      updateTransaction(id: $id, input: $input) { userErrors { code } } }`,
    { id, input },
  );

describe('the words of a payment', () => {
  it('are written with the payment, and by no later operation', async () => {
    const id = await paid('order-17');
    const before = await words(id);

    await harness.capture(id, { amount: 400, final: false });
    await harness.refund(id, { amount: 100 });

    expect([...before.keys()]).toContain('text:order-17');
    expect(new Set(before.values()).size).toBe(1);
    expect(await words(id)).toEqual(before);
  });

  it('change one by one', async () => {
    const id = await paid('order-18');
    const before = await words(id);

    await update(id, { externalIdentifier: 'order-19' });

    const after = await words(id);
    const { 'text:order-18': _, 'text:18': __, ...kept } = Object.fromEntries(before);
    const { 'text:order-19': added, 'text:19': part, ...others } = Object.fromEntries(after);
    expect([added, part]).toEqual([expect.any(String), added]);
    expect(others).toEqual(kept);
  });
});
