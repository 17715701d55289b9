import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ConnectorCall } from '../../../src/connectors/calls/call.ts';
import { verifyCredentials } from '../../../src/connectors/calls/call-verification.ts';
import { EUR, LOG, SERIES, startDesk } from './double-desk.ts';
import { booksOf } from '../read-books.ts';
import { PAGE_MS } from './payments.ts';

const desk = await startDesk();
const { double, call, pay, paid, change, look, resume, bookOf, sent, RETURN_URL } = desk;
const books = (reference: string) => booksOf(desk.connector, desk.contextOf(), LOG, reference);
afterEach(() => double.behave());
afterAll(() => desk.close());

describe('a card payment', () => {
  it('is captured in parts, refunded in parts, and looked up', async () => {
    const { key, reference, outcome } = await paid();
    const first = await change('capture', reference, 300, false);
    expect(first.outcome).toMatchObject({ kind: 'accepted', reference: expect.stringMatching(/^act_/) });
    // The list of actions shows decided actions alone.
    expect(await look('capture', first)).toBeNull();
    double.hands.decideOpen();
    expect(await look('capture', { ...first, money: EUR(300) })).toMatchObject({
      ...{ kind: 'succeeded', money: EUR(300) },
    });
    expect(bookOf(reference)).toMatchObject({ status: 'Partially Captured', captured: 300, held: 999 });

    await change('capture', reference, 500);
    double.hands.decideOpen();
    const refund = await change('refund', reference, 700);
    double.hands.decideOpen();

    expect(bookOf(reference)).toMatchObject({ captured: 800, held: 0, refunded: 700 });
    expect(await look('refund', { ...refund, money: EUR(700) })).toMatchObject({
      kind: 'succeeded',
      money: EUR(700),
    });
    // The authorisation stays what it was.
    expect(await look('authorize', { key, reference })).toEqual(outcome);
  });

  it('is voided, and cannot be captured any more', async () => {
    const { reference } = await paid();
    const released = await change('void', reference);
    double.hands.decideOpen();

    expect(await look('void', released)).toMatchObject({ kind: 'succeeded', money: EUR(1299) });
    const late = await change('capture', reference);
    expect(late.outcome).toMatchObject({
      kind: 'failed',
      errorCode: 'unexpected_state',
      rawResponseCode: 'Voided',
    });
  });

  it('refuses a capture above the rest, and a refund above the captured money', async () => {
    const { reference } = await paid();
    expect((await change('capture', reference, 1300)).outcome).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_amount' },
      rawResponseCode: 'capture_value_greater_than_remaining_authorized',
    });
    await change('capture', reference, 1000);
    double.hands.decideOpen();
    expect((await change('refund', reference, 1001)).outcome).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_amount', rawResponseCode: 'refund_amount_exceeds_balance' },
    });
    expect(bookOf(reference)).toMatchObject({ captured: 1000, refunded: 0 });
  });

  it('takes a refusal of the key for one of the request, and not for a state of the payment', async () => {
    const { reference } = await paid();
    double.failNext(['forbidden'], /captures$/);
    expect((await change('capture', reference)).outcome).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false },
      refusedAs: 'insufficient_service_permissions',
    });
  });

  it('of nothing verifies the card', async () => {
    const { outcome } = await pay({ money: EUR(0), capture: true });
    expect(outcome).toMatchObject({ kind: 'succeeded', money: EUR(0), rawResponseCode: '10000' });
    expect(sent('POST /payments').at(-1)).toMatchObject({ amount: 0, capture: false });
  });

  it.each([
    ['4000000000009995', 'declined', 'insufficient_funds'],
    ['4000000000000069', 'declined', 'expired_payment_method'],
    ['4000000000003220', 'failed', 'requires_buyer_authentication'],
    ['4111111111111112', 'failed', 'unknown_payment_method'],
  ] as const)('with the number %s is %s with %s', async (number, kind, errorCode) => {
    const card = { number, expirationDate: '03/30', securityCode: '100' };
    expect((await pay({ card })).outcome).toMatchObject({ kind, errorCode });
  });

  it('sends no number unless the payment service allows it', async () => {
    const before = double.requests.length;
    const { outcome } = await pay({}, desk.contextOf({ raw_card_data: '' }));
    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'unsupported_payment_method' });
    expect(double.requests.length).toBe(before);
  });
});

describe('a sale', () => {
  it('is paid when its capture is decided, and not before', async () => {
    const { outcome, key } = await pay({ capture: true });
    expect(outcome).toMatchObject({ kind: 'accepted', rawResponseCode: '10000' });
    const reference = outcome.kind === 'accepted' ? outcome.reference : '';
    expect(await look('authorize', { key, reference })).toEqual(outcome);
    double.hands.decideOpen();
    desk.pass(double.searchLagMs);
    expect(await look('authorize', { key, reference: null })).toMatchObject({
      ...{ kind: 'succeeded', reference, money: EUR(1299) },
    });
  });

  it('whose capture is declined is declined once nothing is held any more', async () => {
    double.hands.answerNext('Capture', '20005');
    const { key, outcome } = await pay({ capture: true });
    const reference = outcome.kind === 'accepted' ? outcome.reference : '';
    // No event declines the sale while its money is held. Each leads to a look-up.
    const ends = () =>
      desk
        .told()
        .filter((notice) => 'outcome' in notice && notice.key === key && notice.outcome.kind !== 'accepted');
    expect(ends()).toEqual([]);
    expect(bookOf(reference)).toMatchObject({ captured: 0, held: 1299 });
    expect(await books(reference)).toMatchObject({ state: 'pending' });

    expect(await look('authorize', { key, reference })).toMatchObject({ kind: 'accepted', reference });
    expect(await look('authorize', { key, reference })).toMatchObject({ kind: 'accepted', reference });
    expect(ends()).toEqual([]);

    const declined = { kind: 'declined', errorCode: 'issuer_decline', rawResponseCode: '20005' };
    expect(await look('authorize', { key, reference })).toMatchObject({ ...declined, reference });
    expect(await books(reference)).toMatchObject({
      ...{ state: 'refused', authorized: null },
      notices: [{ verb: 'authorize', key, outcome: declined }],
    });
    expect(bookOf(reference)).toMatchObject({ status: 'Voided', captured: 0, held: 0 });
    expect(bookOf(reference).actions.filter(({ type }) => type === 'Void')).toHaveLength(1);
  });

  it('whose release is refused stays held, and is released again', async () => {
    double.hands.answerNext('Capture', '20005');
    double.hands.answerNext('Void', '20096');
    const { key, outcome } = await pay({ capture: true });
    const reference = outcome.kind === 'accepted' ? outcome.reference : '';
    double.hands.decideOpen();
    await look('authorize', { key, reference });
    double.hands.decideOpen();
    expect(bookOf(reference)).toMatchObject({ held: 1299 });
    expect(await look('authorize', { key, reference })).toMatchObject({ kind: 'accepted' });
    double.hands.decideOpen();
    expect(await look('authorize', { key, reference })).toMatchObject({ kind: 'declined' });
    expect(bookOf(reference)).toMatchObject({ held: 0 });
  });
});

describe('an approval of a part', () => {
  it('is released, and declined once nothing is held any more', async () => {
    double.hands.answerNext('Authorization', '10010');
    const { key, outcome } = await pay();
    expect(outcome).toMatchObject({ kind: 'accepted', rawResponseCode: '10010' });
    const reference = outcome.kind === 'accepted' ? outcome.reference : '';
    expect(bookOf(reference)).toMatchObject({ held: 650 });

    expect(await look('authorize', { key, reference })).toMatchObject({ kind: 'accepted' });
    double.hands.decideOpen();

    expect(await look('authorize', { key, reference })).toMatchObject({
      ...{ kind: 'declined', errorCode: 'other_decline', rawResponseCode: '10010' },
    });
    expect(bookOf(reference)).toMatchObject({ status: 'Voided', captured: 0, held: 0 });
  });

  it('that a sale has captured is decided by nobody', async () => {
    double.hands.answerNext('Authorization', '10010');
    const { key, outcome } = await pay({ capture: true });
    const reference = outcome.kind === 'accepted' ? outcome.reference : '';
    double.hands.decideOpen();
    expect(await look('authorize', { key, reference })).toMatchObject({ kind: 'unknown' });
    expect(bookOf(reference)).toMatchObject({ captured: 650 });
  });
});

describe('an authentication by Checkout.com', () => {
  const leave = async (changes = {}) => {
    const { outcome, ...requested } = await pay({
      authentication: 'always',
      returnUrl: RETURN_URL,
      ...changes,
    });
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    return { ...requested, reference: outcome.reference, outcome };
  };

  it('leads the buyer to a page and back, and authorises', async () => {
    const away = await leave();
    expect(away.outcome.approvalUrl).toMatch(/^http/);
    expect(await resume(away)).toEqual(away.outcome);
    const back = double.hands.decide(away.reference, 'approve') ?? '';
    expect(back).toMatch(new RegExp(`^${RETURN_URL}\\?cko-session-id=sid_`));
    expect(await resume(away)).toMatchObject({
      kind: 'succeeded',
      reference: away.reference,
      money: EUR(1299),
    });
  });

  it('that the buyer fails declines the payment', async () => {
    const away = await leave();
    double.hands.decide(away.reference, 'refuse');
    expect(await resume(away)).toMatchObject({ kind: 'declined', errorCode: 'failed_buyer_approval' });
  });

  it('that nobody finishes ends with its time, and never before', async () => {
    const away = await leave();
    expect(await look('authorize', away, 'expired')).toMatchObject({ kind: 'accepted' });
    desk.pass(PAGE_MS);
    expect(await look('authorize', away, 'expired')).toMatchObject({
      ...{ kind: 'failed', errorCode: 'incomplete_buyer_approval' },
    });
    expect(bookOf(away.reference)).toMatchObject({ authorized: 0 });
  });

  it.each([
    ['the buyer is absent', { series: { ...SERIES, merchantInitiated: true } }],
    ['the payment is by mail or telephone', { series: { ...SERIES, source: 'moto' as const } }],
    ['nobody can come back', { returnUrl: null }],
    ['the merchant does not want it', { authentication: 'never' as const }],
  ])('is not asked for if %s', async (_, changes) => {
    const { outcome } = await pay({ authentication: 'always', returnUrl: RETURN_URL, ...changes });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(sent('POST /payments').at(-1)).not.toHaveProperty('3ds');
  });

  it('is asked for by itself if the card takes part, and never if the merchant does not want it', async () => {
    const card = { number: '4000000000003220', expirationDate: '03/30', securityCode: '100' };
    const { outcome } = await pay({ card, returnUrl: RETURN_URL });
    expect(outcome).toMatchObject({ kind: 'accepted', approvalUrl: expect.stringMatching(/^http/) });
    const wish = { enabled: true, attempt_n3d: true, challenge_indicator: 'no_preference' };
    expect(sent('POST /payments').at(-1)).toMatchObject({ '3ds': wish, success_url: RETURN_URL });

    const others = [
      await pay({ returnUrl: RETURN_URL }),
      await pay({ card, returnUrl: RETURN_URL, authentication: 'never' }),
    ];

    expect(others.map((other) => other.outcome)).toMatchObject([
      { kind: 'succeeded' },
      { kind: 'failed', errorCode: 'requires_buyer_authentication' },
    ]);
  });

  it('is not asked for beside one from outside, whose proof goes along', async () => {
    const threeDSecure = {
      ...{ version: '2.2.0', eci: '5', cavv: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', directoryResponse: 'Y' },
      ...{ authenticationResponse: null, xid: null, cavvAlgorithm: null, scheme: 'visa' },
      directoryTransactionId: '2f4b5f2e-6a4f-4c7f-9d3a-0e6b1d7a7c11',
    };
    const { outcome } = await pay({ threeDSecure, authentication: 'always', returnUrl: RETURN_URL });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(sent('POST /payments').at(-1)?.['3ds']).toEqual({
      ...{ enabled: true, eci: '05', cryptogram: threeDSecure.cavv, version: '2.2.0' },
      xid: threeDSecure.directoryTransactionId,
    });
  });
});

describe('a cancel', () => {
  const requestOf = (key: string, reference: string | null, own: string = randomUUID()): ConnectorCall => ({
    ...{ verb: 'cancel', key: own, money: EUR(1299), authorizationKey: key, reference },
    ...{ createdAt: new Date(), resuming: false },
  });
  const cancel = (...[key, reference, own]: Parameters<typeof requestOf>) =>
    call(requestOf(key, reference, own));
  const repeat = (...[key, reference, own]: Parameters<typeof requestOf>) =>
    call({ ...requestOf(key, reference, own), isRepeat: true });

  it('of a payment at the page is open until the page ends', async () => {
    const { key } = await pay({ authentication: 'always', returnUrl: RETURN_URL });
    expect(await cancel(key, null)).toEqual({ kind: 'unknown', cause: 'server_error' });
    desk.pass(PAGE_MS);
    expect(await cancel(key, null)).toMatchObject({ kind: 'succeeded', money: EUR(1299) });
  });

  it('releases a payment that was approved meanwhile, once', async () => {
    const { key, reference } = await paid();
    desk.pass(double.searchLagMs);
    const own = randomUUID();
    const answers = [await cancel(key, null, own), await cancel(key, reference, own)];
    expect(answers[0]).toMatchObject({ kind: 'accepted', reference: expect.stringMatching(/^act_/) });
    expect(answers[1]).toEqual(answers[0]);
    expect(desk.told()).toContainEqual(
      expect.objectContaining({
        verb: 'cancel',
        key: own,
        outcome: expect.objectContaining({ kind: 'succeeded' }),
      }),
    );
    expect(await look('cancel', { key: own, reference })).toMatchObject({ kind: 'succeeded' });
    expect(bookOf(reference)).toMatchObject({ status: 'Voided' });
  });

  it('is looked up, and its look-up releases what the buyer approved at the page meanwhile, once', async () => {
    const away = await pay({ authentication: 'always', returnUrl: RETURN_URL });
    const reference = away.outcome.kind === 'accepted' ? away.outcome.reference : '';
    const own = randomUUID();
    expect(await cancel(away.key, reference, own)).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await look('cancel', { key: own, reference })).toEqual({ kind: 'unknown', cause: 'server_error' });
    double.hands.decide(reference, 'approve');

    const first = await look('cancel', { key: own, reference });
    await look('cancel', { key: own, reference });
    double.hands.decideOpen();

    expect(first).toMatchObject({ kind: 'accepted', reference: expect.stringMatching(/^act_/) });
    expect(await look('cancel', { key: own, reference })).toMatchObject({ kind: 'succeeded' });
    expect(bookOf(reference)).toMatchObject({ status: 'Voided', held: 0 });
    expect(bookOf(reference).actions.filter(({ type }) => type === 'Void')).toHaveLength(1);
  });

  it('of a payment that nobody finds is open at first, and its repeat is successful', async () => {
    const [key, own] = [randomUUID(), randomUUID()];
    expect(await cancel(key, null, own)).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(await look('cancel', { key: own, reference: null })).toBeNull();
    expect(await repeat(key, null, own)).toMatchObject({
      kind: 'succeeded',
      reference: own,
      money: EUR(1299),
    });
  });

  it('of a payment with an id is open as long as nobody finds the payment', async () => {
    expect(await repeat(randomUUID(), `pay_${'a'.repeat(26)}`)).toEqual({
      kind: 'unknown',
      cause: 'unreadable',
    });
  });

  it('is open after a repeat if the account lacks the search', async () => {
    const other = await startDesk({ hasSearch: false });
    expect(await other.call({ ...requestOf(randomUUID(), null), isRepeat: true })).toMatchObject({
      kind: 'unknown',
    });
    await other.close();
  });

  it('of captured money fails', async () => {
    const { key, reference } = await paid({ capture: true });
    expect(await cancel(key, reference)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(bookOf(reference)).toMatchObject({ captured: 1299 });
  });
});

describe('a check of the credentials', () => {
  const check = (
    fields: Readonly<Record<string, string>>,
    environment: 'sandbox' | 'production' = 'sandbox',
  ) => verifyCredentials(desk.connector, { ...desk.contextOf(fields), environment }, LOG);

  it('accepts those of the account', async () => {
    expect(await check({})).toEqual({ kind: 'accepted' });
  });

  it.each([
    [{ secret_key: 'sk_sbox_another' }, /refuses the secret key/],
    [{ secret_key: 'pk_sbox_key' }, /is a public key/],
    [{ secret_key: 'sk_live' }, /no key of the sandbox/],
    [{ processing_channel_id: 'channel' }, /begins with pc_/],
    [{ signature_key: ' ' }, /Give signature_key/],
  ])('refuses %j', async (fields, reason) => {
    expect(await check(fields)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
  });

  it('refuses a key of the sandbox in production', async () => {
    expect(await check({}, 'production')).toMatchObject({ kind: 'refused' });
  });

  it.each(['error_before_work', 'rate_limited', 'lose_request', 'truncated'] as const)(
    'says nothing after %s',
    async (fault) => {
      double.failNext([fault]);
      expect(await check({})).toMatchObject({ kind: 'unknown' });
    },
  );
});
