import { describe, expect, it } from '@jest/globals';
import { errorOf, page } from './objects.ts';
import { openStub } from './stub.ts';

const stub = await openStub();

const account = (changes: object = {}) => ({
  ...{ id: 'acct_1', object: 'account', charges_enabled: true, capabilities: { card_payments: 'active' } },
  ...changes,
});

const verify = (definition?: string, credentials?: Record<string, string>) =>
  stub.connector.verify?.(stub.context(definition, credentials));

describe('a check of the credentials', () => {
  it('reads the account', async () => {
    stub.answer({ body: account() });
    expect(await verify()).toEqual({ kind: 'accepted' });
    expect(stub.arrived.map(({ call }) => call)).toEqual(['GET /v1/account']);
  });

  it.each([
    [401, 'Invalid API Key provided: sk_test_****stub'],
    [400, 'The account is closed.'],
  ])('says the words of Stripe after %i', async (status, message) => {
    stub.answer({ status, body: errorOf({ message }) });
    expect(await verify()).toEqual({ kind: 'refused', reason: message });
  });

  it('accepts a restricted key that may read payments', async () => {
    stub.answer({ status: 403, body: errorOf({}) }, { body: page([]) });
    expect(await verify()).toEqual({ kind: 'accepted' });
    expect(stub.arrived.map(({ call }) => call)).toEqual(['GET /v1/account', 'GET /v1/payment_intents']);
  });

  it('refuses a restricted key that may not', async () => {
    const body = errorOf({ message: 'The key needs rak_payment_intent_read.' });
    stub.answer({ status: 403, body: errorOf({}) }, { status: 403, body });
    expect(await verify()).toEqual({ kind: 'refused', reason: 'The key needs rak_payment_intent_read.' });
  });

  it('refuses an account that takes no payments', async () => {
    stub.answer({ body: account({ charges_enabled: false }) });
    expect(await verify()).toEqual({
      ...{ kind: 'refused', reason: expect.stringMatching(/activation/) },
    });
  });

  it.each([
    ['stripe-card', { card_payments: 'inactive' }, 'refused'],
    ['stripe-sepa', { sepa_debit_payments: 'inactive', card_payments: 'active' }, 'refused'],
    ['stripe-sepa', { sepa_debit_payments: 'active' }, 'accepted'],
    ['stripe-ach', { us_bank_account_ach_payments: 'inactive' }, 'refused'],
    ['stripe-bacs', { bacs_debit_payments: 'pending' }, 'accepted'],
    ['stripe-bacs', null, 'accepted'],
  ])('as %s with %j is %s', async (definition, capabilities, kind) => {
    stub.answer({ body: account({ capabilities }) });
    expect(await verify(definition)).toMatchObject({ kind });
  });

  it.each([
    ['pk_test_1', 'The secret key is a publishable key. Give a key that begins with sk_ or rk_.'],
    ['sk_live_1', 'The secret key is a live key. The sandbox needs a test key.'],
  ])('refuses %s without a call', async (secret_key, reason) => {
    expect(await verify('stripe-card', { secret_key })).toEqual({ kind: 'refused', reason });
    expect(stub.arrived).toEqual([]);
  });

  it('refuses a test key in production without a call', async () => {
    const context = { ...stub.context(), environment: 'production' as const };
    expect(await stub.connector.verify?.(context)).toEqual({
      ...{ kind: 'refused', reason: 'The secret key is a test key. Production needs a live key.' },
    });
    expect(stub.arrived).toEqual([]);
  });

  it.each([500, 429])('says nothing about the key after %i', async (status) => {
    stub.answer({ status, body: errorOf({}) });
    expect(await verify()).toEqual({ kind: 'unknown', cause: 'server_error' });
  });
});
