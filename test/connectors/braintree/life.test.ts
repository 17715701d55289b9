import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { authorization } from '../contract-calls.ts';
import { openStand, USD } from './stand.ts';
import { DAY_MS, statusOf } from './world.ts';

const stand = await openStand();
const { double, lookUp } = stand;
const { series: SERIES, buyer: NOBODY } = authorization(USD);

const CARD = { number: '4111111111111111', month: '03', year: '2030', hasCvv: true };

const transactionOf = (reference: string) => {
  const found = double.transactions().find(({ id }) => id === reference);
  if (!found) throw new Error('The double has no such transaction');
  return found;
};

describe('an authorisation', () => {
  it('tells the card, the checks and the ids of the scheme', async () => {
    const { outcome } = await stand.pay();

    expect(outcome).toMatchObject({
      ...{ kind: 'succeeded', money: USD, authResponseCode: '858188', networkResponseCode: '00' },
      ...{ schemeTransactionId: '020000000000001', cvvResponseCode: 'match', avsResponseCode: 'unavailable' },
      card: { scheme: 'visa', bin: '411111', lastFour: '1111', expirationDate: '03/30' },
    });
    expect(outcome).not.toHaveProperty('recurringToken');
  });

  it.each([
    [200_100, 'declined', 'insufficient_funds', '2001'],
    [200_400, 'declined', 'expired_payment_method', '2004'],
    [201_000, 'declined', 'incorrect_cvv', '2010'],
    [206_700, 'declined', 'expired_authorization', '2067'],
    [209_900, 'failed', 'requires_buyer_authentication', '2099'],
    [299_900, 'declined', 'other_decline', '2999'],
    [500_100, 'failed', 'invalid_service_configuration', 'APPLICATION_INCOMPLETE'],
  ])('of %d ends by the code of the processor', async (amount, kind, errorCode, rawResponseCode) => {
    const outcome = await stand.authorize(authorization({ ...USD, amount }));

    expect(outcome).toMatchObject({ kind, errorCode, rawResponseCode, reference: expect.any(String) });
  });

  it('that fails on its way to the processor is looked up, and fails then', async () => {
    const request = authorization({ ...USD, amount: 300_000 });

    expect(await stand.authorize(request)).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });
    expect(await lookUp({ verb: 'authorize', key: request.key, reference: null })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'service_error', rawResponseCode: '3000' },
    });
  });

  it.each([
    ['in a currency without a merchant account', { ...USD, currency: 'CHF' }, 'unsupported_currency'],
    ['of nothing', { ...USD, amount: 0 }, 'invalid_amount'],
    ['with three decimals', { amount: 1234, currency: 'KWD' }, 'invalid_amount'],
    ['with a fraction that Braintree does not take', { amount: 150, currency: 'LAK' }, 'invalid_amount'],
  ])('%s is refused before the call', async (_, money, errorCode) => {
    const before = double.requests.length;

    expect(await stand.authorize(authorization(money))).toMatchObject({ kind: 'failed', errorCode });
    expect(double.requests.length).toBe(before);
  });

  it('stays a success after a partial capture, a void and an expiry', async () => {
    const captured = await stand.pay();
    await stand.capture(captured.reference, { money: { ...USD, amount: 500 } });
    const voided = await stand.pay();
    await stand.void(voided.reference);
    const expired = await stand.pay();
    double.hands.expire(expired.reference);

    for (const { key, reference } of [captured, voided, expired])
      for (const named of [reference, null])
        expect(await lookUp({ verb: 'authorize', key, reference: named })).toMatchObject({
          ...{ kind: 'succeeded', money: USD, reference },
        });
  });
});

describe('a stored card', () => {
  it('is stored by a payment, pays without the buyer, and is deleted', async () => {
    const { outcome } = await stand.pay({
      series: { ...SERIES, store: true, tokenizes: true, source: 'recurring' },
    });
    const token = outcome.kind === 'succeeded' ? (outcome.recurringToken ?? '') : '';
    expect(token).toMatch(/./);
    expect(stand.sent('authorizeCreditCard').input).toMatchObject({
      transaction: {
        paymentInitiator: 'RECURRING_FIRST',
        vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' },
      },
    });

    const later = {
      ...SERIES,
      source: 'recurring',
      merchantInitiated: true,
      isSubsequentPayment: true,
    } as const;
    const paid = await stand.pay({
      card: null,
      token,
      capture: true,
      series: later,
      buyer: { ...NOBODY, email: 'a@b.example' },
    });

    expect(paid.outcome).toMatchObject({ kind: 'succeeded', money: USD });
    expect(paid.outcome).not.toHaveProperty('recurringToken');
    expect(stand.sent('chargeCreditCard').input).toMatchObject({
      ...{ paymentMethodId: token, transaction: { paymentInitiator: 'RECURRING' } },
    });
    const revoke = () =>
      stand.connector.revokeMandate?.(stand.contextWith(), { key: randomUUID(), mandate: token });
    expect([await revoke(), await revoke()]).toEqual([{ kind: 'revoked' }, { kind: 'revoked' }]);
    expect(await stand.authorize(authorization(USD, { card: null, token, series: later }))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unknown_payment_method' },
    });
  });

  it('is not stored by a declined payment', async () => {
    const request = authorization(
      { ...USD, amount: 204_600 },
      { series: { ...SERIES, store: true, tokenizes: true } },
    );

    expect(await stand.authorize(request)).not.toHaveProperty('recurringToken');
  });
});

describe('a capture', () => {
  it('of a part is the transaction itself, and releases the rest', async () => {
    const { reference } = await stand.pay();
    const key = randomUUID();

    const outcome = await stand.capture(reference, { key, money: { ...USD, amount: 500 } });

    const { legacyId } = transactionOf(reference);
    expect(outcome).toMatchObject({ kind: 'succeeded', reference: legacyId, money: { ...USD, amount: 500 } });
    expect(await stand.capture(reference)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(await lookUp({ verb: 'capture', key, reference })).toEqual(outcome);
  });

  it('may be one of several, up to the held money', async () => {
    const { reference } = await stand.pay();
    const part = (amount: number, final: boolean) =>
      stand.capture(reference, { money: { ...USD, amount }, final });

    const outcomes = [await part(500, false), await part(600, false)];

    expect(outcomes).toMatchObject([{ kind: 'succeeded' }, { kind: 'succeeded' }]);
    expect(new Set([reference, ...outcomes.map(stand.referenceOf)]).size).toBe(3);
    expect(await part(200, false)).toMatchObject({ kind: 'failed', errorCode: 'invalid_amount' });
    expect(await part(199, true)).toMatchObject({ kind: 'succeeded' });
    expect(statusOf(transactionOf(reference))).toBe('SETTLEMENT_CONFIRMED');
  });

  it('is the only one, if the service does not say that the account takes several', async () => {
    const { reference } = await stand.pay();
    const { multiple_captures: _, ...fields } = stand.contextWith().credentials;
    const before = double.requests.length;

    const outcome = await stand.connector.capture(stand.contextWith({ credentials: fields }), {
      ...{ key: randomUUID(), reference, money: USD, final: false },
    });

    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'invalid_operation' });
    expect(double.requests.slice(before).map(({ path }) => path)).toEqual(['/graphql node']);
  });

  it('of an expired authorisation fails', async () => {
    const { reference } = await stand.pay();
    double.hands.expire(reference);

    expect(await stand.capture(reference)).toMatchObject({ errorCode: 'expired_authorization' });
  });

  it('that its settlement declines is declined', async () => {
    const { reference } = await stand.pay();
    const key = randomUUID();
    await stand.capture(reference, { key });
    double.hands.declineSettlement(reference);

    expect(await lookUp({ verb: 'capture', key, reference })).toMatchObject({ kind: 'declined' });
  });
});

describe('a refund', () => {
  it('of a part waits for the settlement of the capture', async () => {
    const { reference } = await stand.pay({ capture: true });
    const refund = () => stand.refund(reference, randomUUID(), [[reference, 300]]);
    expect(await refund()).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(transactionOf(reference).refunds).toEqual([]);

    stand.pass(DAY_MS);

    expect(await refund()).toMatchObject({ kind: 'succeeded', money: { ...USD, amount: 300 } });
  });

  it('of the whole capture is a void before the settlement, and a refund after it', async () => {
    const settled = await stand.sell();
    const unsettled = await stand.pay({ capture: true });
    const refund = (reference: string) => stand.refund(reference, randomUUID(), [[reference, 1299]]);

    expect(await refund(unsettled.reference)).toMatchObject({
      kind: 'succeeded',
      reference: unsettled.reference,
    });
    expect(statusOf(transactionOf(unsettled.reference))).toBe('VOIDED');
    expect(await refund(settled.reference)).toMatchObject({ kind: 'succeeded', money: USD });
    expect(transactionOf(settled.reference).refunds).toHaveLength(1);
  });

  it('above the rest fails, and one of everything already refunded', async () => {
    const { reference } = await stand.sell();
    const refund = (amount: number) => stand.refund(reference, randomUUID(), [[reference, amount]]);
    await refund(1000);

    expect(await refund(300)).toMatchObject({ kind: 'failed', errorCode: 'refund_already_satisfied' });
    await refund(299);
    expect(await refund(1)).toMatchObject({ kind: 'failed', errorCode: 'refund_already_satisfied' });
  });

  it('of several captures refunds each of them', async () => {
    const { reference } = await stand.pay();
    const captured = async (amount: number, final: boolean): Promise<string> =>
      stand.referenceOf(await stand.capture(reference, { money: { ...USD, amount }, final }));
    const [one, two] = [await captured(500, false), await captured(799, true)];
    double.hands.settleAll();
    const key = randomUUID();

    const outcome = await stand.refund(reference, key, [
      [one, 500],
      [two, 100],
    ]);

    expect(outcome).toMatchObject({ kind: 'succeeded', money: { ...USD, amount: 600 } });
    expect(await lookUp({ verb: 'refund', key, reference, money: { ...USD, amount: 600 } })).toEqual(outcome);
  });

  it('of several captures goes on after a lost part, and refunds none twice', async () => {
    const { reference } = await stand.pay();
    const captured = async (amount: number, final: boolean): Promise<string> =>
      stand.referenceOf(await stand.capture(reference, { money: { ...USD, amount }, final }));
    const [one, two] = [await captured(500, false), await captured(799, true)];
    double.hands.settleAll();
    const key = randomUUID();
    const parts = [
      [one, 500],
      [two, 100],
    ] as const;
    double.failNext(['lose_answer']);
    expect(await stand.refund(reference, key, parts)).toEqual({ kind: 'unknown', cause: 'connection' });
    expect(await lookUp({ verb: 'refund', key, reference, money: { ...USD, amount: 600 } })).toBeNull();

    expect(await stand.refund(reference, key, parts)).toMatchObject({ kind: 'succeeded' });

    expect([one, two].map((id) => transactionOf(id).refunds.map(({ minor }) => minor))).toEqual([
      [500],
      [100],
    ]);
  });

  it('that the processor declines is declined', async () => {
    const { reference } = await stand.sell();
    double.hands.declineRefund('2005');

    expect(await stand.refund(reference, randomUUID(), [[reference, 300]])).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unknown_payment_method', rawResponseCode: '2005' },
    });
  });
});

describe('a release', () => {
  it('of a captured payment is refused, and does not refund', async () => {
    const settled = await stand.sell();
    const captured = await stand.pay();
    await stand.capture(captured.reference);

    for (const { reference } of [captured, settled])
      expect(await stand.void(reference)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect([captured, settled].map(({ reference }) => statusOf(transactionOf(reference)))).toEqual([
      ...['SUBMITTED_FOR_SETTLEMENT', 'SETTLED'],
    ]);
  });

  it('that met the capture of a person is none, and the books tell the capture and its void', async () => {
    const { reference } = await stand.pay();
    const key = randomUUID();
    double.hands.captureBeforeNext('reverseTransaction', reference, 500);
    const voided = await stand.void(reference, key);

    expect(voided).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(await lookUp({ verb: 'void', key, reference })).toEqual(voided);
    expect(await stand.books(reference)).toMatchObject({
      notices: [
        { verb: 'authorize' },
        { verb: 'capture', key: null, outcome: { kind: 'succeeded', money: { ...USD, amount: 500 } } },
        { verb: 'refund', key: null, outcome: { kind: 'succeeded', money: { ...USD, amount: 500 } } },
      ],
    });
  });

  it('of an ended authorisation is done', async () => {
    const { reference } = await stand.pay();
    double.hands.void(reference);

    expect(await stand.void(reference)).toMatchObject({ kind: 'succeeded', reference });
  });
});

describe('a cancel', () => {
  it('is not offered for a payment without an outcome, whose request may still come', () => {
    expect(stand.contextWith().definition.supportedFeatures.cancel).toBe(false);
  });

  it('gives back a late sale: by a void, or by a refund after its settlement', async () => {
    const settled = await stand.sell();
    const fresh = await stand.pay({ capture: true });

    expect(await stand.cancel(fresh.key)).toMatchObject({ kind: 'succeeded', reference: fresh.reference });
    expect(await stand.cancel(settled.key)).toMatchObject({
      kind: 'succeeded',
      reference: settled.reference,
    });

    expect(statusOf(transactionOf(fresh.reference))).toBe('VOIDED');
    expect(transactionOf(settled.reference).refunds.map(({ minor }) => minor)).toEqual([1299]);
    expect(await stand.cancel(settled.key)).toMatchObject({ kind: 'succeeded' });
    expect(transactionOf(settled.reference).refunds).toHaveLength(1);
  });

  it('needs no request for a refused payment, and is unknown for one that the search does not show', async () => {
    const { key } = authorization(USD);
    const declined = authorization({ ...USD, amount: 204_600 });
    await stand.authorize(declined);

    expect(await stand.cancel(declined.key)).toMatchObject({ kind: 'succeeded' });
    expect(await stand.cancel(key)).toEqual({ kind: 'unknown', cause: 'server_error' });
  });

  it('is refused for a late sale of which a person refunded a part', async () => {
    const { key, reference } = await stand.sell();
    double.hands.refund(reference, 100);

    expect(await stand.cancel(key)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
  });

  it('takes nothing back that was captured after the authorisation', async () => {
    const { key, reference } = await stand.pay();
    await stand.capture(reference);

    expect(await stand.cancel(key, reference)).toMatchObject({
      kind: 'failed',
      errorCode: 'unexpected_state',
    });
  });
});

describe('a status that nobody knows', () => {
  it.each(['capture', 'void', 'cancel', 'lookUp'] as const)('decides nothing: %s', async (verb) => {
    const { key, reference } = await stand.pay();
    const before = double.requests.length;
    double.failNext(['unknown_word'], / node$/);
    const calls = {
      capture: () => stand.capture(reference),
      void: () => stand.void(reference),
      cancel: () => stand.cancel(key, reference),
      lookUp: () => lookUp({ verb: 'void', key: randomUUID(), reference }),
    };

    expect(await calls[verb]()).toMatchObject({ kind: 'unknown' });

    expect(double.requests.slice(before).map(({ path }) => path)).toEqual(['/graphql node']);
    expect(statusOf(transactionOf(reference))).toBe('AUTHORIZED');
  });
});

it('a name of the client pays once', async () => {
  const token = double.hands.clientToken(CARD);

  expect(await stand.authorize(authorization(USD, { card: null, token }))).toMatchObject({
    kind: 'succeeded',
  });
});
