import { describe, expect, it } from '@jest/globals';
import { authorization } from '../contract-calls.ts';
import { EUR, openStand } from './stand.ts';

const { connector, contextOf, double, pay, begin, now } = await openStand();
const context = contextOf('mollie-card');

const read = (reference: string) =>
  connector.readBooks?.(context, { reference, createdAt: now(), currency: 'EUR' });

/** Captures a payment wholly, by ourselves. */
async function captured() {
  const { key: payment, reference } = await pay();
  const { key } = authorization(EUR);
  await connector.capture(context, { key, reference, money: EUR, final: true });
  double.hands.decideOpen();
  return { payment, reference, key };
}

describe('an authorisation that ended', () => {
  it.each(['failed', 'expired'] as const)('is told as expired: %s', async (status) => {
    const { key, reference } = await pay();
    if (status === 'failed') double.hands.fail(reference);
    else double.hands.expire(reference);

    expect(await read(reference)).toMatchObject({
      ...{ state: 'expired', authorized: EUR },
      notices: [{ verb: 'authorize', key, outcome: { kind: 'expired', rawResponseCode: status } }],
    });
  });

  it.each([
    ['failed', 'declined', { verb: 'authorize', outcome: { kind: 'expired' } }],
    ['expired', 'failed', { verb: 'authorize', outcome: { kind: 'expired' } }],
    ['canceled', 'failed', { verb: 'void', key: null, outcome: { kind: 'succeeded' } }],
  ])('is told as a refusal and as an end without the time of its success: %s', async (status, kind, end) => {
    double.hands.hideAuthorizedAt(true);
    const { key, reference } = await pay();
    if (status === 'failed') double.hands.fail(reference);
    else if (status === 'expired') double.hands.expire(reference);
    else double.hands.release(reference);

    expect(await read(reference)).toMatchObject({
      ...{ authorized: null, notices: [{ verb: 'authorize', key, reference, outcome: { kind } }, end] },
    });
    double.hands.hideAuthorizedAt(false);
  });

  it('is told by its captures to have been held', async () => {
    double.hands.hideAuthorizedAt(true);
    const { reference } = await pay();
    double.hands.endNext('failed');
    double.hands.capture(reference, 500);
    double.hands.fail(reference);

    expect(await read(reference)).toMatchObject({
      ...{ state: 'expired', authorized: EUR },
      notices: [
        { verb: 'authorize', outcome: { kind: 'expired' } },
        { verb: 'capture', outcome: { kind: 'declined' } },
      ],
    });
    double.hands.hideAuthorizedAt(false);
  });

  it('is a refusal alone for a sale', async () => {
    const { reference } = await begin({ capture: true });
    double.hands.expire(reference);

    expect(await read(reference)).toMatchObject({
      ...{ state: 'refused', authorized: null },
      notices: [{ verb: 'authorize', outcome: { kind: 'failed', errorCode: 'incomplete_buyer_approval' } }],
    });
  });
});

describe('the operations of a person, which have no metadata', () => {
  it('are told', async () => {
    const { reference } = await pay();
    const capture = double.hands.capture(reference, 1299);
    const refund = double.hands.refund(reference, 99);

    expect(await read(reference)).toMatchObject({
      notices: [
        { verb: 'authorize' },
        { verb: 'capture', key: null, reference: capture },
        { verb: 'refund', key: null, reference: refund },
      ],
    });
  });

  it('leave a refund that was canceled without a success to take back', async () => {
    const { reference } = await pay({ capture: true });
    double.hands.endNext('canceled');
    const refund = double.hands.refund(reference, 99);

    expect(await read(reference)).toMatchObject({
      notices: [
        { verb: 'authorize' },
        { verb: 'refund', key: null, reference: refund, outcome: { kind: 'failed', errorCode: 'canceled' } },
      ],
    });
  });
});

describe('books that are not whole', () => {
  const UNREADABLE = { kind: 'unknown', cause: 'unreadable' };

  it.each([
    ['the payment', /^GET \/v2\/payments\/\w+$/],
    ['a capture', /^GET .*\/captures/],
    ['a refund', /^GET .*\/refunds/],
  ])('are unreadable: %s has a new status', async (_, path) => {
    const { reference } = await captured();
    double.hands.refund(reference, 99);
    expect(await read(reference)).toMatchObject({ kind: 'books' });
    double.failNext(['unknown_word'], path);

    expect(await read(reference)).toEqual(UNREADABLE);
  });

  it('are unreadable: the money of a chargeback is more than we can express', async () => {
    const { reference } = await captured();
    double.hands.chargeBack(reference, 10 ** 13);

    expect(await read(reference)).toEqual(UNREADABLE);
  });

  it('leave out a refund that waits', async () => {
    const { reference, payment } = await captured();
    await connector.refund(context, {
      ...{ key: authorization(EUR).key, reference, money: EUR },
      captures: [{ key: payment, reference, amount: 1299 }],
    });

    expect(await read(reference)).toMatchObject({
      notices: [{ verb: 'authorize' }, { verb: 'capture' }],
    });
  });
});
