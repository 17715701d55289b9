import { expect, test } from '@jest/globals';
import { covers, coversAny, narrowScopes } from '../../src/kernel/scope.ts';

test.each([
  ['transactions.read', 'transactions.read', true],
  ['*.read', 'transactions.read', true],
  ['*.read', '*.read', true],
  ['*.write', 'transactions.write', true],
  ['transactions.write', 'transactions.read', false],
  ['*.write', 'transactions.read', false],
  ['*.read', '*.write', false],
  ['transactions.read', '*.read', false],
  ['transactions.read', 'transactions.readings', false],
  ['transactions.read', 'payment-transactions.read', false],
  ['*', 'transactions.read', false],
  ['*.*', 'transactions.read', false],
  ['', 'transactions.read', false],
  ['transactions.*', 'transactions.read', false],
])('%s gives %s: %s', (granted, wanted, gives) => {
  expect(covers(granted, wanted)).toBe(gives);
});

test('one scope of several is enough', () => {
  expect(coversAny(['events.read', '*.write'], 'transactions.write')).toBe(true);
  expect(coversAny(['events.read', '*.write'], 'transactions.read')).toBe(false);
  expect(coversAny([], 'transactions.read')).toBe(false);
});

test.each([
  [['events.read'], ['events.read'], ['events.read']],
  [['events.read'], ['*.read'], ['events.read']],
  [['*.read'], ['events.read', 'events.write'], ['events.read']],
  [['*.read', 'events.read'], ['events.read', '*.write'], ['events.read']],
  [['*.read'], ['*.read'], ['*.read']],
  [['*.write'], ['*.read'], []],
  [[], ['*.read'], []],
  [['*.read'], [], []],
])('%j of %j is %j', (requested, granted, narrowed) => {
  expect(narrowScopes(requested, granted)).toEqual(narrowed);
});
