import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { passesLuhn } from '../../src/kernel/account-numbers/card-number.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import {
  ATTACKER,
  CANDIDATES,
  cardOf,
  LIMIT,
  openShop,
  pay,
  REFUSED,
  store,
  VICTIM,
} from './guessing-shop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe('a token that guesses a card number', () => {
  it('with the scope for fingerprints is stopped before it finds the number', async () => {
    const shop = await openShop(harness, [...ATTACKER, 'card-fingerprints.read']);
    const victim = await store(shop, VICTIM, { fields: 'id fingerprint' });
    const answers = [];
    for (const candidate of CANDIDATES)
      answers.push(await store(shop, candidate, { fields: 'id fingerprint' }));

    const seen = answers.flatMap(({ paymentMethod }) => paymentMethod?.fingerprint ?? []);
    expect(victim.paymentMethod?.fingerprint).toMatch(/^\S{20,}$/);
    expect(seen).toHaveLength(LIMIT - 1);
    expect(seen).not.toContain(victim.paymentMethod?.fingerprint);
    // The right number is refused like the others.
    expect((await store(shop, VICTIM)).userErrors).toMatchObject([{ code: REFUSED }]);
  });

  it('learns nothing more from the idempotency key of the right number', async () => {
    const shop = await openShop(harness);
    await store(shop, VICTIM, { key: 'known' });
    await pay(shop, { card: cardOf(VICTIM) }, {}, 'known');
    const stored = [];
    const paid = [];
    for (const candidate of CANDIDATES) {
      stored.push((await store(shop, candidate, { key: 'known' })).userErrors[0]?.code);
      paid.push((await pay(shop, { card: cardOf(candidate) }, {}, 'known')).userErrors[0]?.code);
    }

    for (const codes of [stored, paid]) {
      expect(codes.filter((code) => code === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(LIMIT - 1);
      expect(codes.slice(LIMIT - 1).every((code) => code === REFUSED)).toBe(true);
    }
  });

  it('is stopped earlier at a number with fewer hidden digits', async () => {
    const shop = await openShop(harness);
    const numbersOf = (bin: string, hidden: number): string[] =>
      Array.from({ length: 10 ** hidden }, (_, at) => `${bin}${String(at).padStart(hidden, '0')}0005`)
        .filter(passesLuhn)
        .slice(0, 8);
    const accepted = async (numbers: readonly string[]): Promise<number> => {
      let count = 0;
      for (const number of numbers) if ((await store(shop, number)).paymentMethod) count++;
      return count;
    };

    const amex = await accepted(numbersOf('37828224', 3));
    const diners = await accepted(numbersOf('38520000', 2));

    expect([amex, diners]).toEqual([3, 1]);
  });

  it('stops no other merchant account, and no card with other last digits', async () => {
    const [shop, other] = [await openShop(harness), await openShop(harness)];
    for (const candidate of CANDIDATES.slice(0, LIMIT + 1)) await store(shop, candidate);

    const elsewhere = await store(other, VICTIM);
    const neighbour = await store(shop, '4111223300000006');

    expect([elsewhere.userErrors, neighbour.userErrors]).toEqual([[], []]);
  });
});

it('`off` lifts both limits, and counts nothing', async () => {
  const open = await startHarness('mock-card', {
    settings: { PAYGRAPH_CARD_NUMBERS_PER_DAY: 'off', PAYGRAPH_CARD_FAILURES_PER_HOUR: 'off' },
  });
  const answers = [];
  for (const number of CANDIDATES.slice(0, 15))
    answers.push(await open.create({ amount: 200_011, paymentMethod: { card: cardOf(number) } }));

  expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([]);
  expect(await open.server.app.db.prisma.presentedCard.count()).toBe(0);
  await open.stop();
});
