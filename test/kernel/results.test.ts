import { expect, test } from '@jest/globals';
import { AMOUNT_MAX, sameMoney } from '../../src/kernel/money.ts';
import { invalidInput, notFound } from '../../src/kernel/refusal.ts';
import { ok, refuse, unreachable } from '../../src/kernel/result.ts';
import { withoutNulls } from '../../src/kernel/without-nulls.ts';

test('a result is a value, or one refusal or more', () => {
  expect(ok(7)).toEqual({ ok: true, value: 7 });
  expect(refuse('a')).toEqual({ ok: false, refusals: ['a'] });
  expect(refuse('a', 'b', 'c')).toEqual({ ok: false, refusals: ['a', 'b', 'c'] });
});

test('an unhandled case throws its value', () => {
  expect(() => unreachable({ kind: 'new' } as never)).toThrow('Unhandled case: {"kind":"new"}');
});

test('refusals name a path', () => {
  expect(invalidInput(['input', 'amount'], 'Must be 1 or more.')).toEqual({
    kind: 'InvalidInput',
    path: ['input', 'amount'],
    message: 'Must be 1 or more.',
  });
  expect(notFound('buyer')).toEqual({ kind: 'NotFound', what: 'buyer', path: ['id'] });
  expect(notFound('buyer', ['input', 'buyerId'])).toEqual({
    kind: 'NotFound',
    what: 'buyer',
    path: ['input', 'buyerId'],
  });
});

test('money is the same with the same amount and the same currency', () => {
  const money = { amount: 1299, currency: 'USD' };
  expect(sameMoney(money, { ...money })).toBe(true);
  expect(sameMoney(money, { ...money, amount: 1298 })).toBe(false);
  expect(sameMoney(money, { ...money, currency: 'EUR' })).toBe(false);
  expect(AMOUNT_MAX).toBe(99_999_999);
});

test('null values are removed, and other empty values stay in their order', () => {
  const values = withoutNulls<unknown>({ b: 0, a: null, d: '', c: false, e: undefined });
  expect(values).toStrictEqual({ b: 0, d: '', c: false, e: undefined });
  expect(Object.keys(values)).toEqual(['b', 'd', 'c', 'e']);
});
