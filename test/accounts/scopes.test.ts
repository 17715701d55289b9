import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { coversAny } from '../../src/kernel/scope.ts';
import { ALL_SCOPES, isKnownScope } from '../../src/modules/accounts/index.ts';

test('every scope that the schema requires is known, and part of all scopes', () => {
  const sdl = readdirSync('schema').map((file) => readFileSync(`schema/${file}`, 'utf8'));
  const required = sdl.flatMap((text) =>
    [...text.matchAll(/"([a-z-]+\.(?:read|write))"/g)].map(([, scope = '']) => scope),
  );
  expect(required.length).toBeGreaterThan(20);
  expect(required.filter((scope) => !isKnownScope(scope) || !coversAny(ALL_SCOPES, scope))).toEqual([]);
});

test.each([
  'transactions',
  'transactions.delete',
  'Transactions.read',
  '*',
  '*.*',
  '',
  ' *.read',
  'toString.read',
  '__proto__',
])('"%s" is no scope', (text) => {
  expect(isKnownScope(text)).toBe(false);
});
