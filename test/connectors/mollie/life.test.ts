import { describe, expect, it } from '@jest/globals';
import { answerOf } from '../../../src/connectors/mollie/exchange.ts';
import { NO_TIMING } from '../../../src/platform/http/http-client.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import { EUR, openStand } from './stand.ts';

const stand = await openStand();
const { connector, contextOf, double, begin, pay, lookUp, pass, now, sent } = stand;
const context = contextOf('mollie-card');

const MINUTE_MS = 60_000;

const cancelOf = (authorizationKey: string, reference: string | null, createdAt = now()) => ({
  ...{
    key: `cancel-of-${authorizationKey}`,
    authorizationKey,
    reference,
    money: EUR,
    createdAt,
    resuming: false,
  },
});

/** A look-up of an authorisation without Mollie's id. */
const searchOf = (key: string, createdAt = now()) => ({
  ...{
    verb: 'authorize' as const,
    key,
    reference: null,
    money: EUR,
    createdAt,
    approval: null,
    resuming: false,
  },
});

const ARRIVED = { kind: 'unknown', arrived: true };

describe('a card with a page', () => {
  it.each([
    [1001, 'unknown_payment_method'],
    [1002, 'incorrect_cvv'],
    [1003, 'invalid_payment_method'],
    [1004, 'expired_payment_method'],
    [1005, 'unsupported_payment_method'],
    [1006, 'issuer_decline'],
    [1007, 'insufficient_funds'],
    [1008, 'canceled_payment_method'],
    [1009, 'suspected_fraud'],
  ])('is declined with the reason of %i euros', async (euros, errorCode) => {
    const { key, reference } = await pay({ money: { amount: euros * 100, currency: 'EUR' } });

    expect(await lookUp({ verb: 'authorize', key, reference })).toMatchObject({
      kind: 'declined',
      errorCode,
    });
  });

  it.each([
    ['authentication_failed', 'failed', 'failed_buyer_approval'],
    ['authentication_abandoned', 'failed', 'cancelled_buyer_approval'],
    ['authentication_required', 'declined', 'requires_buyer_authentication'],
    [null, 'declined', 'other_decline'],
    ['a_new_reason', 'declined', 'other_decline'],
  ])('fails for the reason %s as %s: %s', async (reason, kind, errorCode) => {
    const { key, reference } = await begin();
    double.hands.fail(reference, reason);

    expect(await lookUp({ verb: 'authorize', key, reference })).toMatchObject({
      ...{ kind, errorCode, rawResponseCode: reason ?? 'failed' },
    });
  });

  it('tells the scheme, the last digits and the country of the card', async () => {
    const { key, reference } = await pay();

    expect(await lookUp({ verb: 'authorize', key, reference })).toMatchObject({
      kind: 'succeeded',
      card: { scheme: 'visa', bin: null, lastFour: '9996', expirationDate: null },
      cardCountry: 'NL',
    });
  });

  it('that nobody captured in time is no decline, and its books tell an expiry', async () => {
    const { key, reference } = await pay();
    double.hands.fail(reference);

    expect(await lookUp({ verb: 'authorize', key, reference })).toMatchObject({
      kind: 'succeeded',
      money: EUR,
    });
    const books = await connector.readBooks?.(context, { reference, createdAt: now(), currency: 'EUR' });
    expect(books).toMatchObject({
      state: 'expired',
      authorized: EUR,
      notices: [{ verb: 'authorize', key, outcome: { kind: 'expired' } }],
    });
  });
});

describe('a card token that needs no authentication', () => {
  const DECLINED = { token: 'tkn_direct', money: { amount: 100_600, currency: 'EUR' } };

  it('pays at once', async () => {
    expect((await begin({ token: 'tkn_direct' })).outcome).toMatchObject({ kind: 'succeeded', money: EUR });
  });

  it.each([400, 422] as const)(
    'fails when Mollie declines the token with %i, and makes no payment',
    async (status) => {
      double.hands.declineAs(status);
      const { length } = double.payments();

      expect((await begin(DECLINED)).outcome).toMatchObject({
        ...{ kind: 'failed', reference: null, errorCode: 'invalid_service_request' },
      });
      expect(double.payments()).toHaveLength(length);
    },
  );

  it('stays undecided when the list cannot be read after a 400', async () => {
    double.hands.declineAs(400);
    double.failNext(['error_before_work'], /^GET \/v2\/payments\?/);

    expect((await begin(DECLINED)).outcome).toMatchObject(ARRIVED);
  });
});

describe('a 400 of a payment', () => {
  it('leads to the payment of the key, which a restore forgot', async () => {
    const { request, reference } = await begin();
    const other = { ...request, merchantReference: 'order-8' };

    expect(await connector.authorize(context, other)).toMatchObject({ kind: 'accepted', reference });
    expect(await connector.authorize(context, { ...other, isRepeat: true })).toMatchObject(ARRIVED);
  });

  it('reads no further back than Mollie keeps a key', async () => {
    double.hands.declineAs(400);
    for (let count = 0; count < 260; count += 1) await begin({}, 'mollie-ideal');
    pass(26 * 60 * MINUTE_MS);
    await begin({}, 'mollie-ideal');
    const { length } = double.requests;

    await begin({ token: 'tkn_direct', money: { amount: 100_600, currency: 'EUR' } });

    expect(double.requests.slice(length).map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it.each([
    ['names a field', { field: 'locale' }, 'POST', { kind: 'refused' }],
    ['names no field', {}, 'POST', { kind: 'unknown', unknown: ARRIVED }],
    ['is of a read', {}, 'GET', { kind: 'refused' }],
  ] as const)('is sorted when it %s', (_, more, method, expected) => {
    const body = JSON.stringify({ status: 400, title: 'Bad Request', detail: 'Wrong.', ...more });

    expect(answerOf({ status: 400, body }, method)).toMatchObject(expected);
  });
});

describe('a stored card', () => {
  const STORING = { ...authorization(EUR).series, tokenizes: true, store: true };

  it('is stored by a first payment, and pays again without the buyer until it is revoked', async () => {
    const { key, reference } = await pay({ series: STORING, capture: true });
    const first = await lookUp({ verb: 'authorize', key, reference });
    const token = first?.kind === 'succeeded' ? (first.recurringToken ?? '') : '';
    expect(token).toMatch(/^cst_\w+\/mdt_\w+$/);

    const series = { ...authorization(EUR).series, merchantInitiated: true, isSubsequentPayment: true };
    const again = await begin({ token, series, capture: true, returnUrl: null });
    expect(again.outcome).toMatchObject({ kind: 'succeeded', money: EUR });
    expect(sent('/v2/payments')).toMatchObject({ sequenceType: 'recurring' });
    expect(sent('/v2/payments')).not.toHaveProperty('redirectUrl');

    const revocation = { key: 'revocation-1', mandate: token };
    expect(await connector.revokeMandate?.(context, revocation)).toEqual({ kind: 'revoked' });
    expect(await connector.revokeMandate?.(context, revocation)).toEqual({ kind: 'revoked' });
    expect((await begin({ token, series })).outcome).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unknown_payment_method' },
    });
  });

  it('gets no payment when its customer was not created', async () => {
    double.failNext(['lose_answer'], /^POST \/v2\/customers$/);
    const { length } = double.payments();

    const { outcome } = await begin({ series: STORING });

    expect(outcome).toEqual({ kind: 'unknown', cause: 'connection', sent: false });
    expect(double.payments()).toHaveLength(length);
  });
});

describe('a cancel', () => {
  it('ends a payment that Mollie can cancel', async () => {
    const { key, reference } = await begin();

    expect(await connector.cancel(context, cancelOf(key, reference))).toMatchObject({ kind: 'succeeded' });
    expect(await connector.cancel(context, cancelOf(key, reference))).toMatchObject({ kind: 'succeeded' });
  });

  it('waits for the end of a payment that Mollie cannot cancel', async () => {
    const { key, reference } = await begin({}, 'mollie-ideal');
    const cancel = cancelOf(key, reference);

    expect(await connector.cancel(context, cancel)).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await lookUp({ verb: 'cancel', key: cancel.key, reference })).toBeNull();
    double.hands.expire(reference);
    expect(await lookUp({ verb: 'cancel', key: cancel.key, reference })).toMatchObject({ kind: 'succeeded' });
  });

  it('releases a payment that was authorised meanwhile', async () => {
    const { key, reference } = await pay();

    expect(await connector.cancel(context, cancelOf(key, reference))).toMatchObject({ kind: 'succeeded' });
    expect(double.payments().find(({ id }) => id === reference)?.status).toBe('canceled');
  });

  it('fails for a payment whose money was taken meanwhile', async () => {
    const { key, reference } = await pay({ capture: true });

    expect(await connector.cancel(context, cancelOf(key, reference))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unexpected_state' },
    });
  });

  it('finds a payment whose answer was lost', async () => {
    double.failNext(['lose_answer'], /^POST \/v2\/payments$/);
    const { key, outcome } = await begin();
    expect(outcome.kind).toBe('unknown');

    expect(await connector.cancel(context, cancelOf(key, null))).toMatchObject({ kind: 'succeeded' });
    expect(double.payments().find((each) => each.key === key)?.status).toBe('canceled');
  });

  it('takes the key of a payment that never arrived, so that a late request makes no payment', async () => {
    const late = authorization(EUR, { card: null, returnUrl: RETURN_URL });
    const cancel = cancelOf(late.key, null);

    expect(await connector.cancel(context, cancel)).toMatchObject({ kind: 'succeeded' });
    expect(await connector.cancel(context, cancel)).toMatchObject({ kind: 'succeeded' });

    expect(await connector.authorize(context, late)).toMatchObject({ kind: 'failed', reference: null });
    expect(await connector.authorize(context, { ...late, isRepeat: true })).toMatchObject(ARRIVED);
    expect(double.payments().filter((each) => each.key === late.key)).toHaveLength(1);
    expect(await lookUp({ verb: 'authorize', key: late.key, reference: null })).toBeNull();
  });

  it('proves nothing after Mollie may have forgotten the key', async () => {
    const { key } = authorization(EUR);
    const createdAt = new Date(now().getTime() - 51 * MINUTE_MS);

    expect(await connector.cancel(context, cancelOf(key, null, createdAt))).toEqual({
      ...{ kind: 'unknown', cause: 'server_error' },
    });
  });
});

describe('the end of the time of a buyer', () => {
  const followUp = ({ key, reference }: { readonly key: string; readonly reference: string }) => ({
    ...{ key, reference, money: EUR },
  });

  it('leaves a payment open that Mollie cannot cancel, because the buyer may still pay', async () => {
    const begun = await begin({}, 'mollie-ideal');

    expect(await connector.abandon?.(context, followUp(begun))).toMatchObject({ kind: 'accepted' });
    double.hands.expire(begun.reference);
    expect(await connector.abandon?.(context, followUp(begun))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'incomplete_buyer_approval' },
    });
  });
});

describe('a capture that never came', () => {
  it.each([
    ['was released', (id: string) => double.hands.release(id)],
    ['was captured by a person', (id: string) => double.hands.capture(id, 1299)],
    ['has expired', (id: string) => double.hands.expire(id)],
  ] as const)('is not found while the payment is held, and has failed once it %s', async (_, end) => {
    const { reference } = await pay();
    const { key } = authorization(EUR);
    expect(await lookUp({ verb: 'capture', key, reference })).toBeNull();

    end(reference);

    expect(await lookUp({ verb: 'capture', key, reference })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unexpected_state' },
    });
  });
});

describe('a release', () => {
  it('is only received while the bank has not answered', async () => {
    const { reference } = await pay();
    double.hands.slowBank(true);
    const release = { key: 'release-1', reference, money: EUR };

    expect(await connector.void(context, release)).toMatchObject({ kind: 'accepted', reference });
    expect(await lookUp({ verb: 'void', key: release.key, reference })).toBeNull();
    double.hands.slowBank(false);
    double.hands.release(reference);
    expect(await lookUp({ verb: 'void', key: release.key, reference })).toMatchObject({ kind: 'succeeded' });
  });
});

describe('a lost refund', () => {
  it('is found in the list after Mollie has forgotten its key, and is not made twice', async () => {
    const { reference, key: payment } = await pay({ capture: true });
    const refund = {
      ...{ key: authorization(EUR).key, reference, money: EUR },
      captures: [{ key: payment, reference, amount: 1299 }],
    };
    double.failNext(['lose_answer'], /\/refunds$/);
    expect(await connector.refund(context, refund)).toMatchObject({ kind: 'unknown' });
    pass(61 * MINUTE_MS);

    expect(await connector.refund(context, refund)).toMatchObject({ kind: 'accepted' });
    expect(double.payments().find(({ id }) => id === reference)?.refunds).toHaveLength(1);
  });

  it('stays unknown when an equal refund was made a moment ago', async () => {
    const { reference, key: payment } = await pay({ capture: true });
    const money = { amount: 100, currency: 'EUR' };
    const refund = () => ({
      ...{ key: authorization(EUR).key, reference, money },
      captures: [{ key: payment, reference, amount: 100 }],
    });
    expect(await connector.refund(context, refund())).toMatchObject({ kind: 'accepted' });
    const second = refund();

    expect(await connector.refund(context, second)).toEqual({ kind: 'unknown', cause: 'server_error' });
    pass(MINUTE_MS);
    expect(await connector.refund(context, second)).toMatchObject({ kind: 'accepted' });
  });

  it('is refused for the life of its key if Mollie keeps the refusal, and never counts as failed', async () => {
    double.hands.keepRefusals(true);
    const { reference, key: payment } = await pay({ capture: true });
    const refund = () => ({
      ...{ key: authorization(EUR).key, reference, money: { amount: 100, currency: 'EUR' } },
      captures: [{ key: payment, reference, amount: 100 }],
    });
    await connector.refund(context, refund());
    const second = refund();
    expect(await connector.refund(context, second)).toEqual({ kind: 'unknown', cause: 'server_error' });

    pass(49 * MINUTE_MS);

    expect(await connector.refund(context, second)).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await lookUp({ verb: 'refund', key: second.key, reference })).toBeNull();
    expect(double.payments().find(({ id }) => id === reference)?.refunds).toHaveLength(1);
    double.hands.keepRefusals(false);
  });
});

describe('a search without an id', () => {
  it('goes through the pages, and ends at the first older payment', async () => {
    double.failNext(['lose_answer'], /^POST \/v2\/payments$/);
    const lost = await begin();
    const createdAt = now();
    pass(1_000);
    for (let count = 0; count < 260; count += 1) await begin({}, 'mollie-ideal');
    const reads = () => double.requests.filter(({ method }) => method === 'GET').length;
    const before = reads();

    const found = await connector.lookup(context, searchOf(lost.key, createdAt));

    expect(found).toMatchObject({ kind: 'accepted', approvalUrl: expect.stringMatching(/checkout/) });
    expect(reads() - before).toBe(2);
  });

  it('is unknown behind more newer payments than it reads, and never "not there"', async () => {
    double.failNext(['lose_answer'], /^POST \/v2\/payments$/);
    const lost = await begin();
    const search = searchOf(lost.key);
    pass(1_000);

    double.hands.makeOthers(4_999);
    expect(await connector.lookup(context, search)).toMatchObject({ kind: 'accepted' });
    double.hands.makeOthers(1);
    expect(await connector.lookup(context, search)).toEqual({ kind: 'unknown', cause: 'unreadable' });
    const clash = await begin({ key: lost.key, money: { amount: 1300, currency: 'EUR' } });
    expect(clash.outcome).toMatchObject(ARRIVED);
  });

  it('is unknown without the list', async () => {
    const body = '{"status":404,"title":"Not Found","detail":"Nothing."}';
    const reply = { status: 404, headers: {}, body, durationMs: 1, timing: NO_TIMING };
    const http = { ...context.http, send: () => Promise.resolve({ reply }) };

    expect(await connector.lookup({ ...context, http }, searchOf(authorization(EUR).key))).toEqual({
      ...{ kind: 'unknown', cause: 'unreadable' },
    });
  });
});
