import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { authorization } from '../contract-calls.ts';
import { openStand, USD } from './stand.ts';

const stand = await openStand();
const { double } = stand;

const legacyIdOf = (reference: string): string =>
  double.transactions().find(({ id }) => id === reference)?.legacyId ?? '';

/** Returns the state and the notices of a payment's books: verb, outcome, key, reference and amount. */
async function booksOf(reference: string) {
  const books = await stand.books(reference);
  if (books?.kind !== 'books') throw new Error(`The books are ${JSON.stringify(books)}`);
  const notices = books.notices.map(({ verb, key, reference: id, outcome }) => [
    ...[verb, outcome.kind, key, id],
    'money' in outcome ? (outcome.money?.amount ?? null) : null,
  ]);
  return { state: books.state, authorized: books.authorized, notices, disputes: books.disputes ?? [] };
}

describe('the books of a payment', () => {
  it('have the authorisation, our captures and our refunds by our keys', async () => {
    const { reference, key } = await stand.pay();
    const [one, two, refund] = [randomUUID(), randomUUID(), randomUUID()];
    const part = (of: string, amount: number, final: boolean) =>
      stand.capture(reference, { key: of, money: { ...USD, amount }, final });
    const first = stand.referenceOf(await part(one, 500, false));
    expect(await booksOf(reference)).toMatchObject({ state: 'open' });
    const second = stand.referenceOf(await part(two, 799, true));
    double.hands.settleAll();
    const refunded = stand.referenceOf(await stand.refund(reference, refund, [[second, 99]]));

    expect(await booksOf(reference)).toEqual({
      ...{ state: 'closed', authorized: USD, disputes: [] },
      notices: [
        ['authorize', 'succeeded', key, reference, 1299],
        ['capture', 'succeeded', one, first, 500],
        ['capture', 'succeeded', two, second, 799],
        ['refund', 'succeeded', refund, refunded, 99],
      ],
    });
  });

  it('have a sale as its authorisation', async () => {
    const { reference, key } = await stand.pay({ capture: true });

    expect(await booksOf(reference)).toMatchObject({
      ...{ state: 'closed', authorized: USD },
      notices: [['authorize', 'succeeded', key, reference, 1299]],
    });
  });

  it('have the capture of a person without a key, after which nothing more can be captured', async () => {
    const { reference, key } = await stand.pay();
    double.hands.capture(reference, 500);

    const books = await stand.books(reference);

    expect(books).toMatchObject({
      ...{ state: 'closed', authorized: USD },
      notices: [
        { verb: 'authorize', key },
        {
          verb: 'capture',
          key: null,
          reference: legacyIdOf(reference),
          final: true,
          outcome: { money: { ...USD, amount: 500 } },
        },
      ],
    });
  });

  it('have the void of a capture as a refund of everything', async () => {
    const { reference, key } = await stand.pay();
    const [capture, refund] = [randomUUID(), randomUUID()];
    await stand.capture(reference, { key: capture, money: { ...USD, amount: 500 } });
    await stand.refund(reference, refund, [[reference, 500]]);

    expect(await booksOf(reference)).toMatchObject({
      state: 'closed',
      notices: [
        ['authorize', 'succeeded', key, reference, 1299],
        ['capture', 'succeeded', capture, legacyIdOf(reference), 500],
        ['refund', 'succeeded', null, reference, 500],
      ],
    });
  });

  it('have a settlement that was declined as the end of the capture, or of the sale', async () => {
    const captured = await stand.pay();
    const capture = randomUUID();
    await stand.capture(captured.reference, { key: capture });
    const sold = await stand.pay({ capture: true });
    for (const { reference } of [captured, sold]) double.hands.declineSettlement(reference);

    expect((await booksOf(captured.reference)).notices.slice(1)).toEqual([
      ['capture', 'succeeded', capture, legacyIdOf(captured.reference), 1299],
      ['capture', 'reversed', capture, legacyIdOf(captured.reference), null],
    ]);
    expect((await booksOf(sold.reference)).notices.slice(1)).toEqual([
      ['capture', 'reversed', sold.key, sold.reference, null],
    ]);
  });

  it('have a refund that failed as taken back, and one that was declined as declined', async () => {
    const { reference } = await stand.sell();
    const [one, other] = [randomUUID(), randomUUID()];
    const made = stand.referenceOf(await stand.refund(reference, one, [[reference, 300]]));
    double.hands.settleAll();
    double.hands.failRefund(made);
    double.hands.declineRefund('2046');
    await stand.refund(reference, other, [[reference, 300]]);

    expect((await booksOf(reference)).notices.slice(1)).toEqual([
      ['refund', 'reversed', one, made, 300],
      ['refund', 'declined', other, expect.any(String), null],
    ]);
  });

  it.each([
    ['void', 'voided', ['void', 'succeeded', null, null, null]],
    ['expire', 'expired', ['authorize', 'expired', 'our key', 'its id', null]],
  ] as const)('have the end of an authorisation: %s', async (act, state, notice) => {
    const { reference, key } = await stand.pay();
    double.hands[act](reference);

    const books = await booksOf(reference);

    expect(books.state).toBe(state);
    expect(books.notices).toEqual([
      ['authorize', 'succeeded', key, reference, 1299],
      notice.map((word) => (word === 'our key' ? key : word === 'its id' ? reference : word)),
    ]);
  });

  it('hold nothing of a refused payment', async () => {
    const outcome = await stand.authorize(authorization({ ...USD, amount: 204_600 }));

    const books = await booksOf(stand.referenceOf(outcome));

    expect(books).toMatchObject({ state: 'refused', authorized: null });
    expect(books.notices).toMatchObject([
      ['authorize', 'declined', expect.any(String), expect.any(String), null],
    ]);
  });

  it('have the disputes in their present state', async () => {
    const { reference, key } = await stand.sell();
    const id = double.hands.dispute(reference, { minor: 500 });
    const open = await booksOf(reference);
    double.hands.decideDispute(id, 'LOST');

    expect(open.disputes).toMatchObject([
      {
        ...{ key, reference, paymentReference: reference },
        dispute: {
          ...{ disputeReference: id, stage: 'chargeback', status: 'needs_response', reason: 'fraudulent' },
          ...{ reasonCode: '83', money: { ...USD, amount: 500 }, respondBy: expect.any(Date) },
        },
      },
    ]);
    expect((await booksOf(reference)).disputes).toMatchObject([
      { dispute: { status: 'lost', respondBy: null } },
    ]);
  });
});
