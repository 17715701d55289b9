import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CANCELLED } from '../../../src/connectors/paypal/payments/order-wire.ts';
import { DAY_MS, HOUR_MS, ORDERS, startDesk, USD } from './double-desk.ts';

const desk = await startDesk();
const { double, call, pay, waitFor, resume, paid, captured, look, pass, bookOf } = desk;
afterEach(() => double.behave());
afterAll(() => desk.close());

describe('a payment by redirect', () => {
  it('is authorised after the return, captured in parts, and refunded', async () => {
    const waiting = await waitFor();
    expect(waiting.outcome).toMatchObject({ approvalUrl: expect.stringMatching(/checkoutnow\?token=/) });
    expect(await look('authorize', waiting)).toEqual(waiting.outcome);
    double.hands.decide(waiting.reference, 'approve');
    expect(await look('authorize', waiting)).toMatchObject({ kind: 'accepted' });
    const authorized = await resume(waiting);
    expect(authorized).toMatchObject({ kind: 'succeeded', reference: waiting.reference, money: USD(1099) });
    expect(await resume(waiting)).toEqual(authorized);
    expect(await look('authorize', waiting)).toEqual(authorized);

    const { reference } = waiting;
    const first = await captured(reference, 300, false);
    const second = await captured(reference, 500, true);
    expect(bookOf(reference)).toMatchObject({
      ...{ intent: 'AUTHORIZE', authorized: 1099, captured: 800, held: 0 },
      captures: [{ invoiceId: first.key }, { invoiceId: second.key }],
    });
    expect(await look('capture', { ...first, reference, money: USD(300) })).toMatchObject({
      ...{ kind: 'succeeded', reference: first.reference, money: USD(300) },
    });
    const refund = {
      verb: 'refund',
      ...{ key: randomUUID(), reference, money: USD(400) },
      captures: [
        { ...first, amount: 300 },
        { ...second, amount: 100 },
      ],
    } as const;
    const refunded = await call(refund);
    expect(refunded).toMatchObject({ kind: 'succeeded', money: USD(400) });
    expect(await call(refund)).toEqual(refunded);
    expect(await look('refund', refund)).toEqual(refunded);
    expect(bookOf(reference)).toMatchObject({
      refunded: 400,
      refunds: [{ customId: `${refund.key}.1of2` }, { invoiceId: `${refund.key}.2of2` }],
    });
  });

  it('is a sale after the return, and refunded by its order', async () => {
    const { key, reference, outcome } = await paid({ capture: true });
    expect(outcome).toMatchObject({ kind: 'succeeded', money: USD(1099) });
    expect(bookOf(reference)).toMatchObject({ intent: 'CAPTURE', captured: 1099, customId: key });
    const refund = {
      verb: 'refund',
      ...{ key: randomUUID(), reference, money: USD(99) },
      captures: [{ key, reference, amount: 99 }],
    } as const;
    const refunded = await call(refund);
    expect(refunded).toMatchObject({ kind: 'succeeded', money: USD(99) });
    expect(await look('refund', refund)).toEqual(refunded);
    expect(await look('authorize', { key, reference })).toMatchObject({
      ...{ kind: 'succeeded', money: USD(1099), rawResponseCode: 'PARTIALLY_REFUNDED' },
    });
  });

  it('waits on while the buyer has not decided, and fails when the buyer cancels', async () => {
    const waiting = await waitFor();
    expect(await resume(waiting)).toMatchObject({
      ...{ kind: 'accepted', approvalUrl: expect.stringMatching(/^http/) },
    });
    const back = new URL(double.hands.decide(waiting.reference, 'cancel') ?? '');
    const returned = Object.fromEntries(back.searchParams);
    expect(returned).toEqual({ [CANCELLED]: 'true', token: waiting.reference });
    const before = double.requests.length;
    double.failNext(['lose_request'], 'GET /v2/checkout/orders');
    expect(await resume(waiting, returned)).toEqual({ kind: 'unknown', cause: 'connection' });
    expect(await resume(waiting, returned)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'cancelled_buyer_approval' },
    });
    // A completion could arrive late, after another approval.
    expect(double.requests.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(bookOf(waiting.reference)).toMatchObject({ authorized: 0, captured: 0 });
  });

  it('fails without a decision in time', async () => {
    const waiting = await waitFor();
    expect(await look('authorize', waiting, 'expired')).toMatchObject({
      ...{ kind: 'failed', errorCode: 'incomplete_buyer_approval' },
    });
    double.hands.decide(waiting.reference, 'approve');
    pass(4 * HOUR_MS);
    expect(await resume(waiting)).toMatchObject({ kind: 'failed', errorCode: 'incomplete_buyer_approval' });
  });

  it('goes on when the buyer approves in one window, and cancels in another', async () => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    expect(await resume(waiting, { [CANCELLED]: 'true' })).toMatchObject({
      ...{ kind: 'succeeded', money: USD(1099) },
    });
  });

  it('waits after its time while a completion may be late', async () => {
    const waiting = await waitFor();
    const late = () => look('authorize', waiting, 'expired', true);
    expect(await late()).toMatchObject({ kind: 'accepted' });
    double.hands.decide(waiting.reference, 'approve');
    expect(await late()).toMatchObject({ kind: 'accepted' });
    await resume(waiting);
    expect(await late()).toMatchObject({ kind: 'succeeded', money: USD(1099) });
  });

  it.each([
    ['PAYER_CANNOT_PAY', 'declined', 'insufficient_funds'],
    ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'declined', 'issuer_decline'],
    ['TRANSACTION_REFUSED', 'declined', 'refused_transaction'],
    ['COMPLIANCE_VIOLATION', 'declined', 'suspected_fraud'],
    ['PAYEE_ACCOUNT_RESTRICTED', 'failed', 'invalid_service_configuration'],
  ])('that PayPal refuses with %s is %s: %s', async (issue, kind, errorCode) => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    double.refuseNext(issue, ORDERS);
    expect(await resume(waiting)).toMatchObject({ kind, errorCode, rawResponseCode: issue });
    expect(bookOf(waiting.reference)).toMatchObject({ authorized: 0 });
  });

  it.each([
    ['INSTRUMENT_DECLINED', 'payer-action'],
    ['PAYMENT_SOURCE_DECLINED_BY_PROCESSOR', 'redirect'],
    ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'redirect'],
  ])('lets the buyer choose another source after %s, at the page %s', async (issue, rel) => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    const href = `https://www.paypal.com/checkoutnow?token=${waiting.reference}`;
    double.refuseNext(issue, ORDERS, { links: [{ href, rel, method: 'GET' }] });
    expect(await resume(waiting)).toMatchObject({
      ...{ kind: 'accepted', rawResponseCode: issue },
      approvalUrl: expect.stringContaining(`/checkoutnow?token=${waiting.reference}`),
    });
    expect(bookOf(waiting.reference)).toMatchObject({ authorized: 0 });
    double.hands.decide(waiting.reference, 'approve');
    expect(await resume(waiting)).toMatchObject({ kind: 'succeeded', money: USD(1099) });
    expect(bookOf(waiting.reference)).toMatchObject({ authorized: 1099 });
  });

  it('is declined where neither the refusal nor the order names a page', async () => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    double.refuseNext('REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', ORDERS);
    expect(await resume(waiting)).toMatchObject({ kind: 'declined', errorCode: 'issuer_decline' });
  });

  it('is unknown where the refusal names no page, and the order cannot be read', async () => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    double.refuseNext('REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', ORDERS);
    double.failNext(['lose_answer'], /^GET /);
    expect(await resume(waiting)).toMatchObject({ kind: 'unknown' });
    expect(await resume(waiting)).toMatchObject({ kind: 'succeeded', money: USD(1099) });
  });

  it('of a buyer who cancels in another window is declined with the source', async () => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    double.refuseNext('INSTRUMENT_DECLINED', ORDERS);
    expect(await resume(waiting, { [CANCELLED]: 'true' })).toMatchObject({
      ...{ kind: 'declined', errorCode: 'issuer_decline' },
    });
  });

  it.each([
    ['PENDING', 'complete', { kind: 'succeeded', money: USD(1099) }],
    ['PENDING', 'deny', { kind: 'declined', errorCode: 'service_decline' }],
  ] as const)('of a sale that is %s ends with the decision: %s', async (status, decision, expected) => {
    const waiting = await waitFor({ capture: true });
    double.hands.decide(waiting.reference, 'approve');
    double.hands.answerNext(status, 'ECHECK');
    expect(await resume(waiting)).toMatchObject({ kind: 'accepted', rawResponseCode: 'ECHECK' });
    double.hands[decision](bookOf(waiting.reference)?.captures[0]?.id ?? '');
    expect(await look('authorize', waiting)).toMatchObject(expected);
  });

  it('is refused before the call where PayPal cannot take the amount', async () => {
    const before = double.requests.length;
    for (const money of [{ amount: 1050, currency: 'HUF' }, { amount: 1, currency: 'TWD' }, USD(0)])
      expect((await pay({ money })).outcome).toMatchObject({
        ...{ kind: 'failed', errorCode: 'invalid_amount' },
        rawResponseDescription: expect.stringContaining('Give an amount above 0'),
      });
    expect(double.requests.length).toBe(before);
    expect((await pay({ money: { amount: 105_000, currency: 'HUF' } })).outcome.kind).toBe('accepted');
    expect(double.requests.at(-1)?.body).toMatch(/"value":"1050"/);
  });
});

describe('an authorisation', () => {
  it('is voided, and no capture follows', async () => {
    const { reference } = await paid();
    const requested = { verb: 'void', key: randomUUID(), money: USD(1099), reference } as const;
    const voided = await call(requested);
    expect(voided).toMatchObject({ kind: 'succeeded', reference });
    expect(await call({ ...requested, key: randomUUID() })).toEqual(voided);
    expect(await look('void', requested)).toEqual(voided);
    const capture = { verb: 'capture', key: randomUUID(), money: USD(1), reference, final: true } as const;
    expect(await call(capture)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(bookOf(reference)).toMatchObject({ held: 0, captured: 0 });
  });

  it('is not captured above its amount', async () => {
    const { reference } = await paid();
    await captured(reference, 1000, false);
    const capture = { verb: 'capture', key: randomUUID(), money: USD(100), reference, final: true } as const;
    expect(await call(capture)).toMatchObject({ kind: 'failed', errorCode: 'invalid_amount' });
    expect(bookOf(reference)).toMatchObject({ captured: 1000 });
  });

  it('is renewed, and the renewed one is captured', async () => {
    const { reference } = await paid();
    const requested = { key: randomUUID(), reference, money: USD(1099) };
    const renew = () => desk.paypal.reauthorize?.(desk.contextOf(), requested);
    expect(await renew()).toMatchObject({ kind: 'failed', errorCode: 'invalid_operation' });
    pass(4 * DAY_MS);
    const renewed = await renew();
    expect(renewed).toMatchObject({ kind: 'succeeded', reference, money: USD(1099) });
    expect(await renew()).toEqual(renewed);
    await captured(reference, 1099);
    expect(bookOf(reference)).toMatchObject({ captured: 1099, held: 0 });
  });
});

describe('a cancel', () => {
  const cancelOf = (authorizationKey: string, reference: string | null, createdAt = desk.now()) =>
    ({
      verb: 'cancel',
      ...{ key: randomUUID(), authorizationKey, reference, money: USD(1099), createdAt, resuming: false },
    }) as const;

  it('before the approval leaves nothing', async () => {
    const { key, reference } = await waitFor();
    const cancel = cancelOf(key, reference);
    const done = await call(cancel);
    expect(done).toMatchObject({ kind: 'succeeded', reference });
    expect(await look('cancel', cancel)).toEqual(done);
  });

  it('after a completion whose answer was lost releases the money', async () => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    double.failNext(['lose_answer'], ORDERS);
    expect(await resume(waiting)).toEqual({ kind: 'unknown', cause: 'connection' });
    expect(bookOf(waiting.reference)).toMatchObject({ held: 1099 });
    expect(await call(cancelOf(waiting.key, waiting.reference))).toMatchObject({ kind: 'succeeded' });
    expect(bookOf(waiting.reference)).toMatchObject({ held: 0, captured: 0 });
  });

  it('of an approved order keeps a late completion from holding money', async () => {
    const waiting = await waitFor();
    double.hands.decide(waiting.reference, 'approve');
    expect(await call(cancelOf(waiting.key, waiting.reference))).toMatchObject({ kind: 'succeeded' });
    expect(await resume(waiting)).toMatchObject({ kind: 'failed', errorCode: 'canceled' });
    expect(bookOf(waiting.reference)).toMatchObject({ held: 0, captured: 0 });
  });

  it('of an approved sale is not certain before PayPal has ended the order', async () => {
    const waiting = await waitFor({ capture: true });
    double.hands.decide(waiting.reference, 'approve');
    const cancel = cancelOf(waiting.key, waiting.reference);
    // With `arrived` the cancel would be looked up at once, and the order is not completed yet.
    expect(await call(cancel)).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await resume(waiting)).toMatchObject({ kind: 'succeeded' });
    expect(await call(cancel)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
  });

  describe('during a completion that is late', () => {
    it('releases an authorisation that the completion then makes', async () => {
      const waiting = await waitFor();
      const cancel = { ...cancelOf(waiting.key, waiting.reference), resuming: true };
      expect(await call(cancel)).toEqual({ kind: 'unknown', cause: 'server_error' });
      double.hands.decide(waiting.reference, 'approve');
      expect(await resume(waiting)).toMatchObject({ kind: 'succeeded' });
      expect(await call(cancel)).toMatchObject({ kind: 'succeeded', reference: waiting.reference });
      expect(bookOf(waiting.reference)).toMatchObject({ held: 0, captured: 0 });
    });

    it('releases an authorisation that the cancel itself makes after the approval', async () => {
      const waiting = await waitFor();
      const cancel = { ...cancelOf(waiting.key, waiting.reference), resuming: true };
      await call(cancel);
      double.hands.decide(waiting.reference, 'approve');
      expect(await call(cancel)).toMatchObject({ kind: 'succeeded', reference: waiting.reference });
      expect(await resume(waiting)).toMatchObject({ kind: 'failed', errorCode: 'canceled' });
      expect(bookOf(waiting.reference)).toMatchObject({ held: 0, captured: 0 });
    });

    it('ends with the order that nobody approves', async () => {
      const waiting = await waitFor();
      const cancel = { ...cancelOf(waiting.key, waiting.reference), resuming: true };
      await call(cancel);
      pass(3 * HOUR_MS);
      expect(await call(cancel)).toMatchObject({ kind: 'succeeded', reference: waiting.reference });
      expect(bookOf(waiting.reference)).toMatchObject({ held: 0, captured: 0 });
    });

    it('is refused after the completion of a sale', async () => {
      const waiting = await waitFor({ capture: true });
      const cancel = { ...cancelOf(waiting.key, waiting.reference), resuming: true };
      expect(await call(cancel)).toEqual({ kind: 'unknown', cause: 'server_error' });
      double.hands.decide(waiting.reference, 'approve');
      expect(await resume(waiting)).toMatchObject({ kind: 'succeeded' });
      expect(await call(cancel)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    });
  });

  it('of a sale that was captured is refused', async () => {
    const { key, reference } = await paid({ capture: true });
    expect(await call(cancelOf(key, reference))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unexpected_state' },
    });
  });

  it.each(['lose_answer', 'lose_request'] as const)(
    'without the id of the order, after %s, keeps a late request from paying',
    async (fault) => {
      double.failNext([fault], ORDERS);
      const { requested } = await pay();
      const cancel = cancelOf(requested.key, null);
      expect(await call(cancel)).toMatchObject({ kind: 'succeeded' });
      const orders = () => double.books().payments.filter(({ requestId }) => requestId === requested.key);
      expect(orders()).toHaveLength(1);
      expect(await call(requested)).toMatchObject({ kind: 'accepted' });
      expect(orders()).toMatchObject([{ authorized: 0, captured: 0 }]);
    },
  );

  it('without the id of the order is not certain after PayPal may have forgotten the key', async () => {
    double.failNext(['lose_answer'], ORDERS);
    const createdAt = desk.now();
    const { requested } = await pay();
    pass(7 * HOUR_MS);
    expect(await call(cancelOf(requested.key, null, createdAt))).toEqual({
      ...{ kind: 'unknown', cause: 'server_error' },
    });
  });
});
