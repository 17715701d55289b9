import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { callBooks } from '../../../src/connectors/calls/call-books.ts';
import { booksOf, factsOf } from '../read-books.ts';
import { LOG, startDesk, USD } from './double-desk.ts';

const desk = await startDesk();
const { double, stripe, contextOf, call, paid, told, look, bookOf } = desk;
const by = double.elsewhere;
afterAll(() => desk.close());

const MULTIPLE = { card: { number: '4242424242424242', expirationDate: '03/30', securityCode: '737' } };

async function authorized() {
  const payment = await paid(MULTIPLE);
  told();
  return payment;
}

const capture = (reference: string, amount: number, final = false) =>
  call({ verb: 'capture', key: randomUUID(), money: USD(amount), reference, final });

const read = (reference: string) => booksOf(stripe, contextOf(), LOG, reference);

describe('an operation in the Dashboard', () => {
  it('is a capture of a part, after which nothing more can be captured', async () => {
    const { reference, key } = await authorized();
    by.capture(reference, 900);
    const [fact, ...others] = factsOf(told());
    expect(others).toEqual([]);
    expect(fact).toMatchObject({
      ...{ verb: 'capture', key: null, amount: 900, total: USD(900), final: true },
      ...{ reference: expect.stringMatching(/^ch_[^:]+$/), paymentReference: reference },
    });
    const books = await read(reference);
    expect(books).toMatchObject({ state: 'closed', authorized: USD(1099) });
    expect(factsOf(books.notices)).toContainEqual(fact);
    expect(books.notices[0]).toMatchObject({ verb: 'authorize', key, outcome: { money: USD(1099) } });
    expect(bookOf(reference)).toMatchObject({ captured: 900 });
  });

  it('is a capture between two of ours, whose money stays their own', async () => {
    const { reference } = await authorized();
    const first = await capture(reference, 300);
    expect(first).toMatchObject({ kind: 'succeeded', money: USD(300) });
    by.capture(reference, 200, false);
    const charge = 'reference' in first ? first.reference : '';
    expect(factsOf(told())).toContainEqual(
      expect.objectContaining({
        ...{ verb: 'capture', key: null, amount: 200, total: USD(500), final: false },
        reference: `${String(charge)}:500`,
      }),
    );
    const key = randomUUID();
    const second = { verb: 'capture', key, money: USD(400), reference, final: true } as const;
    // A direct answer with another sum proves nothing. The look-up and the webhook tell the capture's own money.
    expect(await call(second)).toEqual({ kind: 'unknown', cause: 'unreadable', arrived: true });
    expect(await look('capture', key, reference, 400)).toMatchObject({ kind: 'succeeded', money: USD(400) });

    const facts = factsOf(told());
    // The sum of the other's capture stays, and the total tells that nothing is new.
    expect(facts).toContainEqual(
      expect.objectContaining({ verb: 'capture', key: null, amount: 200, total: USD(900) }),
    );
    const books = factsOf((await read(reference)).notices);
    for (const fact of facts) expect(books).toContainEqual(fact);
    expect(bookOf(reference)).toMatchObject({ captured: 900 });
  });

  it('is known by its payment where somebody removed our metadata', async () => {
    const { reference } = await authorized();
    by.forget(reference);
    by.capture(reference);
    expect(factsOf(told())).toMatchObject([
      { verb: 'capture', key: null, paymentReference: reference, amount: 1099, final: true },
    ]);
    const another = await authorized();
    by.forget(another.reference);
    by.cancel(another.reference);
    expect(told()).toMatchObject([
      { verb: 'void', key: null, authorizationKey: null, paymentReference: another.reference },
    ]);
  });

  it('is a void, and an end of the hold', async () => {
    const { reference, key } = await authorized();
    by.cancel(reference);
    const facts = factsOf(told());
    expect(facts).toMatchObject([
      { verb: 'void', key: null, kind: 'succeeded', paymentReference: reference },
    ]);
    const books = await read(reference);
    expect(books).toMatchObject({ state: 'voided', authorized: USD(1099) });
    expect(books.notices).toMatchObject([{ authorizationKey: key }]);
    expect(factsOf(books.notices)).toEqual(facts);

    const late = await authorized();
    double.hands.expire(late.reference);
    expect(factsOf(told())).toEqual(factsOf((await read(late.reference)).notices));
    expect(await read(late.reference)).toMatchObject({ state: 'expired' });
  });

  it('is an increase, which changes neither the authorisation nor our increases', async () => {
    const { reference, key } = await authorized();
    const ours = {
      verb: 'increase',
      key: randomUUID(),
      reference,
      money: USD(100),
      total: USD(1199),
    } as const;
    expect(await call(ours)).toMatchObject({ kind: 'succeeded', money: USD(100) });
    by.increase(reference, 1499);
    const facts = factsOf(told());
    expect(facts).toContainEqual(
      expect.objectContaining({
        ...{ verb: 'increase', key: null, reference: `${reference}:1499`, total: USD(1499), amount: 300 },
      }),
    );
    for (const { verb, amount } of facts) if (verb === 'authorize') expect(amount).toBe(1099);
    expect(await look('authorize', key, reference)).toMatchObject({ kind: 'succeeded', money: USD(1099) });
    const books = await read(reference);
    expect(books).toMatchObject({ state: 'open', authorized: USD(1499) });
    for (const fact of facts.filter(({ amount }) => amount !== null))
      expect(factsOf(books.notices)).toContainEqual(fact);
  });

  it('is a refund beside one of ours', async () => {
    const { reference } = await paid({ capture: true });
    told();
    const key = randomUUID();
    await call({
      ...{ verb: 'refund', key, reference, money: USD(100) },
      captures: [{ key: randomUUID(), reference, amount: 100 }],
    });
    const id = by.refund(reference, 400);
    const facts = factsOf(told());
    expect(facts).toMatchObject([
      { verb: 'refund', key, amount: 100 },
      { verb: 'refund', key: null, reference: id, paymentReference: reference, amount: 400 },
    ]);
    const books = await read(reference);
    expect(factsOf(books.notices)).toEqual([expect.objectContaining({ verb: 'authorize' }), ...facts]);
    expect(new Set(books.notices.map(({ eventKey }) => eventKey)).size).toBe(3);
    expect(bookOf(reference)).toMatchObject({ refunded: 500 });
    expect(() => by.refund(reference, 600)).toThrow(/greater than unrefunded/);
    expect(told()).toEqual([]);
  });
});

describe('the books of a payment', () => {
  it('are null for an unknown payment, and unknown without an answer', async () => {
    const request = { reference: 'pi_unknown', createdAt: new Date(0), currency: 'USD' };
    expect(await callBooks(stripe, contextOf(), LOG, request)).toBeNull();
    const { reference } = await authorized();
    double.failNext(['error_before_work']);
    expect(await callBooks(stripe, contextOf(), LOG, { ...request, reference })).toEqual({
      ...{ kind: 'unknown', cause: 'server_error' },
    });
    double.behave();
  });

  it.each([
    ...([
      'lose_answer',
      'error_before_work',
      'truncated',
      'rate_limited',
      'unauthorized',
      'forbidden',
    ] as const),
  ])('are unknown if the list of refunds meets %s', async (fault) => {
    const { reference } = await paid({ capture: true });
    by.refund(reference, 100);
    double.failNext([fault], 'GET /v1/refunds');
    const request = { reference, createdAt: new Date(0), currency: 'USD' };
    expect(await callBooks(stripe, contextOf(), LOG, request)).toMatchObject({ kind: 'unknown' });
    expect((await read(reference)).notices).toHaveLength(2);
  });

  it('hold more refunds than a page', async () => {
    const { reference } = await paid({ capture: true });
    for (let made = 0; made < 105; made += 1) by.refund(reference, 1);
    const { notices } = await read(reference);
    expect(notices.filter(({ verb }) => verb === 'refund')).toHaveLength(105);
  });
});
