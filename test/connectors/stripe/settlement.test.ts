import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { fetchSettlements } from '../../../src/connectors/calls/call-settlements.ts';
import { errorOf, KEY, page } from './objects.ts';
import { openStub } from './stub.ts';

const stub = await openStub();

const LOG = pino({ level: 'silent' });
const SINCE = new Date('2026-11-20T00:00:00Z');
const NOW = new Date('2026-11-24T12:00:00Z');
const seconds = (date: Date) => String(date.getTime() / 1_000);

const fetch = (cursor: string | null = null, now = NOW) =>
  fetchSettlements(stub.connector, stub.context(), LOG, {
    ...{ cursor, since: SINCE, now },
    booked: () => Promise.reject(new Error('A real provider has no use for the books')),
  });

const entry = (changes: object = {}) => ({
  ...{ id: 'txn_1', object: 'balance_transaction', type: 'charge', reporting_category: 'charge' },
  ...{ amount: 1099, fee: 62, net: 1037, currency: 'usd', exchange_rate: null },
  ...{ created: 1_795_500_000, available_on: Date.UTC(2026, 10, 26) / 1_000 },
  source: {
    ...{ id: 'ch_1', object: 'charge', amount: 1099, amount_captured: 1099, currency: 'usd' },
    ...{ payment_intent: 'pi_1', metadata: { paygraph_operation: KEY } },
  },
  ...changes,
});

const pageOf = async (...entries: readonly object[]) => {
  stub.answer({ body: page(entries) });
  const answer = await fetch();
  if (answer.kind !== 'page') throw new Error(answer.kind);
  return answer;
};

describe('a page of settlements', () => {
  it('maps a charge with its names', async () => {
    const { entries, more } = await pageOf(entry());
    expect(entries).toEqual([
      {
        ...{ reference: 'txn_1', kind: 'charge', providerKind: 'charge', key: KEY },
        ...{ operationReference: 'ch_1', paymentReference: 'pi_1' },
        ...{ disputeReference: null, payoutReference: null, gross: 1099, capturedTotal: 1099, fee: 62 },
        ...{ net: 1037, currency: 'USD' },
        ...{ original: null, exchangeRate: null, settledOn: '2026-11-26' },
      },
    ]);
    expect(more).toBe(false);
    expect(stub.arrived[0]).toMatchObject({
      call: 'GET /v1/balance_transactions',
      form: {
        ...{ 'created[gte]': seconds(SINCE), 'created[lt]': seconds(NOW) },
        ...{ limit: '100', 'expand[]': 'data.source' },
      },
    });
  });

  it.each([
    ['payment', 'payment', 'py_1', 500, 'charge'],
    ['refund', 'refund', 're_1', -500, 'refund'],
    ['payment_refund', 'refund', 'pyr_1', -500, 'refund'],
    ['refund_failure', 'refund_failure', 're_1', 500, 'reversal'],
    ['payment_failure_refund', 'charge_failure', 'py_1', -500, 'reversal'],
    ['payment_reversal', 'charge_failure', 'py_1', -500, 'reversal'],
    ['adjustment', 'dispute', 'dp_1', -500, 'chargeback'],
    ['adjustment', 'dispute_reversal', 'dp_1', 500, 'chargeback_reversal'],
    ['adjustment', 'other_adjustment', null, -500, 'adjustment'],
    ['stripe_fee', 'fee', null, -500, 'fee'],
    ['payout', 'payout', 'po_1', -500, 'payout'],
    ['payout_failure', 'payout_reversal', 'po_1', 500, 'payout_reversal'],
    ['reserve_hold', 'risk_reserved_funds', null, -500, 'adjustment'],
    ['a_new_word', 'other', null, 500, 'unknown'],
  ])('%s (%s) of %s is a %s', async (type, reporting_category, id, amount, kind) => {
    const source =
      id === null ? null : { id, object: id.startsWith('dp_') ? 'dispute' : 'other', metadata: {} };
    const { entries } = await pageOf(
      entry({ type, reporting_category, amount, fee: 0, net: amount, source }),
    );
    expect(entries).toMatchObject([{ kind, gross: amount, net: amount }]);
  });

  it('names the dispute, the payment and the payout', async () => {
    const source = { id: 'dp_1', object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1', metadata: {} };
    const chargeback = entry({
      type: 'adjustment',
      reporting_category: 'dispute',
      amount: -1099,
      fee: 1500,
      net: -2599,
      source,
    });
    const payout = entry({ id: 'txn_2', type: 'payout', amount: -900, fee: 0, net: -900, source: 'po_1' });
    const { entries } = await pageOf(chargeback, payout);
    expect(entries).toMatchObject([
      {
        disputeReference: 'dp_1',
        operationReference: 'ch_1',
        paymentReference: 'pi_1',
        payoutReference: null,
      },
      { disputeReference: null, operationReference: null, paymentReference: null, payoutReference: 'po_1' },
    ]);
  });

  it('names the money before a conversion', async () => {
    const source = {
      id: 'ch_1',
      object: 'charge',
      amount: 500,
      amount_captured: 500,
      currency: 'jpy',
      metadata: {},
    };
    const { entries } = await pageOf(
      entry({ exchange_rate: 0.00654, source }),
      entry({ exchange_rate: 1e-7, source }),
    );
    expect(entries).toMatchObject([
      { original: { amount: 500, currency: 'JPY' }, exchangeRate: '0.00654' },
      { exchangeRate: '0.0000001' },
    ]);
  });

  it('leads from page to page, and then to the next stretch of time', async () => {
    stub.answer(
      { body: page([entry()], true) },
      { body: page([entry({ id: 'txn_0' })]) },
      { body: page([]) },
    );
    const first = await fetch();
    if (first.kind !== 'page') throw new Error(first.kind);
    expect(first.more).toBe(true);

    const second = await fetch(first.cursor, new Date('2026-11-24T13:00:00Z'));
    if (second.kind !== 'page') throw new Error(second.kind);
    expect(second.more).toBe(false);
    expect(stub.arrived[1]?.form).toMatchObject({
      ...{ 'created[gte]': seconds(SINCE), 'created[lt]': seconds(NOW), starting_after: 'txn_1' },
    });

    const later = new Date('2026-12-24T12:00:00Z');
    await fetch(second.cursor, later);
    expect(stub.arrived[2]?.form).toEqual({
      'created[gte]': seconds(new Date('2026-11-24T11:00:00Z')),
      'created[lt]': seconds(later),
      ...{ limit: '100', 'expand[]': 'data.source' },
    });
  });

  it.each([
    ['an amount that is no whole number', entry({ amount: 10.5 })],
    ['no day', entry({ available_on: null })],
    ['money that we cannot express', entry({ currency: 'isk', amount: 150, fee: 0, net: 150 })],
    ['amounts that do not add up', entry({ net: 1 })],
  ])('with %s keeps its other entries, and goes on after the last one', async (_, spoilt) => {
    stub.answer({ body: page([entry({ id: 'txn_0' }), spoilt], true) }, { body: page([]) });
    const read = await fetch();
    if (read.kind !== 'page') throw new Error(read.kind);
    expect(read.entries).toMatchObject([
      { reference: 'txn_0', kind: 'charge' },
      { reference: 'txn_1', kind: 'unreadable', gross: 0, net: 0, currency: 'XXX' },
    ]);
    await fetch(read.cursor);
    expect(stub.arrived[1]?.form).toMatchObject({ starting_after: 'txn_1' });
  });

  it('with an entry without an id goes on after the others, unless the entry is the last', async () => {
    stub.answer(
      { body: page([entry({ id: 7 }), entry()], true) },
      { body: page([entry(), entry({ id: 7 })], true) },
    );
    expect(await fetch()).toMatchObject({
      entries: [{ reference: 'txn_1' }, { reference: expect.stringMatching(/^sha256:/), kind: 'unreadable' }],
    });
    expect(await fetch()).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it('has the word of Stripe for its kind, also for an unknown one', async () => {
    const { entries } = await pageOf(entry({ type: 'quantum_fee' }), entry({ id: 'txn_2', type: 'topup' }));
    expect(entries).toMatchObject([
      { kind: 'unknown', providerKind: 'quantum_fee' },
      { kind: 'adjustment', providerKind: 'topup' },
    ]);
  });

  it.each([
    [401, errorOf({ message: 'Invalid API Key provided: sk_test_****stub' }), /^Invalid API Key/],
    [403, errorOf({ message: 'The key lacks a permission.' }), /^The key lacks/],
    [400, errorOf({ message: 'No such balance transaction.' }), /^No such/],
  ])('is refused by %i, with the words of Stripe', async (status, body, reason) => {
    stub.answer({ status, body });
    expect(await fetch()).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
  });

  it.each([500, 429])('is unknown after %i', async (status) => {
    stub.answer({ status, body: errorOf({}) });
    expect(await fetch()).toMatchObject({ kind: 'unknown', cause: 'server_error' });
  });
});
