import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recoveryOf } from '../../../src/connectors/interface/connector.ts';
import { until } from '../../support/until.ts';
import { CARD, withoutSecurityCode } from '../contract-calls.ts';
import { EUR, HOUR_MS, SERIES, startDesk } from './double-desk.ts';

const APPLE_PAY = { wallet: 'apple_pay', token: '{"version":"EC_v1","data":"YXBwbGUgcGF5"}' } as const;
const GOOGLE_PAY = { wallet: 'google_pay', token: '{"signature":"Z29v","signedMessage":"bWVz"}' } as const;
const BY = (means: object) => ({ card: null, ...means });

describe('a payment', () => {
  it.each([true, false])('is paid once after its own error, with a late search: %s', async (isLate) => {
    const desk = await startDesk({ searchLagMs: isLate ? HOUR_MS : 0 });
    const { double, connector, pay, call } = desk;
    double.failNext(['error_after_work']);
    const { outcome, ...requested } = await pay();
    expect(outcome).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await desk.look('authorize', { ...requested, reference: null })).toEqual(
      isLate ? null : expect.objectContaining({ kind: 'succeeded' }),
    );
    const recovery = recoveryOf(connector, 'authorize');
    desk.pass(recovery.kind === 'lookup' ? recovery.quiescenceMs : 0);

    expect(await call({ ...requested, isRepeat: true })).toMatchObject({
      kind: 'succeeded',
      money: EUR(1299),
    });

    expect(double.books()).toHaveLength(1);
    await desk.close();
  });

  it('is not repeated where the account lacks the search', async () => {
    const desk = await startDesk({ hasSearch: false });
    const { double, pay, call } = desk;
    double.failNext(['error_after_work']);
    const { outcome, ...requested } = await pay();
    expect(outcome.kind).toBe('unknown');

    expect(await call({ ...requested, isRepeat: true })).toMatchObject({ kind: 'unknown', sent: false });
    expect(double.books()).toHaveLength(1);
    await desk.close();
  });
});

describe('a change', () => {
  const UNSURE = { kind: 'unknown', cause: 'server_error' };
  const NOT_SENT = { ...UNSURE, sent: false };

  it.each([
    ['capture', 300, false],
    ['capture', 300, true],
    ['capture', 1299, true],
    ['refund', 300, false],
    ['refund', 1299, false],
    ['void', 1299, false],
  ] as const)(
    'is done once after its own error, and never called a failure: %s of %i',
    async (verb, amount, final) => {
      const desk = await startDesk();
      const { double, paid, change, call, look } = desk;
      const { reference } = await paid({ capture: verb === 'refund' });
      double.failNext(['error_after_work'], /^POST/);
      const { requested, outcome } = await change(verb, reference, amount, final);
      expect(outcome).toEqual(UNSURE);
      const repeat = withoutSecurityCode(requested);

      expect(await look(verb, { ...requested, reference })).toBeNull();
      expect(await call(repeat)).toEqual(NOT_SENT);

      double.hands.decideOpen();
      expect(await call(repeat)).toMatchObject({ kind: 'succeeded', money: EUR(amount) });
      expect(double.books()[0]?.actions.filter(({ key }) => key === requested.key)).toHaveLength(1);
      await desk.close();
    },
  );

  it('that arrives between the look and the repeat is not called a failure', async () => {
    const desk = await startDesk();
    const { double, paid, change, call, bookOf } = desk;
    const { reference } = await paid();
    double.failNext(['lose_request'], /captures$/);
    const { requested } = await change('capture', reference);
    double.failNext(['hang'], /actions$/);
    const repeating = call(withoutSecurityCode(requested));
    await until(() => double.requests.at(-1)?.fault === 'hang', 'the look at the actions');
    double.failNext(['error_after_work'], /captures$/);
    expect(await call(requested)).toEqual(UNSURE);

    double.release();

    expect(await repeating).toEqual(UNSURE);
    double.hands.decideOpen();
    expect(bookOf(reference)).toMatchObject({ captured: 1299 });
    await desk.close();
  });

  it('that never arrived is sent again, but not while another one is under way', async () => {
    const desk = await startDesk();
    const { double, paid, change, call, bookOf } = desk;
    const { reference } = await paid();
    await change('capture', reference, 300, false);
    double.failNext(['lose_request'], /captures$/);
    const { requested } = await change('capture', reference, 500, true);
    const repeat = withoutSecurityCode(requested);
    expect(await call(repeat)).toEqual(NOT_SENT);
    double.hands.decideOpen();

    expect(await call(repeat)).toMatchObject({ kind: 'accepted' });

    double.hands.decideOpen();
    expect(bookOf(reference)).toMatchObject({ captured: 800, held: 0 });
    await desk.close();
  });

  it('is not repeated if the payment shows no balances', async () => {
    const desk = await startDesk({ showsBalances: false });
    const { double, paid, change, call } = desk;
    const { reference } = await paid();
    double.failNext(['error_after_work'], /captures$/);
    const { requested } = await change('capture', reference, 300, false);
    expect(await call(withoutSecurityCode(requested))).toEqual(NOT_SENT);
    double.hands.decideOpen();
    expect(await call(withoutSecurityCode(requested))).toMatchObject({ kind: 'succeeded' });
    await desk.close();
  });

  it('that somebody else made impossible fails on its repeat', async () => {
    const desk = await startDesk();
    const { double, paid, change, call, bookOf } = desk;
    const { reference } = await paid();
    double.failNext(['lose_request'], /captures$/);
    const { requested } = await change('capture', reference, 500, true);
    double.elsewhere.capture(reference, 1000);

    expect(await call(withoutSecurityCode(requested))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unexpected_state' },
    });

    expect(bookOf(reference)).toMatchObject({ captured: 1000 });
    await desk.close();
  });
});

describe('a repeat that Checkout.com refuses', () => {
  it.each([
    ['because the key had another body', { otherBody: 'refused', searchLagMs: HOUR_MS } as const, 'unknown'],
    ['because the card has expired meanwhile', {}, 'declined'],
  ])('says nothing about the first request %s', async (_, settings, kind) => {
    const desk = await startDesk(settings);
    const { double, pay, call } = desk;
    double.failNext([kind === 'unknown' ? 'lose_answer' : 'lose_request']);
    const { outcome, ...requested } = await pay();
    expect(outcome).toEqual({ kind: 'unknown', cause: 'connection' });
    const card = {
      ...CARD,
      securityCode: null,
      ...(kind === 'declined' && { expirationDate: '01/20' }),
    };

    expect(await call({ ...requested, card, isRepeat: true })).toMatchObject({ kind });

    expect(double.books()).toHaveLength(kind === 'unknown' ? 1 : 0);
    await desk.close();
  });
});

describe('means beside a card in clear', () => {
  let desk: Awaited<ReturnType<typeof startDesk>>;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.close());

  it.each([APPLE_PAY, GOOGLE_PAY])('of a wallet are exchanged with the public key', async (wallet) => {
    const { outcome } = await desk.pay(BY({ wallet, returnUrl: desk.RETURN_URL }));
    expect(outcome).toMatchObject({ kind: 'succeeded', card: { lastFour: '4242' } });
    const exchange = desk.double.requests.filter(({ path }) => path === '/tokens').at(-1);
    expect(exchange?.headers['authorization']).toBe(`Bearer ${desk.double.publicKey}`);
    expect(desk.sent('POST /payments').at(-1)?.['source']).toEqual({
      ...{ type: 'token', token: expect.stringMatching(/^tok_/) },
    });
    expect(desk.sent('POST /payments').at(-1)).not.toHaveProperty('3ds');
  });

  it('of a wallet whose exchange has no answer were not sent', async () => {
    desk.double.failNext(['lose_answer'], /tokens/);
    const before = desk.double.books().length;
    expect((await desk.pay(BY({ wallet: APPLE_PAY }))).outcome).toEqual({
      ...{ kind: 'unknown', cause: 'connection', sent: false },
    });
    expect(desk.double.books()).toHaveLength(before);
  });

  it.each([
    [{ wallet: { ...APPLE_PAY, token: 'no JSON' } }, {}, 'invalid_payment_method'],
    [{ wallet: APPLE_PAY }, { public_key: '' }, 'invalid_service_configuration'],
    [{ token: 'pm_card_visa' }, {}, 'invalid_payment_method'],
    [{}, {}, 'unsupported_payment_method'],
  ])('%j are refused before any call, with the fields %j', async (means, fields, errorCode) => {
    const before = desk.double.requests.length;
    expect((await desk.pay(BY(means), desk.contextOf(fields))).outcome).toMatchObject({
      kind: 'failed',
      errorCode,
    });
    expect(desk.double.requests.length).toBe(before);
  });

  it('of the buyer pay once', async () => {
    const token = desk.double.hands.clientToken();
    expect((await desk.pay(BY({ token }))).outcome).toMatchObject({ kind: 'succeeded' });
    expect((await desk.pay(BY({ token }))).outcome).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_payment_method', rawResponseCode: 'token_used' },
    });
  });
});

describe('a payment method that Checkout.com stores', () => {
  it('pays without the buyer, and names the first payment by the id of the scheme', async () => {
    const desk = await startDesk();
    const first = await desk.paid({ series: { ...SERIES, store: true, tokenizes: true } });
    const { outcome } = first;
    if (outcome.kind !== 'succeeded') throw new Error('The first payment is not paid');
    expect(outcome.recurringToken).toMatch(new RegExp(`^src_\\w+/${first.reference}$`));
    expect(await desk.look('authorize', first)).toEqual(outcome);
    const { recurringToken: token = null, schemeTransactionId = null } = outcome;
    const series = { ...SERIES, merchantInitiated: true, isSubsequentPayment: true };

    const later = await desk.pay(BY({ token, series: { ...series, schemeTransactionId } }));
    const unnamed = await desk.pay(BY({ token, series: { ...series, source: 'card_on_file' } }));

    expect([later.outcome.kind, unnamed.outcome.kind]).toEqual(['succeeded', 'succeeded']);
    const source = { type: 'id', id: token?.split('/')[0] };
    expect(desk.sent('POST /payments').slice(1)).toMatchObject([
      {
        source,
        payment_type: 'Recurring',
        merchant_initiated: true,
        previous_payment_id: schemeTransactionId,
      },
      { source, payment_type: 'Unscheduled', merchant_initiated: true, previous_payment_id: first.reference },
    ]);
    await desk.close();
  });

  it('is named only by a payment that asks to store it', async () => {
    const desk = await startDesk();
    const { outcome } = await desk.paid();
    expect(outcome).not.toHaveProperty('recurringToken');
    await desk.close();
  });

  it('may be a card that another provider charged first', async () => {
    const desk = await startDesk();
    const series = { ...SERIES, merchantInitiated: true, isSubsequentPayment: true };
    const { outcome } = await desk.pay({ series: { ...series, schemeTransactionId: '098765432109876' } });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(desk.sent('POST /payments').at(-1)).toMatchObject({
      ...{ source: { type: 'card', stored: true }, previous_payment_id: '098765432109876' },
    });
    await desk.close();
  });
});
