import { expect, it } from '@jest/globals';
import { openStand } from './stand.ts';

const stand = await openStand();

const verify = (changes: Readonly<Record<string, string>> = {}) =>
  stand.connector.verify?.(
    stand.contextWith({ credentials: { ...stand.contextWith().credentials, ...changes } }),
  );

it('accepts the keys with the merchant accounts of the account', async () => {
  expect(await verify()).toEqual({ kind: 'accepted' });
  expect(await verify({ merchant_accounts: 'USD = double_usd\r\nEUR:double_eur\n' })).toEqual({
    kind: 'accepted',
  });
});

it.each([
  ['another private key', { private_key: 'another' }, /refuses the keys/],
  ['no merchant account', { merchant_accounts: '' }, /a currency and a merchant account on each line/],
  ['a merchant account without a currency', { merchant_accounts: 'double_usd' }, /on each line/],
  ['a currency twice', { merchant_accounts: 'USD double_usd\nUSD double_eur' }, /one line/],
  ['an unknown merchant account', { merchant_accounts: 'USD nobody' }, /no merchant account nobody in USD/],
  [
    'a merchant account of another currency',
    { merchant_accounts: 'USD double_eur' },
    /no merchant account double_eur in USD/,
  ],
])('refuses %s', async (_, changes, reason) => {
  expect(await verify(changes)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
});

it('accepts keys that may not list merchant accounts, and is not sure without the list', async () => {
  stand.double.hands.failPart('viewer', 'merchantAccounts', 'AUTHORIZATION');
  expect(await verify()).toEqual({ kind: 'accepted' });

  stand.double.hands.failPart('viewer', 'merchantAccounts');
  expect(await verify()).toEqual({ kind: 'unknown', cause: 'server_error' });
});

it.each(['maintenance', 'lose_answer', 'rate_limited', 'truncated'] as const)(
  'is not sure after %s',
  async (fault) => {
    stand.double.failNext([fault], / viewer$/);

    expect(await verify()).toMatchObject({ kind: 'unknown' });
  },
);
