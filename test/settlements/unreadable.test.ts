import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, entryOnWire, pageOnWire, startSettling, type Settling } from './harness.ts';

let settling: Settling;

beforeAll(async () => {
  settling = await startSettling();
});
afterAll(() => settling.harness.stop());

/** Lets the provider answer with pages of entries, and fetches them all. */
async function fetchPages(...pages: readonly (readonly object[])[]): Promise<void> {
  const { harness, service, drain } = settling;
  await drain();
  await harness.pass(DAY_MS);
  const { prisma } = harness.server.app.db;
  const source = await prisma.settlementSource.findFirstOrThrow({ where: { paymentServiceId: service } });
  const end = source.cursor ?? '';
  harness.provider.settlements.answerNext(
    ...pages.map((entries, index) => {
      const isLast = index === pages.length - 1;
      return pageOnWire(entries, isLast ? end : `page ${index}`, !isLast);
    }),
  );
  await drain();
}

async function entry(reference: string) {
  const [found, more] = await settling.entries({ paymentServiceSettlementId: reference });
  expect(more).toBeUndefined();
  if (!found) throw new Error(`There is no entry ${reference}`);
  return found;
}

const eventsOf = async (id: string): Promise<readonly string[]> => {
  const { prisma } = settling.harness.server.app.db;
  const events = await prisma.event.findMany({ orderBy: { id: 'asc' } });
  return events.filter(({ payload }) => JSON.stringify(payload).includes(id)).map(({ name }) => name);
};

/** A capture of 10.00, as the provider settles it. */
async function captured(): Promise<{ readonly id: string; readonly idempotency_key: string }> {
  const { harness } = settling;
  const id = await harness.captured(1000);
  const { prisma } = harness.server.app.db;
  const operation = await prisma.operation.findFirstOrThrow({ where: { transactionId: id } });
  return { id, idempotency_key: operation.id };
}

const UNREAD = {
  ...{ kind: 'UNREADABLE', gross: 0, fee: 0, net: 0, currency: 'XXX', transaction: null, operationId: null },
  ...{ paymentServiceKind: null, difference: { reason: 'UNREADABLE', explanation: null, nextMatchAt: null } },
};

describe('an entry that cannot be read', () => {
  it.each([
    ['no whole amount', { gross: 10.5 }],
    ['sums that are wrong', { net: 971 }],
    ['a charge below zero', { gross: -1000, net: -1030 }],
    ['no day', { settled_on: '2026-02-30' }],
    ['no currency', { currency: 'dollars' }],
  ])('because of %s is a difference, and the rest of its page is stored', async (what, fault) => {
    const reference = `st ${what}`;
    const { id, idempotency_key } = await captured();
    await fetchPages([
      entryOnWire({ id: reference, idempotency_key, ...fault }),
      entryOnWire({ id: `beside ${reference}`, idempotency_key }),
    ]);

    expect(await entry(reference)).toMatchObject(UNREAD);
    expect(await entry(`beside ${reference}`)).toMatchObject({
      ...{ kind: 'CHARGE', net: 970, transaction: { id }, difference: null },
    });
    expect(await settling.reporting()).toMatchObject({ failure: null });
    expect(settling.harness.server.logs()).toContain('Entries of a page cannot be read.');
  });

  it('is explained by a person, and is found by its reason', async () => {
    await fetchPages([entryOnWire({ id: 'st explained', gross: 10.5 })]);
    const { id, difference } = await entry('st explained');
    expect(difference).toMatchObject({ reason: 'UNREADABLE' });

    await settling.harness.ask(
      `mutation ($id: ID!) { explainSettlementDifference(id: $id, reason: "Line 3 is a test.") {
        userErrors { message } } }`,
      { id },
    );

    const explained = await settling.differences({ reason: ['UNREADABLE'], explained: true });
    expect(explained).toMatchObject([{ settlement: { id }, explanation: 'Line 3 is a test.' }]);
    expect(await eventsOf(id)).toEqual(['settlement.difference-found', 'settlement.difference-explained']);
  });

  it('is replaced by the same entry in a readable form, once', async () => {
    const { id, idempotency_key } = await captured();
    const odd = entryOnWire({ id: 'st late', idempotency_key });
    await fetchPages([{ ...odd, gross: null }], [{ ...odd, gross: '10.00' }]);
    const before = await entry('st late');
    expect(before).toMatchObject(UNREAD);

    await fetchPages([odd, odd], [odd]);

    expect(await entry('st late')).toMatchObject({
      ...{ id: before.id, kind: 'CHARGE', gross: 1000, fee: 30, net: 970, currency: 'USD' },
      ...{ transaction: { id }, difference: null, paymentServiceKind: 'charge' },
    });
    expect(await eventsOf(before.id)).toEqual([
      'settlement.difference-found',
      'settlement.difference-resolved',
    ]);
    // The readable form stands, whatever comes later.
    await fetchPages([{ ...odd, gross: null }]);
    expect(await entry('st late')).toMatchObject({ kind: 'CHARGE', difference: null });
  });

  it('becomes a difference of its own when its readable form fits nothing', async () => {
    await fetchPages([entryOnWire({ id: 'st alone', gross: null })]);
    await fetchPages([entryOnWire({ id: 'st alone', reference: 'cap_of_nobody' })]);

    const { id, difference } = await entry('st alone');
    expect(difference).toMatchObject({ reason: 'NO_SUCH_OPERATION' });
    expect(await eventsOf(id)).toEqual(['settlement.difference-found', 'settlement.difference-found']);
  });
});

describe('an entry of an unknown kind', () => {
  it('keeps its money, its payment and the word, and settles nothing', async () => {
    const { id, idempotency_key } = await captured();
    await fetchPages([entryOnWire({ id: 'st quantum', type: 'quantum_fee', idempotency_key })]);

    expect(await entry('st quantum')).toMatchObject({
      ...{ kind: 'UNKNOWN', paymentServiceKind: 'quantum_fee', reportLine: null, transaction: { id } },
      ...{ gross: 1000, fee: 30, net: 970, currency: 'USD' },
      difference: { reason: 'UNKNOWN_KIND', nextMatchAt: null },
    });
    await fetchPages([entryOnWire({ id: 'st charge', idempotency_key })]);
    expect(await entry('st charge')).toMatchObject({ kind: 'CHARGE', difference: null });
  });
});
