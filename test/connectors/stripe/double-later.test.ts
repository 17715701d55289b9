import { describe, expect, it } from '@jest/globals';
import { CARD_PAYMENT, openBench, type Bench, type Given } from './double-client.ts';

const DAY_MS = 86_400_000;
const PAYMENTS = 'POST /v1/payment_intents';

const typesOf = ({ double }: Bench): readonly string[] => double.webhooks().map(({ type }) => type);

const debitOf = (iban: string): Given => ({
  ...{ amount: 1000, currency: 'eur', confirm: true, allowed_payment_method_types: ['sepa_debit'] },
  payment_method_data: {
    ...{ type: 'sepa_debit', sepa_debit: { iban } },
    billing_details: { name: 'Jenny Rosen', email: 'jenny@example.com' },
  },
  mandate_data: {
    customer_acceptance: { type: 'online', online: { ip_address: '203.0.113.1', user_agent: 'Browser' } },
  },
});

describe('bank debits of the double', () => {
  it.each([
    ['DE89370400440532013000', 'succeeded', 1000],
    ['DE62370400440532013001', 'requires_payment_method', 0],
  ])('decides about %s days later', async (iban, status, captured) => {
    const bench = openBench();
    const { json } = await bench.call(PAYMENTS, debitOf(iban));
    expect(json).toMatchObject({ status: 'processing', latest_charge: expect.stringMatching(/^py_/) });
    const cancel = await bench.error(`POST /v1/payment_intents/${String(json['id'])}/cancel`);
    expect(cancel).toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(typesOf(bench)).toEqual([
      ...['payment_intent.created', 'charge.pending', 'payment_intent.processing'],
    ]);
    bench.pass(4 * DAY_MS);
    expect(bench.double.books().payments[0]).toMatchObject({ status, captured });
    expect(typesOf(bench)).toEqual(
      captured > 0
        ? ['charge.succeeded', 'payment_intent.succeeded']
        : ['charge.failed', 'payment_intent.payment_failed'],
    );
  });

  it('takes a debit back after its success', async () => {
    const bench = openBench();
    await bench.call(PAYMENTS, debitOf('DE35370400440532013002'));
    bench.pass(4 * DAY_MS);
    expect(bench.double.books().payments[0]).toMatchObject({ status: 'succeeded', disputes: [] });
    bench.double.webhooks();
    bench.pass(3 * DAY_MS);
    expect(bench.double.books().payments[0]?.disputes).toMatchObject([{ amount: 1000, status: 'lost' }]);
    expect(typesOf(bench)).toEqual([
      ...['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed'],
    ]);
  });

  it('refuses an account that cannot exist, and a debit without a mandate or a name', async () => {
    const { error, double } = openBench();
    expect(await error(PAYMENTS, debitOf('DE89370400440532013001'))).toMatchObject({
      code: 'invalid_bank_account_iban',
    });
    const good = debitOf('DE89370400440532013000');
    const without = Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'mandate_data'));
    expect(await error(PAYMENTS, without)).toMatchObject({ code: 'payment_intent_mandate_invalid' });
    const nameless = { type: 'sepa_debit', sepa_debit: { iban: 'DE89370400440532013000' } };
    expect(await error(PAYMENTS, { ...good, payment_method_data: nameless })).toMatchObject({
      param: 'payment_method_data[billing_details][name]',
    });
    expect(double.books().payments).toEqual([]);
  });
});

describe('disputes of the double', () => {
  const DISPUTED = { payment_method: 'pm_card_createDispute' };

  const firstDispute = async ({ call }: Bench): Promise<Readonly<Record<string, unknown>>> => {
    const { json } = await call('GET /v1/disputes');
    return (json['data'] as Readonly<Record<string, unknown>>[])[0] ?? {};
  };

  it('opens a dispute, takes the money, and refuses a refund', async () => {
    const bench = openBench();
    const { id } = await bench.pay(DISPUTED);
    expect(await firstDispute(bench)).toMatchObject({
      ...{ object: 'dispute', status: 'needs_response', reason: 'fraudulent', amount: 1000 },
      ...{ payment_intent: id, evidence: { receipt: null, uncategorized_text: null } },
      balance_transactions: [{ amount: -1000, fee: 1500, net: -2500, type: 'adjustment' }],
    });
    expect(await bench.error('POST /v1/refunds', { payment_intent: id })).toMatchObject({
      ...{ status: 400, code: 'charge_disputed' },
    });
    expect(bench.double.books().payments[0]).toMatchObject({ captured: 1000, refunded: 0 });
  });

  it('takes evidence with a file, and decides by the documented texts', async () => {
    const bench = openBench();
    await bench.pay(DISPUTED);
    const { id } = await firstDispute(bench);
    const update = `POST /v1/disputes/${String(id)}`;
    expect(await bench.error(update, { evidence: { receipt: 'file_0' } })).toMatchObject({ status: 400 });
    const file = await upload(bench);
    const staged = await bench.call(update, { evidence: { receipt: file }, submit: false });
    expect(staged.json).toMatchObject({
      ...{ status: 'needs_response', evidence_details: { has_evidence: true, submission_count: 0 } },
    });
    const given = { evidence: { uncategorized_text: 'winning_evidence' } };
    expect((await bench.call(update, given)).json).toMatchObject({ status: 'under_review' });
    expect(await bench.error(update, given)).toMatchObject({ status: 400 });
    bench.pass(60_000);
    expect(await firstDispute(bench)).toMatchObject({ status: 'won', evidence: { receipt: file } });
  });

  it('gives up a dispute once, and loses one without a response', async () => {
    const bench = openBench();
    await bench.pay(DISPUTED);
    const { id } = await firstDispute(bench);
    const closed = await bench.call(`POST /v1/disputes/${String(id)}/close`);
    expect(closed.json['status']).toBe('lost');
    expect(await bench.error(`POST /v1/disputes/${String(id)}/close`)).toMatchObject({ status: 400 });
    await bench.pay(DISPUTED);
    bench.pass(9 * DAY_MS);
    expect(bench.double.books().payments.map(({ disputes }) => disputes[0]?.status)).toEqual([
      'lost',
      'lost',
    ]);
  });

  async function upload({ double }: Bench): Promise<string> {
    const body = [
      ...['--b', 'Content-Disposition: form-data; name="purpose"', '', 'dispute_evidence'],
      ...['--b', 'Content-Disposition: form-data; name="file"; filename="a.pdf"'],
      ...['Content-Type: application/pdf', '', '%PDF-1.7', '--b--', ''],
    ].join('\r\n');
    const answer = await double.handle({
      ...{ method: 'POST', path: '/v1/files', body },
      headers: {
        ...{ authorization: `Bearer ${double.secretKey}`, 'stripe-version': '2026-10-28.endive' },
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    const file = JSON.parse(answer?.body ?? '') as { readonly id: string; readonly size: number };
    expect(file.size).toBe(8);
    return file.id;
  }
});

describe('lists and searches of the double', () => {
  it('pages through a list from a time on, newest first', async () => {
    const { pay, call, pass } = openBench();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push((await pay()).id);
      pass(1000);
    }
    const created = { gte: Date.UTC(2026, 10, 1) / 1000 + 1 };
    const first = await call('GET /v1/payment_intents', { created, limit: 3 });
    const page = first.json['data'] as readonly { readonly id: string }[];
    expect([first.json['has_more'], page.map(({ id }) => id)]).toEqual([true, [ids[4], ids[3], ids[2]]]);
    const next = { created, limit: 3, starting_after: ids[2] ?? '' };
    expect((await call('GET /v1/payment_intents', next)).json).toMatchObject({
      ...{ object: 'list', has_more: false, data: [{ id: ids[1] }] },
    });
    expect((await call('GET /v1/payment_intents', { limit: 101 })).status).toBe(400);
  });

  it('finds a payment by its metadata only after a minute', async () => {
    const { pay, call, error, pass } = openBench();
    const { id } = await pay();
    const query = "metadata['paygraph_operation']:'operation-1'";
    const search = async (): Promise<unknown> =>
      (await call('GET /v1/payment_intents/search', { query })).json['data'];
    expect(await search()).toEqual([]);
    pass(60_000);
    expect(await search()).toMatchObject([{ id }]);
    expect(await error('GET /v1/payment_intents/search', { query: 'nonsense' })).toMatchObject({
      ...{ status: 400, param: 'query' },
    });
  });

  it('names the key of a request in its events', async () => {
    const { call } = openBench();
    await call(PAYMENTS, CARD_PAYMENT, 'key-1');
    const { json } = await call('GET /v1/events', { type: 'payment_intent.succeeded' });
    expect(json['data']).toMatchObject([
      { type: 'payment_intent.succeeded', request: { idempotency_key: 'key-1' } },
    ]);
  });

  it('books every movement, and pays the balance out', async () => {
    const { pay, call, double } = openBench();
    const { id: payment_intent } = await pay();
    await call('POST /v1/refunds', { payment_intent, amount: 300 });
    const payout = double.hands.payOut('usd') ?? '';
    const { json } = await call('GET /v1/balance_transactions', { payout, expand: ['data.source'] });
    const rows = (json['data'] as readonly Readonly<Record<string, unknown>>[]).map(
      ({ type, amount, fee, net, source }) => [type, amount, fee, net, (source as { object: string }).object],
    );
    expect(rows).toEqual([
      ['payout', -641, 0, -641, 'payout'],
      ['refund', -300, 0, -300, 'refund'],
      ['charge', 1000, 59, 941, 'charge'],
    ]);
    expect((await call(`GET /v1/payouts/${payout}`)).json).toMatchObject({ amount: 641, status: 'paid' });
    expect(double.hands.payOut('usd')).toBeNull();
  });
});
