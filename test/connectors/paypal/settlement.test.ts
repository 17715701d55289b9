import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { fetchSettlements } from '../../../src/connectors/calls/call-settlements.ts';
import { storableKey } from '../../../src/connectors/reading/notice-words.ts';
import { kindOf } from '../../../src/connectors/paypal/settlements/event-codes.ts';
import { movement } from '../../../src/connectors/paypal/settlements/report-answers.ts';
import { entryOf } from '../../../src/connectors/paypal/settlements/settlement-entry.ts';
import type { SettlementEntry } from '../../../src/connectors/notices/settlements.ts';
import { money, ORDER } from './double-client.ts';
import { openStand, type Stand } from './stand.ts';

const KEY = '0199fc3e-7d4a-7c55-9d3e-2f1b6a0c4d5e';
const REFUND_KEY = '0199fc3e-7d4a-7c55-9d3e-2f1b6a0c4d60';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a movement', () => {
  it.each([
    ['T0006', 1, 'charge'],
    ['T0006', -1, 'adjustment'],
    ['T0113', -1, 'fee'],
    ['T0403', -1, 'payout'],
    ['T0403', 1, 'payout_reversal'],
    ['T1101', 1, 'payout_reversal'],
    ['T1106', -1, 'reversal'],
    ['T1107', -1, 'refund'],
    ['T1107', 1, 'reversal'],
    ['T1109', 1, 'fee'],
    ['T1110', -1, 'chargeback'],
    ['T1111', 1, 'chargeback_reversal'],
    ['T1201', -1, 'chargeback'],
    ['T1202', 1, 'chargeback_reversal'],
    ['T0200', -1, 'adjustment'],
    ['T2103', -1, 'adjustment'],
    ['T9999', 1, 'adjustment'],
    ['T6101', 1, 'unknown'],
    ['QUANTUM', 1, 'unknown'],
  ])('%s of %i is a %s', (code, units, kind) => {
    expect(kindOf(code, units)).toBe(kind);
  });

  const given = (changes: object) =>
    entryOf(
      movement.parse({
        ...{ transaction_id: 'M1', transaction_event_code: 'T0006', transaction_status: 'S' },
        ...{ transaction_initiation_date: '2026-11-01T23:30:00-0800', transaction_amount: money('12.99') },
        ...changes,
      }),
    );

  it('has its sign, its fee and the day of the account', () => {
    expect(given({ fee_amount: money('-0.94') })).toMatchObject({
      ...{ gross: 1299, fee: 94, net: 1205, currency: 'USD', settledOn: '2026-11-01' },
    });
    const yen = { transaction_amount: money('-500', 'JPY'), fee_amount: money('30', 'JPY') };
    expect(given({ ...yen, transaction_event_code: 'T1107' })).toMatchObject({
      ...{ kind: 'refund', gross: -500, fee: -30, net: -470, currency: 'JPY' },
    });
    expect(given({})).toMatchObject({ gross: 1299, fee: 0, net: 1299 });
  });

  it.each([
    ['an amount that we cannot express', { transaction_amount: money('1.234') }],
    ['an amount that is no number', { transaction_amount: money('--1') }],
    ['a fee in another currency', { fee_amount: money('-0.94', 'EUR') }],
  ])('with %s is none', (_, changes) => {
    expect(given(changes)).toBeNull();
  });
});

/** Returns the reference of a capture. Some ids of the double pass the check of card numbers. */
const nameOf = (id: string): string => storableKey(`${id}:T0006`);

describe('the settlements', () => {
  let stand: Stand;
  let since: Date;
  beforeEach(async () => {
    stand = await openStand();
    since = stand.bench.now();
  });
  afterEach(() => stand.close());

  const fetch = (cursor: string | null = null, deadlineMs?: number) =>
    fetchSettlements(stand.connector, stand.context(deadlineMs), pino({ level: 'silent' }), {
      ...{ cursor, since, now: stand.bench.now() },
      booked: () => Promise.reject(new Error('A real provider has no use for the books')),
    });

  /** Fetches from a place to the end. */
  async function fetchAll(from: string | null = null) {
    const entries: SettlementEntry[] = [];
    for (let cursor = from; ;) {
      const answer = await fetch(cursor);
      if (answer.kind !== 'page') throw new Error(JSON.stringify(answer));
      entries.push(...answer.entries);
      ({ cursor } = answer);
      if (!answer.more) return { entries, cursor };
    }
  }

  const OURS = { purchase_units: [{ ...ORDER.purchase_units[0], custom_id: KEY, invoice_id: KEY }] };
  const queries = () =>
    stand.bench.double.requests
      .filter(({ path }) => path.startsWith('/v1/reporting'))
      .map(({ path }) => new URLSearchParams(path.split('?')[1]));

  it('name the order, the operation and our key', async () => {
    const { bench } = stand;
    const { orderId, id } = await bench.capture(OURS);
    const body = { amount: money('3.00'), custom_id: REFUND_KEY, invoice_id: REFUND_KEY };
    const refund = await bench.call(`POST /v2/payments/captures/${id}/refund`, body, REFUND_KEY);
    bench.pass(DAY_MS);

    const { entries } = await fetchAll();
    const none = { disputeReference: null, payoutReference: null, original: null, exchangeRate: null };
    const refundId = String(refund.json['id']);
    expect(entries).toEqual([
      {
        ...{ ...none, reference: `${id}:T0006`, kind: 'charge', key: KEY, operationReference: id },
        providerKind: 'T0006',
        ...{ paymentReference: orderId, gross: 1000, fee: 84, net: 916, currency: 'USD' },
        settledOn: '2026-11-01',
      },
      {
        ...{ ...none, reference: `${refundId}:T1107`, kind: 'refund', key: REFUND_KEY },
        providerKind: 'T1107',
        ...{ operationReference: refundId, paymentReference: null, captureReference: id },
        ...{ gross: -300, fee: 0, net: -300, currency: 'USD', settledOn: '2026-11-01' },
      },
    ]);
  });

  it('tell the money of a dispute from its capture', async () => {
    const { bench } = stand;
    const { id } = await bench.capture(OURS);
    bench.double.hands.decideDispute(bench.double.hands.dispute(id), 'lost');
    bench.pass(DAY_MS);
    const { entries } = await fetchAll();
    expect(entries.slice(1)).toMatchObject([
      { kind: 'chargeback', operationReference: id, gross: -1000 },
      { kind: 'chargeback_reversal', operationReference: id, gross: 1000 },
      { kind: 'reversal', operationReference: id, key: KEY, gross: -1000 },
    ]);
  });

  it('without the money of authorisations, pending and denied payments', async () => {
    const { bench } = stand;
    await bench.authorize();
    for (const status of ['PENDING', 'DECLINED'] as const) {
      bench.double.hands.answerNext(status);
      await bench.capture();
    }
    bench.pass(DAY_MS);
    expect((await fetchAll()).entries).toEqual([]);
  });

  it('of several pages overlap, and a repeated entry is the same', async () => {
    const { bench } = stand;
    for (let count = 0; count < 501; count += 1) await bench.capture();
    bench.pass(5 * HOUR_MS);
    const first = await fetchAll();
    expect(queries().map((query) => query.get('page'))).toEqual(['1', '2']);
    expect(new Set(first.entries.map(({ reference }) => reference)).size).toBe(501);

    await bench.capture();
    bench.pass(5 * HOUR_MS);
    const second = await fetchAll(first.cursor);
    expect(second.entries).toHaveLength(502);
    expect(second.entries.slice(0, 501)).toEqual(first.entries);
  });

  it('find a movement that appears late, or is decided days later', async () => {
    const { bench } = stand;
    bench.double.hands.answerNext('PENDING', 'ECHECK');
    const check = await bench.capture();
    bench.pass(2 * DAY_MS);
    const before = await fetchAll();
    expect(before.entries).toEqual([]);

    await bench.login();
    await bench.capture();
    const late = await fetchAll(before.cursor);
    expect(late.entries).toEqual([]);
    bench.pass(4 * HOUR_MS);
    const { entries, cursor } = await fetchAll(late.cursor);
    expect(entries).toHaveLength(1);

    bench.double.hands.complete(check.id);
    bench.pass(DAY_MS);
    const end = await fetchAll((await fetchAll(cursor)).cursor);
    expect(end.entries.map(({ operationReference }) => operationReference)).toContain(check.id);
  });

  it('of a long time come in stretches of at most 31 days', async () => {
    const { bench } = stand;
    for (let count = 0; count < 4; count += 1) {
      await bench.login();
      await bench.capture();
      bench.pass(25 * DAY_MS);
    }
    expect((await fetchAll()).entries).toHaveLength(4);
    const days = queries().map((query) => [query.get('start_date'), query.get('end_date')]);
    expect(days).toEqual([
      ['2026-11-01T00:00:00Z', '2026-12-02T00:00:00Z'],
      ['2026-12-02T00:00:00Z', '2027-01-02T00:00:00Z'],
      ['2027-01-02T00:00:00Z', '2027-02-02T00:00:00Z'],
      ['2027-02-02T00:00:00Z', '2027-02-09T00:00:00Z'],
    ]);
  });

  it('that are too many for one search come in smaller stretches', async () => {
    const { bench } = stand;
    await bench.capture();
    bench.pass(DAY_MS);
    bench.double.refuseNext('RESULTSET_TOO_LARGE', 'GET /v1/reporting', {
      status: 400,
      name: 'INVALID_REQUEST',
    });
    expect((await fetchAll()).entries).toHaveLength(1);
    expect(queries().map((query) => query.get('end_date'))).toEqual([
      ...['2026-11-02T00:00:00Z', '2026-11-01T12:00:00Z', '2026-11-02T00:00:00Z'],
    ]);
  });

  it('are not asked for before PayPal can have any', async () => {
    stand.bench.pass(3 * HOUR_MS);
    expect(await fetch()).toMatchObject({ kind: 'page', entries: [], more: false });
    expect(stand.bench.double.requests).toEqual([]);
  });

  it('are refused by an explicit no, with the words of PayPal', async () => {
    const { double, pass } = stand.bench;
    pass(DAY_MS);
    double.failNext(['forbidden']);
    expect(await fetch()).toEqual({
      ...{ kind: 'refused', reason: 'Authorization failed due to insufficient permissions.' },
    });
    double.failNext(['unauthorized', 'unauthorized']);
    expect(await fetch()).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('client_secret'),
    });
  });

  it.each([...(['error_before_work', 'maintenance', 'truncated', 'lose_answer'] as const)])(
    'are unknown after the fault %s',
    async (fault) => {
      const { bench } = stand;
      await bench.capture();
      bench.pass(DAY_MS);
      bench.double.failNext([fault], 'GET /v1/reporting');
      expect(await fetch()).toMatchObject({ kind: 'unknown' });
      expect(await fetch()).toMatchObject({ kind: 'page' });
    },
  );

  it.each([
    ['a new status', { transaction_status: 'Q' }],
    ['a fee in another currency', { fee_amount: money('-0.84', 'EUR') }],
    ['an amount that we cannot express', { transaction_amount: money('10.001') }],
    ['no amount', { transaction_amount: undefined }],
    ['no day', { transaction_initiation_date: 'yesterday' }],
  ])('keep the other movements beside one with %s, and read that one later', async (_, fields) => {
    const { bench } = stand;
    const odd = await bench.capture();
    const other = await bench.capture();
    bench.double.hands.show(odd.id, fields);
    bench.pass(5 * HOUR_MS);

    const { entries, cursor } = await fetchAll();
    const unread = { reference: nameOf(odd.id), kind: 'unreadable', gross: 0, currency: 'XXX' };
    expect(entries).toMatchObject([{ reference: nameOf(other.id), kind: 'charge' }, unread]);

    bench.double.hands.show(odd.id);
    const again = await fetchAll(cursor);
    expect(again.entries).toContainEqual(
      expect.objectContaining({ reference: nameOf(odd.id), kind: 'charge', gross: 1000 }),
    );
  });

  it('come back to a movement with a new status, until its status is known', async () => {
    const { bench } = stand;
    const odd = await bench.capture();
    bench.double.hands.show(odd.id, { transaction_status: 'Q' });
    bench.pass(5 * DAY_MS);
    const { cursor } = await fetchAll();

    bench.double.hands.show(odd.id);
    bench.pass(2 * DAY_MS);
    const first = await fetchAll(cursor);
    const { entries } = await fetchAll(first.cursor);
    expect([...first.entries, ...entries]).toContainEqual(
      expect.objectContaining({ reference: nameOf(odd.id), kind: 'charge' }),
    );
  });
});
