import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { authorization } from '../contract-calls.ts';
import { openStand, USD } from './stand.ts';
import { had, HOUR_MS, SECOND_MS } from './world.ts';

const MINUTE_MS = 60 * SECOND_MS;

/** Braintree without any help: no check of repetitions, and a search that is an hour late. */
const bare = await openStand({ duplicatesMs: 0, searchLagMs: HOUR_MS });
/** A transaction that shows its captures and refunds an hour late. */
const late = await openStand({ readLagMs: HOUR_MS });
const checking = await openStand();
const nameless = await openStand({ namesOriginal: false, searchLagMs: MINUTE_MS });

const held = ({ double }: typeof bare, key: string): number =>
  double.transactions().filter((each) => each.key === key && had(each, 'AUTHORIZED')).length;

describe('a payment whose answer was lost', () => {
  it('is repeated only after a look-up that finds nothing, and longer than the search may be late', () => {
    expect(bare.connector.recovery).toEqual({ kind: 'lookup', quiescenceMs: 2 * HOUR_MS });
    for (const lag of [bare.double.searchLagMs, late.double.readLagMs]) expect(lag).toBeLessThan(2 * HOUR_MS);
  });

  it('is found by the search once the search shows the payment, and paid once', async () => {
    const request = authorization(USD);
    bare.double.failNext(['lose_answer']);
    expect(await bare.authorize(request)).toEqual({ kind: 'unknown', cause: 'connection' });
    const { key } = request;
    expect(await bare.lookUp({ verb: 'authorize', key, reference: null })).toBeNull();

    bare.pass(HOUR_MS);

    const found = await bare.lookUp({ verb: 'authorize', key, reference: null });
    expect(found).toMatchObject({ kind: 'succeeded', money: USD });
    expect(await bare.authorize({ ...request, isRepeat: true })).toEqual(found);
    expect(held(bare, key)).toBe(1);
  });

  it('is paid by the repeat if the first request never came', async () => {
    const request = authorization(USD);
    bare.double.failNext(['lose_request']);
    await bare.authorize(request);
    bare.pass(2 * HOUR_MS);

    expect(await bare.authorize({ ...request, isRepeat: true })).toMatchObject({ kind: 'succeeded' });
    expect(held(bare, request.key)).toBe(1);
  });

  it('is not sent again while the search gives no answer', async () => {
    const request = authorization(USD);
    bare.double.failNext(['lose_answer']);
    await bare.authorize(request);
    bare.double.failNext(['maintenance'], / search$/);

    expect(await bare.authorize({ ...request, isRepeat: true })).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false },
    });
    expect(held(bare, request.key)).toBe(1);
  });

  it('stays unknown if the name of its card was used, and the search shows nothing', async () => {
    const token = bare.double.hands.clientToken({
      number: '4111111111111111',
      month: '03',
      year: '2030',
      hasCvv: true,
    });
    const request = authorization(USD, { card: null, token });
    bare.double.failNext(['lose_answer']);
    await bare.authorize(request);

    expect(await bare.authorize({ ...request, isRepeat: true })).toEqual({
      ...{ kind: 'unknown', cause: 'server_error' },
    });
    expect(await bare.authorize(authorization(USD, { card: null, token }))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_payment_method', rawResponseCode: '91564' },
    });
    expect(held(bare, request.key)).toBe(1);
  });

  it('has the outcome of the first one, if Braintree refuses the repetition', async () => {
    const request = authorization(USD);
    const first = await checking.authorize(request);

    expect(await checking.authorize(request)).toEqual(first);
    expect(held(checking, request.key)).toBe(1);
    expect(checking.double.transactions().filter(({ key }) => key === request.key)).toHaveLength(2);
  });

  it('is looked up, if Braintree refuses the repetition and does not name the first one', async () => {
    const request = authorization(USD);
    const first = await nameless.authorize(request);

    expect(await nameless.authorize(request)).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', arrived: true },
    });
    nameless.pass(MINUTE_MS);
    expect(await nameless.lookUp({ verb: 'authorize', key: request.key, reference: null })).toEqual(first);
  });

  it('is unknown while the search shows the refused repetition alone', async () => {
    const { key, reference } = await nameless.pay();
    nameless.double.hands.rejectAsDuplicate(key);
    nameless.double.hands.hideFromSearch(reference);
    nameless.pass(MINUTE_MS);

    expect(await nameless.lookUp({ verb: 'authorize', key, reference: null })).toEqual({
      ...{ kind: 'unknown', cause: 'unreadable' },
    });
  });
});

describe('a follow-up whose answer was lost', () => {
  it('captures once, and its look-up finds the capture', async () => {
    const { reference } = await bare.pay();
    const key = randomUUID();
    bare.double.failNext(['lose_answer']);
    expect(await bare.capture(reference, { key })).toEqual({ kind: 'unknown', cause: 'connection' });

    const found = await bare.lookUp({ verb: 'capture', key, reference });
    expect(found).toMatchObject({ kind: 'succeeded', money: USD });
    expect(await bare.capture(reference, { key })).toEqual(found);
    expect(await bare.capture(reference)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
  });

  it('captures a part once, with a transaction of its own', async () => {
    const { reference } = await bare.pay();
    const key = randomUUID();
    const part = { key, money: { ...USD, amount: 500 }, final: false };
    bare.double.failNext(['lose_answer']);
    await bare.capture(reference, part);

    const repeated = await bare.capture(reference, part);

    expect(repeated).toMatchObject({ kind: 'succeeded', money: { ...USD, amount: 500 } });
    expect(repeated).not.toMatchObject({ reference });
    expect(bare.double.transactions().filter(({ parent }) => parent?.id === reference)).toHaveLength(1);
  });

  it('refunds a part once, beside an equal refund of another key', async () => {
    const { reference } = await bare.sell();
    const [one, other] = [randomUUID(), randomUUID()];
    bare.double.failNext(['lose_answer']);
    await bare.refund(reference, one, [[reference, 300]]);
    expect(await bare.refund(reference, other, [[reference, 300]])).toMatchObject({ kind: 'succeeded' });

    const found = await bare.lookUp({ verb: 'refund', key: one, reference, money: { ...USD, amount: 300 } });

    expect(await bare.refund(reference, one, [[reference, 300]])).toEqual(found);
    const sale = bare.double.transactions().find(({ id }) => id === reference);
    expect(sale?.refunds.map(({ key, minor }) => [key, minor])).toEqual([
      [one, 300],
      [other, 300],
    ]);
  });

  it('gives a capture back once before its settlement, by a void', async () => {
    const { reference } = await bare.pay({ capture: true });
    const key = randomUUID();
    bare.double.failNext(['lose_answer']);
    await bare.refund(reference, key, [[reference, 1299]]);

    const found = await bare.lookUp({ verb: 'refund', key, reference });

    expect(found).toMatchObject({ kind: 'succeeded', money: USD, reference, rawResponseCode: 'VOIDED' });
    expect(await bare.refund(reference, key, [[reference, 1299]])).toEqual(found);
  });

  it('gives a capture back once that settles while the void is on its way', async () => {
    const { reference } = await bare.pay({ capture: true });
    const key = randomUUID();
    bare.double.hands.settleBeforeNext('reverseTransaction');
    bare.double.failNext(['lose_answer']);
    await bare.refund(reference, key, [[reference, 1299]]);

    const found = await bare.lookUp({ verb: 'refund', key, reference });

    expect(found).toMatchObject({ kind: 'succeeded', money: USD });
    expect(await bare.refund(reference, key, [[reference, 1299]])).toEqual(found);
    expect(bare.double.transactions().find(({ id }) => id === reference)?.refunds).toHaveLength(1);
  });

  it('releases once, and a repeat of the void does not refund', async () => {
    const { reference } = await bare.pay();
    const key = randomUUID();
    bare.double.failNext(['lose_answer']);
    await bare.void(reference, key);

    expect(await bare.void(reference, key)).toMatchObject({ kind: 'succeeded', reference });
    expect(await bare.lookUp({ verb: 'void', key, reference })).toMatchObject({ kind: 'succeeded' });
  });
});

describe('a follow-up that its transaction shows an hour late', () => {
  /** Pays, and lets the authorisation be a second old. */
  const paid = async (): Promise<string> => {
    const { reference } = await late.pay();
    late.pass(SECOND_MS);
    return reference;
  };

  it('captures once', async () => {
    const reference = await paid();
    const key = randomUUID();
    const part = { key, money: { ...USD, amount: 500 }, final: false };
    late.double.failNext(['lose_answer']);
    await late.capture(reference, part);
    expect(await late.lookUp({ verb: 'capture', key, reference })).toBeNull();

    late.pass(HOUR_MS);

    const found = await late.lookUp({ verb: 'capture', key, reference });
    expect(found).toMatchObject({ kind: 'succeeded', money: part.money });
    expect(await late.capture(reference, part)).toEqual(found);
    expect(late.double.transactions().filter(({ parent }) => parent?.id === reference)).toHaveLength(1);
  });

  it('refunds once', async () => {
    const { reference } = await late.sell();
    late.pass(HOUR_MS);
    const [key, money] = [randomUUID(), { ...USD, amount: 300 }];
    late.double.failNext(['lose_answer']);
    await late.refund(reference, key, [[reference, 300]]);
    expect(await late.lookUp({ verb: 'refund', key, reference, money })).toBeNull();

    late.pass(HOUR_MS);

    const found = await late.lookUp({ verb: 'refund', key, reference, money });
    expect(found).toMatchObject({ kind: 'succeeded', money });
    expect(await late.refund(reference, key, [[reference, 300]])).toEqual(found);
    const sale = late.double.transactions().find(({ id }) => id === reference);
    expect(sale?.refunds).toHaveLength(1);
  });

  it('releases once, and its look-up finds the end', async () => {
    const reference = await paid();
    const key = randomUUID();
    late.double.failNext(['lose_answer']);
    await late.void(reference, key);
    expect(await late.lookUp({ verb: 'void', key, reference })).toBeNull();

    late.pass(HOUR_MS);

    expect(await late.lookUp({ verb: 'void', key, reference })).toMatchObject({ kind: 'succeeded' });
  });
});
