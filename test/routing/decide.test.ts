import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import { arrange, decide, decideNext, trace, type RoutingFacts } from '../../src/modules/routing/index.ts';
import type { AttemptFacts } from '../../src/modules/routing/model/facts.ts';
import type { Action, Question } from '../../src/modules/routing/model/rule.ts';
import { anyFacts, anyVersion, PAYMENT, SERVICES, versionOf } from './arbitrary.ts';

const ORDER = { kind: 'order', paymentServiceIds: ['b', 'a'], onlyThese: false } as const;
const services = (...ids: readonly string[]) => ids.map((id) => ({ id }));

/** Tells whether a payment meets one question. */
const meets = (question: Question, facts: Partial<RoutingFacts> = {}, { not } = { not: false }): boolean => {
  const version = versionOf({ conditions: [{ not, ...question }], action: ORDER });
  return decide(compileVersion(version), { ...PAYMENT, ...facts }).rule !== null;
};

describe('a decision', () => {
  it('is the same for the same version and payment', () => {
    fc.assert(
      fc.property(anyVersion, anyFacts, (version, facts) => {
        const again = compileVersion(structuredClone(version));
        expect(decide(again, structuredClone(facts))).toEqual(decide(compileVersion(version), facts));
      }),
    );
  });

  it('has exactly one rule: the first that holds, or the order of positions', () => {
    fc.assert(
      fc.property(anyVersion, anyFacts, (version, facts) => {
        const compiled = compileVersion(version);
        const { rule, route } = decide(compiled, facts);
        const traced = trace(compiled, facts);

        const holding = traced.filter(({ holds }) => holds);
        expect(holding.map(({ position, name }) => ({ position, name }))).toEqual(rule ? [rule] : []);
        expect(traced).toHaveLength(rule ? rule.position : version.rules.length);
        if (!rule) expect(route).toEqual({ kind: 'positions' });
      }),
    );
  });

  it('never puts a service that does not accept the payment', () => {
    const candidates = fc.subarray(SERVICES).map((ids) => services(...ids));
    fc.assert(
      fc.property(anyVersion, anyFacts, candidates, (version, facts, accepting) => {
        const { route } = decide(compileVersion(version), facts);
        const asked = arrange(route, accepting);

        expect(new Set(asked).size).toBe(asked.length);
        expect(asked.filter((each) => !accepting.includes(each))).toEqual([]);
        const keepsAll = route.kind === 'positions' || (route.kind === 'order' && !route.onlyThese);
        if (keepsAll) expect(asked).toHaveLength(accepting.length);
      }),
    );
  });

  it('about a further attempt is that of the same version, with the attempt alone changed', () => {
    fc.assert(
      fc.property(anyVersion, anyFacts, (given, before) => {
        const version = compileVersion(given);
        const former = { outcome: 'failed', errorCode: 'service_error', paymentServiceId: 'a' } as const;

        const { ruling, route, retry } = decideNext({ version, facts: before }, former);

        const changed: AttemptFacts = {
          ...{ attempt: before.attempt + 1, formerOutcome: 'failed', formerErrorCode: 'service_error' },
          formerService: 'a',
        };
        const { rule, draw, compared, ...decision } = decide(version, { ...before, ...changed });
        expect(ruling).toEqual({ version, facts: { ...before, ...changed } });
        expect(route).toEqual(decision.route);
        expect(retry).toEqual({
          ...{ ...changed, rule: rule?.position ?? null, draw },
          ...(compared && { compared }),
        });
      }),
    );
  });

  it('explains each condition by what it saw', () => {
    const version = versionOf({
      conditions: [
        { not: false, fact: 'country', values: ['FR'] },
        { not: true, fact: 'amount', currency: 'USD', min: 1, max: null },
        {
          not: false,
          fact: 'anyOf',
          tests: [{ not: false, fact: 'metadata', name: 'tier', values: ['gold'] }],
        },
      ],
      action: ORDER,
    });

    expect(trace(compileVersion(version), PAYMENT)).toEqual([
      {
        position: 1,
        name: 'Rule 1',
        holds: false,
        conditions: [
          { fact: 'country', not: false, holds: false, saw: 'DE', tests: [] },
          { fact: 'amount', not: true, holds: true, saw: '1299 EUR', tests: [] },
          {
            ...{ fact: 'anyOf', not: false, holds: true, saw: null },
            tests: [{ fact: 'metadata', not: false, holds: true, saw: 'gold', tests: [] }],
          },
        ],
      },
    ]);
  });
});

describe('an order', () => {
  it.each<[string, Action, string]>([
    ['puts its services first, and the others by position', ORDER, 'bacd'],
    ['can leave the others out', { ...ORDER, onlyThese: true }, 'ba'],
    ['leaves the positions as they are', { kind: 'positions' }, 'abcd'],
    ['asks nobody after a refusal', { kind: 'refuse', code: 'no' }, ''],
  ])('%s', (_, action, expected) => {
    const { route } = decide(compileVersion(versionOf({ action })), PAYMENT);

    expect(
      arrange(route, services('a', 'b', 'c', 'd'))
        .map(({ id }) => id)
        .join(''),
    ).toBe(expected);
  });
});

describe('a condition', () => {
  it.each<[string, Question, Partial<RoutingFacts>, boolean]>([
    ['a listed value', { fact: 'scheme', values: ['visa'] }, {}, true],
    ['another value', { fact: 'scheme', values: ['amex'] }, {}, false],
    ['an unknown value', { fact: 'scheme', values: ['visa'] }, { scheme: null }, false],
    ['a flag', { fact: 'isStored', is: false }, {}, true],
    ['the least amount', { fact: 'amount', currency: 'EUR', min: 1299, max: null }, {}, true],
    ['less than the least amount', { fact: 'amount', currency: 'EUR', min: 1300, max: null }, {}, false],
    ['the greatest amount', { fact: 'amount', currency: 'EUR', min: null, max: 1299 }, {}, true],
    ['another currency', { fact: 'amount', currency: 'USD', min: 0, max: null }, {}, false],
    ['an unknown amount', { fact: 'amount', currency: 'EUR', min: 0, max: null }, { amount: null }, false],
    ['a count in its range', { fact: 'installmentCount', min: 2, max: 6 }, { installmentCount: 6 }, true],
    ['a count outside', { fact: 'installmentCount', min: 2, max: 6 }, {}, false],
    ['the first attempt', { fact: 'attempt', min: null, max: 1 }, {}, true],
    ['a later attempt', { fact: 'attempt', min: 2, max: 3 }, { attempt: 4 }, false],
    ['no former outcome', { fact: 'formerOutcome', values: ['declined', 'failed'] }, {}, false],
    ['a former outcome', { fact: 'formerOutcome', values: ['failed'] }, { formerOutcome: 'failed' }, true],
    [
      'a former code',
      { fact: 'formerErrorCode', values: ['service_error'] },
      { formerErrorCode: 'service_error' },
      true,
    ],
    ['another former service', { fact: 'formerService', values: ['a'] }, { formerService: 'b' }, false],
    ['the last BIN', { fact: 'bin', ranges: [{ from: '400000', to: '411111' }] }, { bin: '41111199' }, true],
    [
      'six digits of a BIN',
      { fact: 'bin', ranges: [{ from: '411111', to: '411111' }] },
      { bin: '411111' },
      true,
    ],
    ['a BIN above', { fact: 'bin', ranges: [{ from: '400000', to: '411111' }] }, { bin: '41111200' }, false],
    [
      'a BIN between two ranges',
      {
        fact: 'bin',
        ranges: [
          { from: '400000', to: '400001' },
          { from: '420000', to: '430000' },
        ],
      },
      {},
      false,
    ],
    ['metadata with the name', { fact: 'metadata', name: 'tier', values: null }, {}, true],
    ['metadata without the name', { fact: 'metadata', name: 'constructor', values: null }, {}, false],
    ['metadata with another value', { fact: 'metadata', name: 'tier', values: ['silver'] }, {}, false],
    ['a beginning', { fact: 'externalIdentifier', prefixes: ['shop-', 'sub-'] }, {}, true],
    ['another beginning', { fact: 'externalIdentifier', prefixes: ['shop-'] }, {}, false],
  ])('tells %s', (_, question, facts, expected) => {
    expect(meets(question, facts)).toBe(expected);
    expect(meets(question, facts, { not: true })).toBe(!expected);
  });

  const NIGHT = {
    fact: 'localTime',
    zone: 'Europe/Berlin',
    days: ['fri'],
    from: '22:00',
    to: '06:00',
  } as const;
  const DAY = { ...NIGHT, from: '08:00', to: '24:00' } as const;

  it.each<[string, typeof NIGHT | typeof DAY, string, boolean]>([
    ['before the night', NIGHT, '2026-03-06T20:59:59Z', false],
    ['when the night begins', NIGHT, '2026-03-06T21:00:00Z', true],
    ['on the next morning', NIGHT, '2026-03-07T04:59:00Z', true],
    ['when the night ends', NIGHT, '2026-03-07T05:00:00Z', false],
    ['on the evening of another day', NIGHT, '2026-03-07T22:00:00Z', false],
    ['in summer, by the clock on the wall', NIGHT, '2026-07-03T20:00:00Z', true],
    ['to the end of the day', DAY, '2026-03-06T22:59:00Z', true],
    ['not after the end of the day', DAY, '2026-03-06T23:00:00Z', false],
  ])('knows the local time %s', (_, hours, at, expected) => {
    expect(meets(hours, { at: new Date(at) })).toBe(expected);
  });
});
