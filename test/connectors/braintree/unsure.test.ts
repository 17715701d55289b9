import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { booksKeyOf } from '../../../src/connectors/notices/books.ts';
import { authorization } from '../contract-calls.ts';
import { openStand, USD } from './stand.ts';
import { had, HOUR_MS } from './world.ts';

// Answers that show less than everything.

const stand = await openStand();
const renaming = await openStand({ captureRenamesParent: true });
const processor = await openStand({ declinesRepeats: 'processor', duplicatesMs: 24 * HOUR_MS });
const quick = await openStand({ refundsWhileSettling: true });
const { double } = stand;

const UNKNOWN = { kind: 'unknown', cause: 'server_error' };
const NOT_SENT = { ...UNKNOWN, sent: false };
const MISSING = { ...NOT_SENT, refusedAs: 'unknown_service_resource' };

const refundsOf = (reference: string, { double: at } = stand) =>
  at.transactions().find(({ id }) => id === reference)?.refunds ?? [];

const childrenOf = (reference: string, { double: at } = stand) =>
  at.transactions().filter(({ parent }) => parent?.id === reference);

/** Captures the payment in two parts, and settles both. */
async function inParts(at = stand, [one, two] = [500, 799]) {
  const { reference, key } = await at.pay();
  const part = async (amount: number, final: boolean) =>
    at.referenceOf(await at.capture(reference, { money: { ...USD, amount }, final }));
  return { reference, key, captures: [await part(one, false), await part(two, true)] as const };
}

describe('an answer without one of its parts', () => {
  it('does not refund again', async () => {
    const { reference } = await stand.sell();
    const key = randomUUID();
    await stand.refund(reference, key, [[reference, 300]]);
    const money = { ...USD, amount: 300 };

    double.hands.failPart('node', 'refunds');
    expect(await stand.lookUp({ verb: 'refund', key, reference, money })).toEqual(UNKNOWN);
    double.hands.failPart('node', 'refunds');
    expect(await stand.refund(reference, key, [[reference, 300]])).toEqual(NOT_SENT);

    expect(refundsOf(reference)).toHaveLength(1);
  });

  it('does not capture a part again', async () => {
    const { reference } = await stand.pay();
    const part = { key: randomUUID(), money: { ...USD, amount: 500 }, final: false };
    await stand.capture(reference, part);

    double.hands.failPart('node', 'partialCaptureDetails');
    expect(await stand.lookUp({ verb: 'capture', key: part.key, reference })).toEqual(UNKNOWN);
    double.hands.failPart('node', 'partialCaptureDetails');
    expect(await stand.capture(reference, part)).toEqual(NOT_SENT);

    expect(childrenOf(reference)).toHaveLength(1);
  });

  it('shows no payment that is made again', async () => {
    const request = authorization(USD);
    await stand.authorize(request);
    double.hands.failPart('search', 'statusHistory');

    expect(await stand.authorize({ ...request, isRepeat: true })).toEqual(NOT_SENT);
    expect(double.transactions().filter(({ key }) => key === request.key)).toHaveLength(1);
  });

  it.each(['refunds', 'disputes', 'statusHistory'])('has no books: %s', async (part) => {
    const { reference } = await stand.sell();
    double.hands.failPart('node', part);

    expect(await stand.books(reference)).toEqual(UNKNOWN);
  });

  it('is unknown after a change, and a look-up tells', async () => {
    const request = authorization(USD);
    double.hands.failPart('authorizeCreditCard', 'refunds');

    expect(await stand.authorize(request)).toEqual(UNKNOWN);
    expect(await stand.lookUp({ verb: 'authorize', key: request.key, reference: null })).toMatchObject({
      kind: 'succeeded',
    });
  });
});

describe('a child capture that gives its order id to its authorisation', () => {
  it('is found, and not made again', async () => {
    const { reference, key: paid } = await renaming.pay();
    const key = randomUUID();
    const part = { key, money: { ...USD, amount: 500 }, final: false };
    renaming.double.failNext(['lose_answer']);
    await renaming.capture(reference, part);

    const found = await renaming.lookUp({ verb: 'capture', key, reference });
    expect(found).toMatchObject({ kind: 'succeeded', money: part.money });
    expect(await renaming.capture(reference, part)).toEqual(found);
    const other = await renaming.capture(reference, { ...part, key: randomUUID() });
    expect(other).toMatchObject({ kind: 'succeeded' });
    expect(await renaming.lookUp({ verb: 'capture', key, reference })).toEqual(found);

    expect(childrenOf(reference, renaming)).toHaveLength(2);
    // The authorisation is still found by its key.
    expect(await renaming.lookUp({ verb: 'authorize', key: paid, reference: null })).toMatchObject({
      ...{ kind: 'succeeded', reference, money: USD },
    });
  });

  it('is one of ours only once, if a person captures after it', async () => {
    const { reference } = await renaming.pay();
    const key = randomUUID();
    const ours = await renaming.capture(reference, { key, money: { ...USD, amount: 500 }, final: false });
    renaming.double.hands.captureChild(reference, 300);

    expect(await renaming.lookUp({ verb: 'capture', key, reference })).toEqual(ours);
    const books = await renaming.books(reference);
    const captures = books?.kind === 'books' ? books.notices.filter(({ verb }) => verb === 'capture') : [];
    expect(captures.map((notice) => notice.key)).toEqual([key, null]);
  });
});

describe('a void of one of several captures', () => {
  it('does not prove the refund of another one of the same amount', async () => {
    const { reference, captures } = await inParts(stand, [500, 500]);
    const [one, two] = captures;
    await stand.refund(reference, randomUUID(), [[one, 500]]);
    double.hands.settleAll();
    const key = randomUUID();
    double.failNext(['lose_request']);
    await stand.refund(reference, key, [[two, 500]]);

    expect(await stand.lookUp({ verb: 'refund', key, reference, money: { ...USD, amount: 500 } })).toBeNull();
    expect(await stand.refund(reference, key, [[two, 500]])).toMatchObject({ kind: 'succeeded' });
    expect(refundsOf(two).map(({ minor }) => minor)).toEqual([500]);
  });
});

describe('a refund of several captures', () => {
  it('waits for the settlement of all of them, and does nothing before', async () => {
    const { reference, captures } = await inParts();
    const [one, two] = captures;
    double.hands.settle(one);
    const refund = (key: string) =>
      stand.refund(reference, key, [
        [one, 500],
        [two, 799],
      ]);

    expect(await refund(randomUUID())).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect([refundsOf(one), refundsOf(two)]).toEqual([[], []]);
    double.hands.settleAll();
    expect(await refund(randomUUID())).toMatchObject({ kind: 'succeeded', money: USD });
  });

  it('is taken back by the parts that failed, each of them once', async () => {
    const { reference, captures } = await inParts(stand, [600, 699]);
    const [one, two] = captures;
    double.hands.settleAll();
    const key = randomUUID();
    await stand.refund(reference, key, [
      [one, 600],
      [two, 600],
    ]);
    const made = [one, two].flatMap((id) => refundsOf(id).map((each) => each.id));
    made.forEach((id) => double.hands.failRefund(id));

    const books = await stand.books(reference);
    const told = books?.kind === 'books' ? books.notices.filter(({ verb }) => verb === 'refund') : [];
    expect(told).toMatchObject(
      made.map((id) => ({
        key,
        outcome: { kind: 'reversed', money: { ...USD, amount: 600 }, reversalReference: id },
      })),
    );
    expect(new Set(told.map(booksKeyOf)).size).toBe(2);
  });
});

describe('a processor that refuses repetitions', () => {
  it('does not decline a payment whose first request the search does not show', async () => {
    const request = authorization(USD);
    await processor.authorize(request);
    const [first] = processor.double.transactions().filter(({ key }) => key === request.key);
    processor.double.hands.hideFromSearch(first?.id ?? '');

    expect(await processor.authorize({ ...request, isRepeat: true })).toEqual({ ...UNKNOWN, arrived: true });
    expect(await processor.lookUp({ verb: 'authorize', key: request.key, reference: null })).toEqual({
      ...{ kind: 'unknown', cause: 'unreadable' },
    });
    expect(
      processor.double.transactions().filter((each) => each.key === request.key && had(each, 'AUTHORIZED')),
    ).toHaveLength(1);
  });

  it('leads to the first request, if the search shows it after the refusal', async () => {
    const request = authorization(USD);
    const first = await processor.authorize(request);

    expect(await processor.authorize(request)).toEqual(first);
  });

  it('declines a first request that repeats another payment', async () => {
    expect(await stand.authorize(authorization({ ...USD, amount: 201_600 }))).toMatchObject({
      ...{ kind: 'declined', errorCode: 'duplicate_transaction', rawResponseCode: '2016' },
    });
  });

  it('does not fail a refund that an earlier request made', async () => {
    const { reference } = await stand.sell();
    const key = randomUUID();
    const first = await stand.refund(reference, key, [[reference, 300]]);
    double.hands.refuseRepeatedRefund(key);

    const money = { ...USD, amount: 300 };
    expect(await stand.lookUp({ verb: 'refund', key, reference, money })).toEqual(first);
    expect(await stand.refund(reference, key, [[reference, 300]])).toEqual(first);
  });

  it('fails a first refund that repeats another one', async () => {
    const { reference } = await stand.sell();
    double.hands.declineRefund('2016');

    expect(await stand.refund(reference, randomUUID(), [[reference, 300]])).toMatchObject({
      ...{ kind: 'declined', errorCode: 'duplicate_transaction', rawResponseCode: '2016' },
    });
  });

  it('does not fail a repeated refund whose first request Braintree does not show', async () => {
    const { reference } = await stand.sell();
    const key = randomUUID();
    double.hands.declineRefund('2016');
    const repeat = () => stand.refund(reference, key, [[reference, 300]], { isRepeat: true });

    expect(await repeat()).toEqual({ ...UNKNOWN, arrived: true });
    expect(await repeat()).toEqual({ ...UNKNOWN, arrived: true });
    const money = { ...USD, amount: 300 };
    expect(await stand.lookUp({ verb: 'refund', key, reference, money })).toEqual({
      ...{ kind: 'unknown', cause: 'unreadable' },
    });
    expect(refundsOf(reference)).toHaveLength(1);
  });
});

describe('a transaction that Braintree does not show', () => {
  const key = randomUUID();
  const elsewhere = 'dHJhbnNhY3Rpb25fZWxzZXdoZXJl';

  it.each([
    ['capture', () => stand.capture(elsewhere, { key })],
    ['refund', () => stand.refund(elsewhere, key, [[elsewhere, 1299]])],
    ['void', () => stand.void(elsewhere, key)],
  ] as const)('says nothing about an earlier request: %s', async (_, call) => {
    expect(await call()).toEqual(MISSING);
  });

  it('says nothing about an earlier refund of a capture', async () => {
    const { reference } = await stand.sell();

    expect(await stand.refund(reference, key, [[elsewhere, 1299]])).toEqual(MISSING);
  });
});

describe('a refund that waits for its processor', () => {
  it('is not made again by a cancel', async () => {
    const sold = await stand.sell();
    double.hands.waitNext();
    expect(await stand.cancel(sold.key)).toEqual(UNKNOWN);
    const before = double.requests.length;

    expect(await stand.cancel(sold.key)).toEqual(UNKNOWN);
    expect(double.requests.slice(before).map(({ path }) => path)).toEqual(['/graphql search']);
    const [made] = refundsOf(sold.reference);
    double.hands.approve(made?.id ?? '');
    expect(await stand.cancel(sold.key)).toMatchObject({ kind: 'succeeded' });
    expect(refundsOf(sold.reference)).toHaveLength(1);
  });

  it('is accepted, and its look-up tells the end', async () => {
    const { reference } = await stand.sell();
    const key = randomUUID();
    double.hands.waitNext();

    expect(await stand.refund(reference, key, [[reference, 300]])).toMatchObject({ kind: 'accepted' });
    double.hands.approve(refundsOf(reference)[0]?.id ?? '');
    const money = { ...USD, amount: 300 };
    expect(await stand.lookUp({ verb: 'refund', key, reference, money })).toMatchObject({
      kind: 'succeeded',
    });
  });
});

describe('a payment that waits for its processor', () => {
  it('is accepted, cannot be captured, and its look-up tells the end', async () => {
    double.hands.waitNext();
    const { outcome, key, reference } = await stand.pay();
    expect(outcome).toMatchObject({ kind: 'accepted', reference });

    expect(await stand.capture(reference)).toEqual({ kind: 'unknown', cause: 'unreadable', sent: false });
    double.hands.approve(reference);
    expect(await stand.lookUp({ verb: 'authorize', key, reference })).toMatchObject({
      ...{ kind: 'succeeded', money: USD },
    });
  });
});

describe('a capture that settles now', () => {
  it('gives nothing back before its settlement ends', async () => {
    const { reference } = await stand.pay({ capture: true });
    double.hands.beginSettling(reference);

    for (const amount of [300, 1299])
      expect(await stand.refund(reference, randomUUID(), [[reference, amount]])).toMatchObject({
        ...{ kind: 'failed', errorCode: 'unexpected_state', rawResponseCode: '91506' },
      });
    expect(await stand.void(reference)).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
    expect(refundsOf(reference)).toEqual([]);
    double.hands.settleAll();
    expect(await stand.refund(reference, randomUUID(), [[reference, 300]])).toMatchObject({
      kind: 'succeeded',
    });
  });

  it('is refunded at once by an account that may', async () => {
    const { reference } = await quick.pay({ capture: true });
    quick.double.hands.beginSettling(reference);

    expect(await quick.refund(reference, randomUUID(), [[reference, 300]])).toMatchObject({
      kind: 'succeeded',
    });
  });
});

describe('a reversal whose refund failed', () => {
  it('does not stand for a later refund', async () => {
    const { reference } = await stand.pay({ capture: true });
    double.hands.settleBeforeNext('reverseTransaction');
    await stand.refund(reference, randomUUID(), [[reference, 1299]]);
    double.hands.failRefund(refundsOf(reference)[0]?.id ?? '');

    expect(await stand.refund(reference, randomUUID(), [[reference, 1299]])).toMatchObject({
      ...{ kind: 'succeeded', money: USD },
    });
    expect(refundsOf(reference)).toHaveLength(2);
  });
});

it('a name of a client ends after three hours', async () => {
  const token = double.hands.clientToken({
    number: '4111111111111111',
    month: '03',
    year: '2030',
    hasCvv: true,
  });
  const request = authorization(USD, { card: null, token });
  double.failNext(['lose_request']);
  await stand.authorize(request);
  stand.pass(3 * HOUR_MS);

  expect(await stand.authorize({ ...request, isRepeat: true })).toMatchObject({
    ...{ kind: 'failed', errorCode: 'unknown_payment_method', rawResponseCode: '91565' },
  });
});

it.each([
  ['a proof of an authentication without its ECI', { eci: null, cavv: 'AAAB' }, 'failed'],
  ['an authentication that proves nothing, without an ECI', { eci: null, cavv: null }, 'succeeded'],
  ['a proof of an authentication', { eci: '05', cavv: 'AAAB' }, 'succeeded'],
] as const)('%s', async (_, changes, kind) => {
  const threeDSecure = {
    ...{
      version: '2.2.0',
      directoryResponse: 'Y',
      authenticationResponse: null,
      directoryTransactionId: null,
    },
    ...{ xid: null, cavvAlgorithm: null, scheme: null, ...changes },
  };
  const before = double.requests.length;

  expect(await stand.authorize(authorization(USD, { threeDSecure }))).toMatchObject({ kind });
  expect(double.requests.length > before).toBe(kind === 'succeeded');
});
