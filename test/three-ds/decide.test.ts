import { describe, expect, it } from '@jest/globals';
import {
  decideThreeDS,
  type ConditionName,
  type PaymentFacts,
  type ThreeDSOutcome,
  type ThreeDSRule,
} from '../../src/modules/three-ds/index.ts';
import type { ThreeDSConditions } from '../../src/modules/three-ds/scenario.ts';
import { createRandom, type Random } from '../simulation/random.ts';

const ANY: ThreeDSConditions = {
  firstName: null,
  lastName: null,
  emailAddress: null,
  amount: null,
  externalIdentifier: null,
  cardNumber: null,
};
const OUTCOME: ThreeDSOutcome = {
  enrollment: 'enrolled',
  version: '2.2.0',
  authentication: 'n',
  challengeResult: null,
};
const rule = (id: string, conditions: Partial<ThreeDSConditions>): ThreeDSRule => ({
  id,
  conditions: { ...ANY, ...conditions },
  outcome: OUTCOME,
});

const NUMBER = '4111111111111111';
const card = (number: string) => ({ number, fingerprint: `digest of ${number}` });
const PAYMENT: PaymentFacts = {
  firstName: 'Jane',
  lastName: 'Müller',
  emailAddress: 'jane@example.com',
  amount: 1299,
  externalIdentifier: 'order-1',
  card: card(NUMBER),
};
const bin = (digits: string) => ({ bin: digits, lastFour: null, fingerprint: null });
const whole = (number: string) => ({
  bin: number.slice(0, 6),
  lastFour: number.slice(-4),
  fingerprint: `digest of ${number}`,
});

describe('a rule', () => {
  it.each<readonly [string, Partial<ThreeDSConditions>, readonly ConditionName[]]>([
    ['with the first name', { firstName: 'Jane' }, []],
    ['with the first name in other letters', { firstName: 'jANE' }, []],
    ['with another first name', { firstName: 'Jan' }, ['first_name']],
    ['with the last name', { lastName: 'Müller' }, []],
    ['with the last name in two code points', { lastName: 'Mu\u0308LLER' }, []],
    ['with another last name', { lastName: 'Muller' }, ['last_name']],
    ['with the e-mail address', { emailAddress: 'JANE@example.com' }, []],
    ['with another e-mail address', { emailAddress: '@example.com' }, ['email_address']],
    ['with the amount', { amount: 1299 }, []],
    ['with another amount', { amount: 1300 }, ['amount']],
    ['with an amount of 0', { amount: 0 }, ['amount']],
    ['with the external identifier', { externalIdentifier: 'order-1' }, []],
    [
      'with the external identifier in other letters',
      { externalIdentifier: 'Order-1' },
      ['external_identifier'],
    ],
    ['with a BIN of six digits', { cardNumber: bin('411111') }, []],
    ['with a BIN of eleven digits', { cardNumber: bin('41111111111') }, []],
    ['with another BIN', { cardNumber: bin('41111111112') }, ['card_number']],
    ['with the card number', { cardNumber: whole(NUMBER) }, []],
    [
      'with a card number that begins and ends alike',
      { cardNumber: whole('4111112222221111') },
      ['card_number'],
    ],
    ['with everything', { firstName: 'Jane', amount: 1299, cardNumber: bin('411111') }, []],
    ['of which one thing does not hold', { firstName: 'Jane', amount: 1 }, ['amount']],
    [
      'of which nothing holds',
      {
        firstName: 'x',
        lastName: 'x',
        emailAddress: 'x',
        amount: 1,
        externalIdentifier: 'x',
        cardNumber: bin('5'),
      },
      ['first_name', 'last_name', 'email_address', 'amount', 'external_identifier', 'card_number'],
    ],
  ])('%s', (_, conditions, unmet) => {
    const only = rule('only', conditions);
    const decided = decideThreeDS([only], PAYMENT);

    expect(decided).toEqual(
      unmet.length === 0
        ? { source: 'scenario', scenario: only, outcome: OUTCOME, passedOver: [] }
        : { source: 'none', scenario: null, outcome: null, passedOver: [{ scenario: only, unmet }] },
    );
  });

  it('never matches a missing field of the payment', () => {
    const nobody: PaymentFacts = { ...ANY, card: null };
    const asking = Object.entries({
      firstName: '',
      lastName: 'x',
      emailAddress: 'x',
      amount: 0,
      externalIdentifier: 'x',
      cardNumber: bin('411111'),
    }).map(([name, value]) => rule(name, { [name]: value }));

    expect(decideThreeDS(asking, nobody)).toMatchObject({ source: 'none' });
    expect(decideThreeDS(asking, nobody).passedOver.map(({ unmet }) => unmet)).toEqual([
      ['first_name'],
      ['last_name'],
      ['email_address'],
      ['amount'],
      ['external_identifier'],
      ['card_number'],
    ]);
  });

  it('comes before the test cards, and the first one that matches decides', () => {
    const paid = { ...PAYMENT, card: card('9000100111111111') };
    const [other, first, second] = [
      rule('other', { amount: 1 }),
      rule('1', { amount: 1299 }),
      rule('2', { firstName: 'Jane' }),
    ];

    expect(decideThreeDS([other, first, second], paid)).toMatchObject({
      scenario: first,
      passedOver: [{ scenario: other }],
    });
    expect(decideThreeDS([second, first], paid)).toMatchObject({ scenario: second, passedOver: [] });
    expect(decideThreeDS([other], paid)).toMatchObject({
      source: 'test_card',
      outcome: { enrollment: 'not_enrolled', authentication: 'u' },
    });
  });
});

describe('deciding', () => {
  it('agrees with a naive reading of the rules, over 1 000 random lists', () => {
    let matched = 0;
    for (let seed = 0; seed < 1_000; seed += 1) {
      const random = createRandom(seed);
      const rules = Array.from({ length: random.int(0, 12) }, (_, n) => rule(String(n), randomRule(random)));
      const payment = randomPayment(random);
      const { scenario, passedOver } = decideThreeDS(rules, payment);
      const expected = rules.filter((each) => naivelyMatches(each.conditions, payment))[0] ?? null;
      const before = expected === null ? rules : rules.slice(0, rules.indexOf(expected));

      expect([seed, scenario]).toEqual([seed, expected]);
      expect([seed, passedOver.map(({ scenario: { id } }) => id)]).toEqual([
        seed,
        before.map(({ id }) => id),
      ]);
      for (const { scenario: over, unmet } of passedOver)
        expect(withoutUnmet(over, unmet, payment)).toBe(true);
      if (expected) matched += 1;
    }
    // The random cases test both sides of the rule often.
    expect(matched).toBeGreaterThan(300);
    expect(matched).toBeLessThan(900);
  });
});

/** Few values, so that rules match often. Two cards begin and end alike. */
const NAMES = ['ada', 'Ada', 'Bob'];
const CARDS = ['4111111111111111', '4111110000001111', '5200000000001203', '9000100111111111'];

function randomRule(random: Random): Partial<ThreeDSConditions> {
  const maybe = <Value>(value: Value): Value | null => (random.chance(0.35) ? value : null);
  const number = random.pick(CARDS);
  return {
    firstName: maybe(random.pick(NAMES)),
    lastName: maybe(random.pick(NAMES)),
    emailAddress: maybe(`${random.pick(NAMES)}@example.com`),
    amount: maybe(random.int(0, 2)),
    externalIdentifier: maybe(random.pick(NAMES)),
    cardNumber: maybe(random.chance(0.5) ? whole(number) : bin(number.slice(0, random.int(6, 11)))),
  };
}

const randomPayment = (random: Random): PaymentFacts => ({
  firstName: random.chance(0.8) ? random.pick(NAMES) : null,
  lastName: random.chance(0.8) ? random.pick(NAMES) : null,
  emailAddress: random.chance(0.8) ? `${random.pick(NAMES)}@EXAMPLE.com` : null,
  amount: random.int(0, 2),
  externalIdentifier: random.chance(0.8) ? random.pick(NAMES) : null,
  card: random.chance(0.9) ? card(random.pick(CARDS)) : null,
});

/** Implements the rule differently from the module: searches for a condition that does not hold. */
function naivelyMatches(wanted: ThreeDSConditions, payment: PaymentFacts): boolean {
  for (const name of ['firstName', 'lastName', 'emailAddress'] as const)
    if (wanted[name] !== null && wanted[name].toUpperCase() !== payment[name]?.toUpperCase()) return false;
  if (wanted.amount !== null && wanted.amount !== payment.amount) return false;
  if (wanted.externalIdentifier !== null && wanted.externalIdentifier !== payment.externalIdentifier)
    return false;
  if (wanted.cardNumber === null) return true;
  if (payment.card === null) return false;
  const { bin: digits, lastFour, fingerprint } = wanted.cardNumber;
  const { number } = payment.card;
  return lastFour === null
    ? number.slice(0, digits.length) === digits
    : fingerprint === `digest of ${number}`;
}

/** Tells whether a rule would match without exactly its unmet conditions. */
function withoutUnmet(
  { conditions }: ThreeDSRule,
  unmet: readonly ConditionName[],
  payment: PaymentFacts,
): boolean {
  const cleared = Object.fromEntries(unmet.map((name) => [NAMES_OF[name], null]));
  return (
    unmet.length > 0 && naivelyMatches({ ...conditions, ...(cleared as Partial<ThreeDSConditions>) }, payment)
  );
}

const NAMES_OF: Readonly<Record<ConditionName, keyof ThreeDSConditions>> = {
  first_name: 'firstName',
  last_name: 'lastName',
  email_address: 'emailAddress',
  amount: 'amount',
  external_identifier: 'externalIdentifier',
  card_number: 'cardNumber',
};
