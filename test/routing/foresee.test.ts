import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import { decide, foresee, type Decision, type OpenFact } from '../../src/modules/routing/index.ts';
import { anyFacts, anyVersion, PAYMENT, versionOf } from './arbitrary.ts';

const OPEN: readonly OpenFact[] = ['scheme', 'bin', 'isStored', 'stores'];

/** The scheme and the BIN decide about the order of compared services. */
function inAnyOrder({ route, compared, ...decision }: Decision) {
  if (!compared || route.kind !== 'order') return { ...decision, route };
  return { ...decision, route: { ...route, paymentServiceIds: route.paymentServiceIds.toSorted() } };
}

it('never lacks the decision of the payment, whatever the open facts become', () => {
  fc.assert(
    fc.property(anyVersion, anyFacts, anyFacts, (version, before, after) => {
      const compiled = compileVersion(version);
      const { scheme, bin, isStored, stores } = after;

      const foreseen = foresee(compiled, { facts: before, open: OPEN });

      const decision = decide(compiled, { ...before, scheme, bin, isStored, stores });
      expect(foreseen.map(inAnyOrder)).toContainEqual(inAnyOrder(decision));
    }),
    { numRuns: 2_000 },
  );
});

it('is the decision itself without open facts', () => {
  fc.assert(
    fc.property(anyVersion, anyFacts, (version, facts) => {
      const compiled = compileVersion(version);

      expect(foresee(compiled, { facts, open: [] })).toEqual([decide(compiled, facts)]);
    }),
  );
});

const refuse = (code: string) => ({ kind: 'refuse' as const, code });
const isVisa = { fact: 'scheme' as const, not: false, values: ['visa'] };
const inEuros = { fact: 'currency' as const, not: false, values: ['EUR'] };
const codesOf = (version: Parameters<typeof compileVersion>[0]) =>
  foresee(compileVersion(version), { facts: PAYMENT, open: OPEN }).map(({ route }) =>
    route.kind === 'refuse' ? route.code : route.kind,
  );

it('ends at the first rule that holds whatever the open facts are', () => {
  const version = versionOf(
    { conditions: [{ ...inEuros, not: true }], action: refuse('fails') },
    { conditions: [isVisa, inEuros], action: refuse('open') },
    { conditions: [inEuros], action: refuse('holds') },
    { action: refuse('behind') },
  );

  expect(codesOf(version)).toEqual(['open', 'holds']);
});

it.each([
  ['one test holds', { not: false, tests: [isVisa, inEuros] }, ['rule']],
  ['one test holds, inverted', { not: true, tests: [isVisa, inEuros] }, ['positions']],
  ['one test is open', { not: false, tests: [isVisa, { ...inEuros, not: true }] }, ['rule', 'positions']],
  ['all tests fail', { not: false, tests: [{ ...inEuros, not: true }] }, ['positions']],
  ['all tests fail, inverted', { not: true, tests: [{ ...inEuros, not: true }] }, ['rule']],
])('asks an anyOf of which %s', (_, condition, codes) => {
  const version = versionOf({
    conditions: [{ fact: 'anyOf', ...condition }],
    action: refuse('rule'),
  });

  expect(codesOf(version)).toEqual(codes);
});
