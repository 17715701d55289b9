import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { resumePayment } from '../../../src/connectors/calls/call-resume.ts';
import { noticeWith } from '../kit/notices.ts';
import { LOG, startDesk, USD } from './double-desk.ts';
import { ALONE, CARD } from './objects.ts';

const desk = await startDesk();
const { double, stripe, contextOf, call, pay, pass, paid, look, told, bookOf } = desk;
afterAll(() => desk.close());

describe('a card payment', () => {
  it('of a connected account is told to the service of that account alone', async () => {
    const contextFor = (stripe_account: string) => contextOf('stripe-card', { stripe_account });
    for (const [account, count] of [
      ['acct_own', 1],
      ['acct_other', 0],
      ['', 0],
    ] as const) {
      await paid({}, contextFor('acct_own'));
      expect(told(contextFor(account))).toHaveLength(count);
    }
  });

  it('is authorised, captured in part, refunded in parts, and told by webhooks', async () => {
    const { key, reference } = await paid();
    const capture = { key: randomUUID(), money: USD(1000), reference, final: true };
    const taken = await call({ verb: 'capture', ...capture });
    expect(taken).toMatchObject({ kind: 'succeeded', money: USD(1000) });
    const refunds = [randomUUID(), randomUUID()];
    for (const [index, amount] of [300, 700].entries())
      expect(
        await call({
          ...{ verb: 'refund', key: refunds[index] ?? '', money: USD(amount), reference },
          captures: [{ key: capture.key, reference: 'ch', amount }],
        }),
      ).toMatchObject({ kind: 'succeeded', money: USD(amount) });
    expect(bookOf(reference)).toMatchObject({ captured: 1000, refunded: 1000, held: 0 });

    const notices = told();
    expect(notices).toContainEqual(
      noticeWith({ verb: 'authorize', key, reference, outcome: { kind: 'succeeded', money: USD(1099) } }),
    );
    expect(notices).toContainEqual(
      noticeWith({ verb: 'capture', key: capture.key, outcome: { money: USD(1000) } }),
    );
    expect(notices).toContainEqual(
      noticeWith({ verb: 'refund', key: refunds[1], outcome: { money: USD(700) } }),
    );
    expect(await look('capture', capture.key, reference, 1000)).toEqual(taken);
    expect(await look('refund', refunds[0] ?? '', reference, 300)).toMatchObject({ kind: 'succeeded' });
    expect(await look('authorize', key, reference)).toMatchObject({ kind: 'succeeded', money: USD(1099) });
  });

  it.each([
    ['4000000000000002', 'declined', 'issuer_decline'],
    ['4000000000009995', 'declined', 'insufficient_funds'],
    ['4000000000009987', 'declined', 'canceled_payment_method'],
    ['4000000000000069', 'declined', 'expired_payment_method'],
    ['4000000000000127', 'declined', 'incorrect_cvv'],
    ['4000000000000119', 'failed', 'service_error'],
    ['4100000000000019', 'declined', 'suspected_fraud'],
    ['4242424242424241', 'failed', 'invalid_payment_method'],
  ])('with %s is %s: %s, by the answer and by a look-up', async (number, kind, errorCode) => {
    const { outcome, requested } = await pay({ card: { ...CARD, number } });
    expect(outcome).toMatchObject({ kind, errorCode });
    if (outcome.kind === 'unknown' || outcome.kind === 'accepted' || outcome.reference === null) return;
    expect(await look('authorize', requested.key, outcome.reference)).toEqual({
      ...outcome,
      ...{ avsResponseCode: undefined, cvvResponseCode: undefined },
    });
    expect(told()).toContainEqual(noticeWith({ key: requested.key, outcome: { kind, errorCode } }));
  });

  it('is captured several times where the payment allows it', async () => {
    const { reference } = await paid();
    for (const [amount, final] of [
      [300, false],
      [400, false],
      [399, true],
    ] as const)
      expect(
        await call({ verb: 'capture', key: randomUUID(), money: USD(amount), reference, final }),
      ).toMatchObject({
        ...{ kind: 'succeeded', money: USD(amount) },
      });
    expect(bookOf(reference)).toMatchObject({ captured: 1099, captures: [{}, {}, {}] });
    expect(told().filter((notice) => 'verb' in notice && notice.verb === 'capture')).not.toEqual([]);
  });

  it('is captured once where the service does not ask for several', async () => {
    const { reference } = await paid({}, contextOf('stripe-card', { multiple_captures: 'false' }));
    const first = { verb: 'capture', key: randomUUID(), money: USD(300), reference, final: false } as const;
    expect(await call(first)).toMatchObject({ kind: 'failed', errorCode: 'unsupported_transaction' });
    expect(bookOf(reference)).toMatchObject({ captured: 0 });
  });

  it('is raised before the capture', async () => {
    const { reference, key } = await paid();
    told();
    const requested = { key: randomUUID(), reference, money: USD(100), total: USD(1199) };
    expect(await stripe.increase?.(contextOf(), requested)).toMatchObject({
      ...{ kind: 'succeeded', money: USD(100) },
    });
    expect(bookOf(reference)).toMatchObject({ held: 1199 });
    // The authorisation keeps its own amount, also where the payment is asked about both.
    expect(await look('authorize', key, reference)).toMatchObject({ money: USD(1099) });
    expect(told()).toMatchObject([
      { verb: 'authorize', key, outcome: { kind: 'succeeded', money: USD(1099) } },
      { verb: 'increase', key: requested.key, outcome: { kind: 'succeeded', money: USD(100) } },
    ]);
  });

  it('is voided, and a later capture fails', async () => {
    const { reference, key } = await paid();
    const requested = { verb: 'void', key: randomUUID(), money: USD(1099), reference } as const;
    const voided = await call(requested);
    expect(voided).toMatchObject({ kind: 'succeeded', reference });
    expect(await look('void', requested.key, reference)).toEqual(voided);
    expect(told()).toContainEqual(
      noticeWith({ verb: 'void', authorizationKey: key, outcome: { kind: 'succeeded' } }),
    );
    expect(
      await call({ verb: 'capture', key: randomUUID(), money: USD(1099), reference, final: true }),
    ).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(bookOf(reference)).toMatchObject({ held: 0, captured: 0 });
  });

  it('expires, and says so', async () => {
    const { reference, key } = await paid();
    told();
    double.hands.expire(reference);
    expect(told()).toContainEqual(noticeWith({ verb: 'authorize', key, outcome: { kind: 'expired' } }));
  });
});

describe('a payment whose buyer approves', () => {
  it.each([
    ['approve', { kind: 'succeeded', money: USD(1099) }],
    ['refuse', { kind: 'failed', errorCode: 'failed_buyer_approval' }],
  ] as const)('goes on after %s', async (decision, expected) => {
    const { outcome, requested } = await pay({ card: { ...CARD, number: '4000000000003220' } });
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    expect(outcome.approvalUrl).toMatch(/^http/);
    const resume = () =>
      resumePayment(stripe, contextOf(), LOG, {
        ...{ key: requested.key, reference: outcome.reference, money: requested.money, capture: false },
        returned: {},
      });
    expect(await resume()).toMatchObject({ kind: 'accepted', approvalUrl: outcome.approvalUrl });
    double.hands.decide(outcome.reference, decision);
    expect(await resume()).toMatchObject(expected);
    expect(told()).toContainEqual(noticeWith({ key: requested.key, outcome: { kind: expected.kind } }));
  });

  it('is declined where the merchant asks for no approval', async () => {
    const options = { error_on_requires_action: true };
    expect((await pay({ card: { ...CARD, number: '4000000000003220' }, options })).outcome).toMatchObject({
      errorCode: 'requires_buyer_authentication',
    });
  });

  it('is cancelled before the approval', async () => {
    const { outcome, requested } = await pay({ card: { ...CARD, number: '4000000000003220' } });
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    expect(
      await call({
        ...{ verb: 'cancel', key: randomUUID(), authorizationKey: requested.key, createdAt: new Date() },
        resuming: false,
        money: requested.money,
        reference: outcome.reference,
      }),
    ).toMatchObject({ kind: 'succeeded' });
    expect(told()).toContainEqual(
      expect.objectContaining({ verb: 'cancel', authorizationKey: requested.key }),
    );
    expect(await look('authorize', requested.key, outcome.reference)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'canceled' },
    });
  });
});

describe('a lost answer', () => {
  const INTENTS = 'POST /v1/payment_intents';

  it('of an authorisation is found after a repeat without the security code', async () => {
    double.failNext(['lose_answer'], INTENTS);
    const { outcome, requested } = await pay();
    expect(outcome).toEqual({ kind: 'unknown', cause: 'connection' });
    const repeat = { ...requested, card: { ...CARD, securityCode: null } };
    expect(await call(repeat)).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });
    // The search is late, and the list is not.
    expect(await look('authorize', requested.key, null)).toMatchObject({
      kind: 'succeeded',
      money: USD(1099),
    });
    expect(
      double.books().payments.filter(({ metadata }) => metadata['paygraph_operation'] === requested.key),
    ).toHaveLength(1);
    pass(120_000);
    expect(await look('authorize', requested.key, null)).toMatchObject({ kind: 'succeeded' });
  });

  it('that Stripe replays as an error is found by a look-up', async () => {
    double.failNext(['error_after_work'], INTENTS);
    const { outcome, requested } = await pay();
    expect(outcome).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await call(requested)).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });
    expect(await look('authorize', requested.key, null)).toMatchObject({ kind: 'succeeded' });
  });

  it('of a request that was lost ends with the refusal of its repeat, and the late request pays nothing', async () => {
    double.failNext(['lose_request'], INTENTS);
    const { requested } = await pay();
    const card = { ...CARD, number: '4999999999999999', securityCode: null };
    const repeat = { ...requested, card, isRepeat: true };
    expect(await call(repeat)).toMatchObject({ kind: 'failed', errorCode: 'invalid_payment_method' });
    expect(await call(repeat)).toMatchObject({ kind: 'failed', errorCode: 'invalid_payment_method' });
    expect(await call(requested)).toMatchObject({ kind: 'unknown', arrived: true });
    const [book, ...others] = double.books().payments.filter(({ key }) => key === requested.key);
    expect([book?.held, book?.status, others]).toEqual([0, 'canceled', []]);
    expect(told().filter((notice) => 'key' in notice && notice.key === requested.key)).toEqual([]);
  });

  it('of an authorisation is found, although the repeat is refused', async () => {
    double.failNext(['lose_answer'], INTENTS);
    const { requested } = await pay();
    const card = { ...CARD, number: '4999999999999999', securityCode: null };
    const repeat = { ...requested, card, isRepeat: true };
    expect(await call(repeat)).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });
    expect(await look('authorize', requested.key, null)).toMatchObject({ kind: 'succeeded' });
  });

  it('of a request that was lost is repeated, and pays once', async () => {
    double.failNext(['lose_request'], INTENTS);
    const { requested } = await pay();
    expect(await look('authorize', requested.key, null)).toBeNull();
    const repeat = { ...requested, card: { ...CARD, securityCode: null } };
    expect(await call(repeat)).toMatchObject({ kind: 'succeeded' });
  });

  it('of a cancel without an id leaves nothing authorised', async () => {
    const { requested, outcome } = await (double.failNext(['lose_answer'], INTENTS), pay());
    expect(outcome.kind).toBe('unknown');
    const cancel = {
      verb: 'cancel',
      key: randomUUID(),
      authorizationKey: requested.key,
      createdAt: new Date(),
      resuming: false,
      money: requested.money,
    } as const;
    expect(await call({ ...cancel, reference: null })).toMatchObject({ kind: 'succeeded' });
    const [book, ...others] = double.books().payments.filter(({ key }) => key === requested.key);
    expect([book?.held, book?.status, others]).toEqual([0, 'canceled', []]);
  });

  it('of a payment that never arrived is fenced, and the late request is refused', async () => {
    double.failNext(['lose_request'], INTENTS);
    const { requested } = await pay();
    const cancel = {
      verb: 'cancel',
      key: randomUUID(),
      authorizationKey: requested.key,
      createdAt: new Date(),
      resuming: false,
      money: requested.money,
    } as const;
    expect(await call({ ...cancel, reference: null })).toMatchObject({ kind: 'succeeded' });
    expect(await call({ ...cancel, reference: null })).toMatchObject({ kind: 'succeeded' });
    expect(await call(requested)).toMatchObject({ kind: 'unknown', arrived: true });
    expect(await look('authorize', requested.key, null)).toMatchObject({
      kind: 'failed',
      errorCode: 'canceled',
    });
    const books = double
      .books()
      .payments.filter(({ metadata }) => metadata['paygraph_operation'] === requested.key);
    expect(books).toMatchObject([{ authorized: 0, held: 0, captured: 0 }]);
  });
});

describe('a stored card', () => {
  const series = { ...ALONE, store: true, tokenizes: true, source: 'recurring' } as const;
  const later = {
    ...ALONE,
    ...({ source: 'recurring', merchantInitiated: true, isSubsequentPayment: true } as const),
  };

  it.each([0, 1099])('of a payment of %i pays again without the buyer', async (amount) => {
    const { outcome } = await paid({ series, money: USD(amount) });
    const token = outcome.recurringToken ?? '';
    expect(token).toMatch(/^cus_\w+\/pm_\w+$/);
    expect((await pay({ card: null, token, series: later })).outcome).toMatchObject({ kind: 'succeeded' });
  });

  it('of nothing is found by a look-up, and told by a webhook', async () => {
    const { key, outcome } = await paid({ series, money: USD(0) });
    expect(await look('authorize', key, null, 0)).toEqual(outcome);
    expect(told()).toContainEqual(
      noticeWith({ key, outcome: { kind: 'succeeded', recurringToken: outcome.recurringToken } }),
    );
  });
});

describe('a wallet and a token of the client', () => {
  it('pay', async () => {
    const google = {
      wallet: 'google_pay',
      token: JSON.stringify({ id: 'tok_visa', object: 'token' }),
    } as const;
    expect((await pay({ card: null, wallet: google })).outcome).toMatchObject({ kind: 'succeeded' });
    expect((await pay({ card: null, token: 'pm_card_visa' })).outcome).toMatchObject({
      ...{ kind: 'succeeded', card: { scheme: 'visa' } },
    });
  });
});
