import { afterAll, describe, expect, it } from '@jest/globals';
import type { ProviderBooks } from '../../../src/connectors/notices/books.ts';
import { booksOf, factsOf } from '../read-books.ts';
import { EUR, LOG, startDesk } from './double-desk.ts';

const desks = { own: await startDesk(), payment: await startDesk({ eventNames: 'payment' }) };
afterAll(() => Promise.all(Object.values(desks).map((desk) => desk.close())));

const finals = ({ notices }: Pick<ProviderBooks, 'notices'>) => factsOf(notices).map(({ final }) => final);

describe.each(['own', 'payment'] as const)(
  'an operation in the Dashboard, with the names %s in events',
  (names) => {
    const { double, connector, contextOf, paid, change, told } = desks[names];
    const by = double.elsewhere;
    const read = (reference: string) => booksOf(connector, contextOf(), LOG, reference);
    const authorized = async () => {
      const payment = await paid();
      told();
      return payment;
    };

    it('is a capture beside one of ours', async () => {
      const { key, reference } = await authorized();
      const ours = await change('capture', reference, 300, false);
      told();
      const id = by.capture(reference, 500);
      expect(factsOf(told())).toEqual([
        {
          ...{ verb: 'capture', key: null, reference: id, paymentReference: reference, kind: 'succeeded' },
          ...{ amount: 500, capture: null, final: true },
        },
      ]);
      const books = await read(reference);
      expect(books).toMatchObject({ state: 'closed', authorized: EUR(1299) });
      expect(factsOf(books.notices)).toMatchObject([
        { verb: 'authorize', key, amount: 1299 },
        { verb: 'capture', key: ours.key, amount: 300 },
        { verb: 'capture', key: null, reference: id, amount: 500, final: true },
      ]);
    });

    it('is a capture that leaves the rest', async () => {
      const { reference } = await authorized();
      by.capture(reference, 500, false);
      expect(factsOf(told())).toMatchObject([{ verb: 'capture', amount: 500, final: false }]);
      expect(finals(await read(reference))).toEqual([undefined, undefined]);
    });

    it('is a refund beside one of ours', async () => {
      const { reference } = await paid({ capture: true });
      const ours = await change('refund', reference, 300);
      told();
      const id = by.refund(reference, 400);
      expect(factsOf(told())).toMatchObject([{ verb: 'refund', key: null, reference: id, amount: 400 }]);
      expect(factsOf((await read(reference)).notices)).toMatchObject([
        { verb: 'authorize', kind: 'succeeded', amount: 1299 },
        { verb: 'refund', key: ours.key, amount: 300 },
        { verb: 'refund', key: null, reference: id, amount: 400 },
      ]);
    });

    it('is a void of the rest', async () => {
      const { reference } = await authorized();
      by.capture(reference, 300, false);
      by.void(reference);
      expect(factsOf(told()).map(({ verb, kind, amount }) => [verb, kind, amount])).toEqual([
        ['capture', 'succeeded', 300],
        ['void', 'succeeded', null],
      ]);
      const books = await read(reference);
      expect(books).toMatchObject({ state: 'closed', authorized: EUR(1299) });
      expect(factsOf(books.notices).map(({ verb }) => verb)).toEqual(['authorize', 'capture', 'void']);
      expect(finals(books)).toEqual([undefined, undefined, undefined]);
    });
  },
);

describe('the books of a payment', () => {
  const { double, connector, contextOf, pay, paid, pass, RETURN_URL } = desks.own;
  const stateOf = async (reference: string) => {
    const { state, authorized } = await booksOf(connector, contextOf(), LOG, reference);
    return [state, authorized];
  };
  const begun = async (changes: object) => {
    const { outcome } = await pay(changes);
    if (!('reference' in outcome)) throw new Error(outcome.kind);
    return outcome.reference ?? '';
  };

  it('that is held, or has lapsed', async () => {
    const { reference } = await paid();
    expect(await stateOf(reference)).toEqual(['open', EUR(1299)]);
    double.hands.expire(reference);
    expect(await stateOf(reference)).toEqual(['expired', EUR(1299)]);
  });

  it('that waits for its buyer, and then for nobody', async () => {
    const reference = await begun({ authentication: 'always', returnUrl: RETURN_URL });
    expect(await stateOf(reference)).toEqual(['pending', null]);
    pass(3_600_000);
    expect(await stateOf(reference)).toEqual(['refused', null]);
  });

  it.each([true, false])('that holds money beside refunded money: balances %s', async (showsBalances) => {
    const desk = await startDesk({ showsBalances });
    const { reference } = await desk.paid();
    await desk.change('capture', reference, 500, false);
    desk.double.hands.decideOpen();
    await desk.change('refund', reference, 500);
    desk.double.hands.decideOpen();
    expect(await booksOf(desk.connector, desk.contextOf(), LOG, reference)).toMatchObject({
      ...{ state: 'open', authorized: EUR(1299) },
    });
    await desk.close();
  });

  it('that is a sale without a capture yet, and then with one', async () => {
    const reference = await begun({ capture: true });
    expect(await stateOf(reference)).toEqual(['pending', EUR(1299)]);
    double.hands.decideOpen();
    expect(await stateOf(reference)).toEqual(['closed', EUR(1299)]);
  });
});
