import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkRules, type ServiceTerms } from '../../src/modules/routing/model/check.ts';
import { compileVersion, findRule } from '../../src/modules/routing/model/compile.ts';
import {
  complement,
  intersection,
  isEmpty,
  isSubset,
  union,
} from '../../src/modules/routing/model/domain.ts';
import type { FormerOutcome } from '../../src/modules/routing/model/facts.ts';
import { limitOf } from '../../src/modules/routing/model/region.ts';
import type { Condition, Question } from '../../src/modules/routing/model/rule.ts';
import { anyFacts, anyVersion } from './arbitrary.ts';

const is = (question: Question): Condition => ({ not: false, ...question });
const isNot = (question: Question): Condition => ({ not: true, ...question });
const anyOf = (...tests: readonly Question[]): Condition => ({
  ...{ fact: 'anyOf', not: false },
  tests: tests.map((question) => ({ not: false, ...question })),
});

const EUR = { fact: 'currency', values: ['EUR'] } as const;
const EUROPE = { fact: 'country', values: ['DE', 'FR'] } as const;
const GERMANY = { fact: 'country', values: ['DE'] } as const;
const above = (min: number, currency = 'EUR') => ({ fact: 'amount', currency, min, max: null }) as const;
const upTo = (max: number, currency = 'EUR') => ({ fact: 'amount', currency, min: null, max }) as const;
const attempts = (min: number | null, max: number | null = null) => ({ fact: 'attempt', min, max }) as const;
const after = (...values: readonly FormerOutcome[]) => ({ fact: 'formerOutcome', values }) as const;
const afterCode = (...values: readonly string[]) => ({ fact: 'formerErrorCode', values }) as const;
const afterService = (...values: readonly string[]) => ({ fact: 'formerService', values }) as const;
const bins = (from: string, to: string) => ({ fact: 'bin', ranges: [{ from, to }] }) as const;

/** Returns the codes of the warnings, with the positions of their rules. */
const warningsOf = (...rules: readonly (readonly Condition[])[]): readonly string[] =>
  checkRules(
    rules.map((conditions) => ({ conditions, action: { kind: 'positions' }, threeDSecure: null })),
    [],
  ).map(({ code, rule }) => `${rule} ${code}`);

describe('a rule that can never match', () => {
  it.each<[string, readonly Condition[], boolean]>([
    ['two lists without a common value', [is(EUR), is({ ...EUR, values: ['USD'] })], true],
    ['a list and its opposite', [is(EUROPE), isNot(EUROPE)], true],
    ['a list whose values are all excluded', [is(GERMANY), isNot(EUROPE)], true],
    ['an amount in a currency that is excluded', [is(above(100)), isNot(EUR)], true],
    ['amounts in two currencies', [is(above(100)), is(above(100, 'USD'))], true],
    ['an amount above and below', [is(above(1000)), is(upTo(999))], true],
    ['BINs in two ranges', [is(bins('400000', '419999')), is(bins('420000', '429999'))], true],
    [
      'a flag that is true and false',
      [is({ fact: 'isStored', is: true }), is({ fact: 'isStored', is: false })],
      true,
    ],
    [
      'alternatives that are all excluded',
      [anyOf(GERMANY, { ...EUROPE, values: ['FR'] }), isNot(EUROPE)],
      true,
    ],
    [
      'metadata that is there and not',
      [
        is({ fact: 'metadata', name: 'a', values: null }),
        isNot({ fact: 'metadata', name: 'a', values: null }),
      ],
      true,
    ],
    ['a first attempt after another', [is(attempts(null, 1)), is(after('declined', 'failed'))], true],
    ['a first attempt after a code', [is(attempts(null, 1)), is(afterCode('service_error'))], true],
    ['a first attempt after a service', [is(attempts(null, 1)), is(afterService('a'))], true],
    ['a further attempt after nothing', [is(attempts(2)), isNot(after('declined', 'failed'))], true],
    ['a decline with the code of a failure', [is(after('declined')), is(afterCode('service_error'))], true],
    [
      'no failure before, and the code of one',
      [isNot(after('failed')), is(afterCode('service_error'))],
      true,
    ],
    ['a failure with the code of a decline', [is(after('failed')), is(afterCode('issuer_decline'))], false],
    ['a decline with a code that goes on', [is(after('declined')), is(afterCode('issuer_decline'))], false],
    ['a first attempt after no decline', [is(attempts(null, 1)), isNot(after('declined'))], false],
    ['an amount at both bounds', [is(above(1000)), is(upTo(1000))], false],
    [
      'BINs that share the last digits',
      [is(bins('400000', '419999')), is(bins('41999999', '429999'))],
      false,
    ],
    ['a list with some values excluded', [is(EUROPE), isNot(GERMANY)], false],
    ['two opposites', [isNot(EUR), isNot(GERMANY)], false],
    ['no condition', [], false],
  ])('%s', (_, conditions, never) => {
    expect(warningsOf(conditions)).toEqual(never ? ['1 never_matches'] : []);
  });
});

describe('a rule behind another', () => {
  it.each<[string, readonly Condition[], readonly Condition[], boolean]>([
    ['the same conditions', [is(EUR), is(EUROPE)], [is(EUROPE), is(EUR)], true],
    ['fewer countries', [is(EUROPE)], [is(GERMANY)], true],
    ['one condition more', [is(EUR)], [is(EUR), is(EUROPE)], true],
    ['a narrower amount', [is(above(100))], [is(above(200))], true],
    ['the currency of an amount', [is(EUR)], [is(above(200))], true],
    ['an earlier rule for all payments', [], [is(EUR)], true],
    ['one of the alternatives', [anyOf(GERMANY, { ...EUROPE, values: ['FR'] })], [is(GERMANY)], true],
    [
      'the same beginnings',
      [is({ fact: 'externalIdentifier', prefixes: ['a'] })],
      [is({ fact: 'externalIdentifier', prefixes: ['a'] })],
      true,
    ],
    ['each former outcome, and further attempts', [is(after('declined', 'failed'))], [is(attempts(2))], true],
    ['further attempts, and a former code', [is(attempts(2))], [is(afterCode('service_error'))], true],
    ['further attempts, and a former service', [is(attempts(2))], [is(afterService('a'))], true],
    [
      'a former decline, and one with a code',
      [is(after('declined'))],
      [is(afterCode('issuer_decline'))],
      false,
    ],
    ['all attempts without a former failure', [isNot(after('failed'))], [is(attempts(null, 1))], true],
    ['the third attempt, and the second', [is(attempts(3))], [is(attempts(2))], false],
    ['more countries', [is(GERMANY)], [is(EUROPE)], false],
    ['a wider amount', [is(above(200))], [is(above(100))], false],
    ['one condition less', [is(EUR), is(EUROPE)], [is(EUR)], false],
    [
      'an opposite that also holds for an unknown value',
      [is({ ...EUROPE, values: ['FR'] })],
      [isNot(GERMANY)],
      false,
    ],
  ])('%s', (_, earlier, later, hidden) => {
    expect(warningsOf(earlier, later)).toEqual(hidden ? ['2 hidden'] : []);
  });
});

describe('a service that a rule names', () => {
  const CARDS: ServiceTerms = {
    ...{ id: 'cards', displayName: 'Cards', methods: ['card', 'applepay'] },
    ...{ acceptedCurrencies: ['EUR'], acceptedCountries: ['DE'] },
  };
  const messagesFor = (...conditions: readonly Condition[]) =>
    checkRules(
      [
        {
          conditions,
          action: { kind: 'order', paymentServiceIds: ['cards'], onlyThese: false },
          threeDSecure: null,
        },
      ],
      [CARDS],
    ).map(({ message }) => message);

  it.each<[string, Condition, string]>([
    ['method', is({ fact: 'method', values: ['paypal'] }), 'the service has another method.'],
    ['currency', is(above(100, 'USD')), 'the service accepts other currencies.'],
    ['country', is({ fact: 'country', values: ['US'] }), 'the service accepts other countries.'],
    ['retry', is(afterService('cards')), 'the attempt before was at the service.'],
  ])('cannot take its %s', (_, condition, why) => {
    expect(messagesFor(condition)).toEqual([
      `The payment service Cards takes no payment of this rule: ${why}`,
    ]);
  });

  it.each<[string, Condition]>([
    ['one of several methods', is({ fact: 'method', values: ['paypal', 'applepay'] })],
    ['payments without a country', isNot(GERMANY)],
    ['payments that failed elsewhere, too', is(afterService('cards', 'other'))],
    ['first attempts', isNot(afterService('other'))],
    ['all but another currency', isNot({ ...EUR, values: ['USD'] })],
  ])('can take %s', (_, condition) => {
    expect(messagesFor(condition)).toEqual([]);
  });
});

describe('a wish for an authentication', () => {
  it.each<[string, readonly Condition[], boolean]>([
    ['is too late after a decline', [is(after('declined'))], true],
    ['is too late at the second attempt', [is(attempts(2))], true],
    ['is in time at each attempt', [isNot(after('declined'))], false],
    ['is in time up to the second attempt', [is(attempts(null, 2))], false],
  ])('%s', (_, conditions, isTooLate) => {
    const rule = { conditions, action: { kind: 'positions' } } as const;

    const codes = (threeDSecure: 'always' | null) =>
      checkRules([{ ...rule, threeDSecure }], []).map(({ code }) => code);

    expect(codes('always')).toEqual(isTooLate ? ['three_d_secure_too_late'] : []);
    expect(codes(null)).toEqual([]);
  });
});

describe('warnings', () => {
  it('are certain: no payment reaches the rule', () => {
    fc.assert(
      fc.property(anyVersion, fc.array(anyFacts, { minLength: 5, maxLength: 20 }), (version, payments) => {
        const compiled = compileVersion(version);
        const dead = checkRules(version.rules, [])
          .filter(({ code }) => code === 'never_matches' || code === 'hidden')
          .map(({ rule }) => rule);

        for (const facts of payments) {
          expect(dead).not.toContain(findRule(compiled, facts) + 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('two conditions of thousands of BINs', () => {
  it('are compared without all their pairs', () => {
    const many = Array.from({ length: 20_000 }, (_, nth) => String(40_000_000 + 2 * nth));
    const question = { fact: 'bin', ranges: many.map((bin) => ({ from: bin, to: bin })) } as const;

    // All pairs would not fit into the memory.
    expect(warningsOf([is(question)], [is(question), is(question)])).toEqual(['2 hidden']);
    expect(warningsOf([is(question), isNot(question)])).toEqual(['1 never_matches']);
  });
});

describe('a domain', () => {
  const domains = anyVersion
    .map(({ rules }) => rules.flatMap(({ conditions }) => conditions).map(limitOf))
    .filter((limits) => limits.length > 1)
    .map((limits) => limits.filter(({ dimension }) => dimension === limits[0]?.dimension))
    .map((limits) => [limits[0]?.domain, limits.at(-1)?.domain] as const);

  it('follows the laws of sets', () => {
    fc.assert(
      fc.property(domains, ([one, other]) => {
        if (!one || !other) throw new Error('No domain.');
        expect(complement(complement(one))).toEqual(one);
        expect(isEmpty(intersection(one, complement(one)))).toBe(true);
        expect(isSubset(intersection(one, other), one)).toBe(true);
        expect(isSubset(one, union(one, other))).toBe(true);
        expect(isSubset(one, other)).toBe(isEmpty(intersection(one, complement(other))));
      }),
    );
  });
});
