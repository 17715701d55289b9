import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { App } from '../../../src/app.ts';
import { revokeMandate } from '../../../src/connectors/calls/call-mandate.ts';
import { openSession } from '../../../src/connectors/calls/call-session.ts';
import { verifyCredentials } from '../../../src/connectors/calls/call-verification.ts';
import type { Series } from '../../../src/connectors/interface/requests.ts';
import { seldom } from '../../simulation/seldom.ts';
import { DAY_MS, HOUR_MS, LOG, ORDERS, startDesk, USD } from './double-desk.ts';

const desk = await startDesk();
const { double, paypal, contextOf, call, pay, waitFor, resume, paid, captured, look, pass, bookOf } = desk;
afterEach(() => double.behave());
afterAll(() => desk.close());

const CAPTURE = /^POST .*\/authorizations\/\w+\/capture/;
const REFUND = /^POST .*\/refund/;

describe('a lost answer', () => {
  it.each([
    ['lose_answer', 'connection'],
    ['lose_request', 'connection'],
    ['error_before_work', 'server_error'],
    ['error_after_work', 'server_error'],
    ['maintenance', 'server_error'],
    ['truncated', 'unreadable'],
    ['unknown_word', 'unreadable'],
    ['other_amount', 'unreadable'],
    ['other_currency', 'unreadable'],
    ['lock_timeout', 'server_error'],
  ] as const)('of a capture (%s) is found by a repeat, and captures once', async (fault, cause) => {
    const { reference } = await paid();
    const requested = {
      verb: 'capture',
      key: randomUUID(),
      money: USD(1099),
      reference,
      final: true,
    } as const;
    double.failNext([fault], CAPTURE);
    expect(await call(requested)).toEqual({ kind: 'unknown', cause });
    expect(await call(requested)).toMatchObject({ kind: 'succeeded', money: USD(1099) });
    expect(await look('capture', requested)).toMatchObject({ kind: 'succeeded' });
    expect(bookOf(reference)?.captures).toHaveLength(1);
  });

  it('of a capture is found after PayPal has forgotten the key', async () => {
    const { reference } = await paid();
    const requested = {
      verb: 'capture',
      key: randomUUID(),
      money: USD(99),
      reference,
      final: false,
    } as const;
    double.failNext(['lose_answer'], CAPTURE);
    await call(requested);
    pass(46 * DAY_MS);
    expect(await call(requested)).toMatchObject({ kind: 'succeeded', money: USD(99) });
    expect(bookOf(reference)).toMatchObject({ captured: 99 });
  });

  it.each(['lose_answer', 'error_after_work', 'other_amount'] as const)(
    'of a completion (%s) is found by a repeat, and pays once',
    async (fault) => {
      const waiting = await waitFor({ capture: true });
      double.hands.decide(waiting.reference, 'approve');
      double.failNext([fault], ORDERS);
      expect(await resume(waiting)).toMatchObject({ kind: 'unknown' });
      pass(7 * HOUR_MS);
      expect(await resume(waiting)).toMatchObject({ kind: 'succeeded', money: USD(1099) });
      expect(bookOf(waiting.reference)).toMatchObject({ captured: 1099 });
    },
  );

  it('of a completion would decline a captured payment, if the refusal of the second one were taken for a decline', async () => {
    const waiting = await waitFor({ capture: true });
    double.hands.decide(waiting.reference, 'approve');
    double.failNext(['lose_answer'], ORDERS);
    await resume(waiting);
    pass(7 * HOUR_MS);
    const context = contextOf();
    const { http } = seldom.completedTwice.spoil()(context as unknown as App);

    expect(await resume(waiting, {}, { ...context, http })).toMatchObject({ kind: 'declined' });

    expect(bookOf(waiting.reference)).toMatchObject({ captured: 1099 });
    expect(await resume(waiting)).toMatchObject({ kind: 'succeeded' });
  });

  it('of an order is the same order on a repeat', async () => {
    double.failNext(['lose_answer'], ORDERS);
    const { requested, outcome } = await pay();
    expect(outcome).toEqual({ kind: 'unknown', cause: 'connection' });
    expect(await look('authorize', { key: requested.key, reference: null })).toBeNull();
    double.failNext(['forbidden'], 'GET /v1/reporting');
    expect(await look('authorize', { key: requested.key, reference: null })).toEqual({
      ...{ kind: 'unknown', cause: 'server_error' },
    });
    expect(await call(requested)).toMatchObject({ kind: 'accepted' });
    expect(double.books().payments.filter(({ requestId }) => requestId === requested.key)).toHaveLength(1);
  });

  it('of the first part of a refund is found, and of the second leaves nothing refunded twice', async () => {
    const { reference } = await paid();
    const captures = [await captured(reference, 300, false), await captured(reference, 700)];
    const requested = { verb: 'refund', key: randomUUID(), reference, money: USD(1000), captures } as const;
    for (const faults of [['lose_answer'], ['error_before_work']] as const) {
      double.failNext(faults, REFUND);
      expect(await call(requested)).toMatchObject({ kind: 'unknown' });
    }
    expect(await look('refund', requested)).toEqual({ kind: 'unknown', cause: 'unreadable' });
    pass(46 * DAY_MS);
    expect(await call(requested)).toMatchObject({ kind: 'succeeded', money: USD(1000) });
    expect(bookOf(reference)).toMatchObject({ refunded: 1000, refunds: [{ amount: 300 }, { amount: 700 }] });
  });

  it('before a change says that the change was not sent', async () => {
    const { reference } = await paid();
    const requested = { verb: 'capture', key: randomUUID(), money: USD(1), reference, final: true } as const;
    double.failNext(['lose_answer'], 'GET /v2/checkout/orders');
    expect(await call(requested)).toEqual({ kind: 'unknown', cause: 'connection', sent: false });
    expect(await call({ ...requested, reference: 'UNKNOWN' })).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs: 'unknown_service_resource' },
    });
    expect(bookOf(reference)).toMatchObject({ captured: 0 });
  });
});

describe('a refund', () => {
  it('whose later part is refused has no certain outcome, and its first part is refunded once', async () => {
    const { reference } = await paid();
    const captures = [await captured(reference, 300, false), await captured(reference, 700)];
    const requested = { verb: 'refund', key: randomUUID(), reference, money: USD(1000), captures } as const;
    double.hands.dispute(captures[1]?.reference ?? '');
    for (let count = 0; count < 2; count += 1)
      expect(await call(requested)).toEqual({ kind: 'unknown', cause: 'unreadable' });
    expect(bookOf(reference)).toMatchObject({ refunded: 300 });
  });

  it('of a capture that PayPal does not have refunds nothing, and the sentence says what to do', async () => {
    const { reference } = await paid();
    const real = await captured(reference, 700);
    const captures = [{ ...real, key: randomUUID(), reference, amount: 300 }, real];
    const requested = { verb: 'refund', key: randomUUID(), reference, money: USD(1000), captures } as const;
    expect(await call(requested)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unknown_service_resource' },
      rawResponseDescription: expect.stringContaining('refund the buyer there'),
    });
    expect(bookOf(reference)).toMatchObject({ refunded: 0 });
  });

  it.each([
    ['REFUND_TIME_LIMIT_EXCEEDED', 'failed', 'refund_period_expired'],
    ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'declined', 'service_decline'],
    ['CAPTURE_FULLY_REFUNDED', 'failed', 'refund_already_satisfied'],
  ])('that PayPal refuses with %s is %s: %s', async (issue, kind, errorCode) => {
    const { reference } = await paid();
    const captures = [await captured(reference, 300)];
    double.refuseNext(issue, 'POST /v2/payments/captures');
    const requested = { verb: 'refund', key: randomUUID(), reference, money: USD(300), captures } as const;
    expect(await call(requested)).toMatchObject({ kind, errorCode });
    expect(bookOf(reference)).toMatchObject({ refunded: 0 });
  });

  it.each([
    ['complete', { kind: 'succeeded', money: USD(300) }],
    ['deny', { kind: 'failed', errorCode: 'service_error' }],
  ] as const)('that waits ends with the decision: %s', async (decision, expected) => {
    const { reference } = await paid();
    const captures = [await captured(reference, 300)];
    double.hands.answerNext('PENDING', 'ECHECK');
    const requested = { verb: 'refund', key: randomUUID(), reference, money: USD(300), captures } as const;
    expect(await call(requested)).toMatchObject({ kind: 'accepted', rawResponseCode: 'ECHECK' });
    double.hands[decision](bookOf(reference)?.refunds[0]?.id ?? '');
    expect(await look('refund', requested)).toMatchObject(expected);
  });
});

describe('a session', () => {
  it('has the data of PayPal, and its completion pays', async () => {
    const waiting = await waitFor({ integrationClient: 'web', capture: true });
    expect(waiting.outcome).toMatchObject({ session: true });
    const { key, reference, money } = waiting;
    const request = { key, reference, money, capture: true, client: 'web' } as const;
    expect(await openSession(paypal, contextOf(), LOG, request)).toEqual({
      ...{ kind: 'opened', atProvider: true },
      data: {
        ...{ orderId: reference, clientId: double.clientId, merchantId: double.merchantId },
        ...{ currency: 'USD', intent: 'capture', fundingSource: 'paypal' },
      },
    });
    expect(await resume(waiting)).toMatchObject({ kind: 'accepted' });
    double.hands.decide(reference, 'approve');
    expect(await resume(waiting)).toMatchObject({ kind: 'succeeded', money });
  });
});

const ALONE: Series = {
  ...{ store: false, tokenizes: false, source: 'ecommerce', merchantInitiated: false },
  ...{ isSubsequentPayment: false, schemeTransactionId: null },
};
const STORING: Series = { ...ALONE, store: true, tokenizes: true, source: 'recurring' };
const LATER: Series = { ...ALONE, source: 'recurring', merchantInitiated: true, isSubsequentPayment: true };

describe('a stored method', () => {
  it.each([
    [true, 'merchant', LATER],
    [false, 'buyer', { ...ALONE, source: 'card_on_file' }],
  ] as const)(
    'pays again at once (sale: %s), started by the %s, until it is revoked',
    async (capture, _, series) => {
      const { outcome } = await paid({ series: STORING });
      const token = outcome.recurringToken ?? '';
      expect(token).not.toBe('');
      const { requested, outcome: again } = await pay({ token, series, capture });
      expect(again).toMatchObject({ kind: 'succeeded', money: USD(1099) });
      expect(await call(requested)).toEqual(again);
      expect(
        await look('authorize', {
          key: requested.key,
          reference: 'reference' in again ? again.reference : null,
        }),
      ).toEqual(again);

      const revocation = { key: randomUUID(), mandate: token };
      for (let count = 0; count < 2; count += 1)
        expect(await revokeMandate(paypal, contextOf(), LOG, revocation)).toEqual({ kind: 'revoked' });
      expect((await pay({ token, series, capture })).outcome).toMatchObject({
        ...{ kind: 'failed', errorCode: 'unknown_payment_method' },
      });
    },
  );

  it('pays once, although the answer was lost and PayPal has forgotten the key', async () => {
    const { outcome } = await paid({ series: STORING });
    double.failNext(['lose_answer'], ORDERS);
    const { requested } = await pay({ token: outcome.recurringToken ?? '', series: LATER, capture: true });
    pass(7 * HOUR_MS);
    expect(await call(requested)).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });
    expect(await look('authorize', { key: requested.key, reference: null })).toMatchObject({
      ...{ kind: 'succeeded', money: USD(1099) },
    });
    expect(double.books().payments.filter(({ customId }) => customId === requested.key)).toMatchObject([
      { captured: 1099 },
    ]);
  });

  it('is refused in a form that PayPal does not have, before the call', async () => {
    const before = double.requests.length;
    expect((await pay({ token: '../../x', series: LATER })).outcome).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unknown_payment_method' },
    });
    expect(double.requests.length).toBe(before);
  });
});

describe('the access token', () => {
  it('is asked for once, and once more when PayPal refuses it', async () => {
    await pay();
    const issued = double.tokensIssued();
    await pay();
    expect(double.tokensIssued()).toBe(issued);
    double.failNext(['expired_token'], ORDERS);
    expect((await pay()).outcome).toMatchObject({ kind: 'accepted' });
    expect(double.tokensIssued()).toBe(issued + 1);
  });

  it('that PayPal does not give says that the payment was not sent', async () => {
    const context = contextOf({ client_secret: 'another-secret' });
    expect((await pay({}, context)).outcome).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs: 'invalid_service_credentials' },
    });
    expect(await verifyCredentials(paypal, context, LOG)).toMatchObject({ kind: 'refused' });
    expect(await verifyCredentials(paypal, contextOf(), LOG)).toEqual({ kind: 'accepted' });
    double.failNext(['maintenance'], 'POST /v1/oauth2');
    expect(await verifyCredentials(paypal, contextOf(), LOG)).toEqual({
      kind: 'unknown',
      cause: 'server_error',
    });
  });

  it.each([
    ['forbidden', 'insufficient_service_permissions'],
    ['rate_limited', 'service_rate_limit'],
  ] as const)(
    'does not help against %s, which says nothing of an earlier request',
    async (fault, refusedAs) => {
      double.failNext([fault], ORDERS);
      expect((await pay()).outcome).toEqual({
        ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs },
      });
    },
  );
});
