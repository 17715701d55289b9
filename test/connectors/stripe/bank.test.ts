import { describe, expect, it } from '@jest/globals';
import type { BankDebit } from '../../../src/connectors/interface/requests.ts';
import { authorization, errorOf, intent, KEY, NOBODY } from './objects.ts';
import { openStub } from './stub.ts';

const stub = await openStub();

const MANDATE = {
  ...{ reference: 'RENT-7', text: null, acceptedAt: '2026-01-02T03:04:05Z' },
  ...{ ipAddress: '203.0.113.7', userAgent: 'Firefox' },
};

const HOLDER = { firstName: 'Ada', lastName: 'Lovelace', companyName: null };

const SEPA: BankDebit = {
  ...{ scheme: 'sepa', accountNumber: 'DE89370400440532013000', routingNumber: null, accountType: null },
  ...{ accountHolder: HOLDER, mandate: MANDATE, requestedOn: '2026-11-24' },
};
const ACH: BankDebit = {
  ...{ ...SEPA, scheme: 'ach', accountNumber: '000123456789', routingNumber: '110000000' },
  accountType: 'checking',
  accountHolder: { firstName: null, lastName: null, companyName: 'Analytical Engines' },
};
const BACS: BankDebit = {
  ...SEPA,
  scheme: 'bacs',
  accountNumber: '00012345',
  routingNumber: '108800',
  mandate: null,
};

const bankCharge = (details: object) => ({ id: 'py_1', object: 'charge', payment_method_details: details });
const processing = (changes: object = {}) =>
  intent({
    ...{ status: 'processing', capture_method: 'automatic', amount_capturable: 0, latest_charge: null },
    ...changes,
  });

const debit = (definition: string, bank: BankDebit, money = { amount: 1099, currency: 'EUR' }) =>
  stub.connector.authorize(
    stub.context(definition),
    authorization({
      bank,
      money,
      card: null,
      capture: true,
      returnUrl: null,
      buyer: { ...NOBODY, email: 'ada@example.com' },
    }),
  );

const EXPECTED: readonly (readonly [string, BankDebit, string, Readonly<Record<string, string>>])[] = [
  [
    'stripe-sepa',
    SEPA,
    'EUR',
    {
      'allowed_payment_method_types[]': 'sepa_debit',
      'payment_method_data[type]': 'sepa_debit',
      'payment_method_data[sepa_debit][iban]': 'DE89370400440532013000',
      'payment_method_data[billing_details][name]': 'Ada Lovelace',
      'payment_method_data[billing_details][email]': 'ada@example.com',
      'mandate_data[customer_acceptance][type]': 'online',
      'mandate_data[customer_acceptance][accepted_at]': '1767323045',
      'mandate_data[customer_acceptance][online][ip_address]': '203.0.113.7',
      'mandate_data[customer_acceptance][online][user_agent]': 'Firefox',
    },
  ],
  [
    'stripe-ach',
    ACH,
    'USD',
    {
      'payment_method_data[type]': 'us_bank_account',
      'payment_method_data[us_bank_account][account_number]': '000123456789',
      'payment_method_data[us_bank_account][routing_number]': '110000000',
      'payment_method_data[us_bank_account][account_type]': 'checking',
      'payment_method_data[us_bank_account][account_holder_type]': 'company',
      'payment_method_data[billing_details][name]': 'Analytical Engines',
    },
  ],
  [
    'stripe-bacs',
    BACS,
    'GBP',
    {
      'payment_method_data[type]': 'bacs_debit',
      'payment_method_data[bacs_debit][account_number]': '00012345',
      'payment_method_data[bacs_debit][sort_code]': '108800',
    },
  ],
];

describe('a debit of a bank account', () => {
  it.each(EXPECTED)('as %s is one call, with the mandate', async (definition, bank, currency, form) => {
    stub.answer({ body: processing({ currency: currency.toLowerCase() }) });
    expect(await debit(definition, bank, { amount: 1099, currency })).toMatchObject({
      ...{ kind: 'accepted', reference: 'pi_1' },
    });
    expect(stub.arrived).toHaveLength(1);
    expect(stub.arrived[0]?.headers['idempotency-key']).toBe(KEY);
    expect(stub.arrived[0]?.form).toMatchObject({ capture_method: 'automatic', ...form });
    expect('mandate_data[customer_acceptance][type]' in (stub.arrived[0]?.form ?? {})).toBe(
      bank.mandate !== null,
    );
  });

  it('without an address of the buyer was accepted elsewhere', async () => {
    stub.answer({ body: processing() });
    await debit('stripe-sepa', { ...SEPA, mandate: { ...MANDATE, userAgent: null } });
    expect(stub.arrived[0]?.form).toMatchObject({ 'mandate_data[customer_acceptance][type]': 'offline' });
  });

  it('announces the day and the mandate of Stripe', async () => {
    const details = { sepa_debit: { expected_debit_date: '2026-11-27', mandate: 'mandate_1' } };
    stub.answer(
      { body: processing({ currency: 'eur', latest_charge: bankCharge(details) }) },
      { body: { id: 'mandate_1', payment_method_details: { sepa_debit: { reference: 'ABCD1234' } } } },
    );
    expect(await debit('stripe-sepa', SEPA)).toMatchObject({
      debit: { debitsOn: '2026-11-27', mandateReference: 'ABCD1234', creditorId: null },
    });
  });

  it('is accepted also where Stripe does not show the mandate', async () => {
    const details = { bacs_debit: { expected_debit_date: 'soon', mandate: 'mandate_1' } };
    stub.answer(
      { body: processing({ latest_charge: bankCharge(details) }) },
      { status: 404, body: errorOf({}) },
    );
    expect(await debit('stripe-bacs', BACS)).toMatchObject({
      ...{ kind: 'accepted', debit: { debitsOn: null, mandateReference: null } },
    });
  });

  it('whose account must be verified waits for the payer, to whom Stripe writes', async () => {
    const next_action = {
      type: 'verify_with_microdeposits',
      verify_with_microdeposits: { hosted_verification_url: 'https://payments.stripe.com/verify' },
    };
    stub.answer({ body: processing({ status: 'requires_action', next_action }) });
    expect(await debit('stripe-ach', ACH)).toMatchObject({ kind: 'accepted', reference: 'pi_1' });
  });

  it('that the bank refused later is declined', async () => {
    const last_payment_error = { type: 'card_error', code: 'account_closed', message: 'Closed.' };
    stub.answer({ body: page(processing({ status: 'requires_payment_method', last_payment_error })) });
    expect(
      await stub.connector.lookup(stub.context('stripe-sepa'), {
        ...{ key: KEY, verb: 'authorize', reference: null, money: { amount: 1099, currency: 'EUR' } },
        ...{ createdAt: new Date(), approval: null, resuming: false },
      }),
    ).toMatchObject({ kind: 'declined', errorCode: 'canceled_payment_method' });
  });

  it('takes no card', async () => {
    expect(await stub.connector.authorize(stub.context('stripe-sepa'), authorization())).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unsupported_payment_method' },
    });
    expect(stub.arrived).toEqual([]);
  });
});

const page = (...data: readonly object[]) => ({ object: 'list', data, has_more: false });
