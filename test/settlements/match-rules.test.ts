import { describe, expect, it } from '@jest/globals';
import {
  matchEntries,
  type Booking,
  type Books,
  type HeldDispute,
  type Named,
  type NamedEntry,
} from '../../src/modules/settlements/match/match-rules.ts';
import type { SettlementEntry } from '../../src/modules/settlements/settlement.ts';

const entry = (given: Partial<SettlementEntry> = {}): SettlementEntry => ({
  ...{ reference: 'st_1', kind: 'charge', key: null, operationReference: null, paymentReference: 'pay_1' },
  ...{ disputeReference: null, payoutReference: null, gross: 1000, fee: 30, net: 970, currency: 'USD' },
  ...{ original: null, exchangeRate: null, settledOn: '2026-11-24' },
  ...given,
});

const named = (given: Partial<Named> = {}): Named => ({
  ...{ by: 'payment', transactionId: 't1', operationId: null, operationKind: null, disputeId: null },
  ...given,
});

const booking = (id: string, given: Partial<Booking> = {}): Booking => ({
  ...{ id, transactionId: 't1', operationId: `of ${id}`, kind: 'capture', amount: 1000, currency: 'USD' },
  ...{ settled: false, parts: 0, operationKind: 'capture', providerReference: null },
  ...given,
});

const dispute = (id: string, given: Partial<HeldDispute> = {}): HeldDispute => ({
  ...{ id, transactionId: 't1', operationId: 'o1', amount: 1000, currency: 'USD', held: 0 },
  ...given,
});

const books = (given: Partial<Books> = {}): Books => ({ bookings: [], disputes: [], ...given });

/** Returns the operation and the difference of each entry. */
const matched = (entries: readonly NamedEntry[], given: Books) =>
  matchEntries(entries, given).map(({ operationId, difference }) => [operationId, difference]);

const charge = (given: Partial<SettlementEntry> = {}, ...names: readonly Named[]): NamedEntry => ({
  entry: entry(given),
  named: names.length > 0 ? names : [named()],
});

describe('a charge', () => {
  it.each<readonly [string, NamedEntry, readonly Booking[], readonly [string | null, string | null]]>([
    ['fits its booking', charge(), [booking('b1')], ['of b1', null]],
    ['names nothing', { entry: entry(), named: [] }, [booking('b1')], [null, 'no_such_operation']],
    ['has no booking', charge(), [], [null, 'operation_not_succeeded']],
    ['has a refund alone', charge(), [booking('b1', { kind: 'refund' })], [null, 'operation_not_succeeded']],
    ['is of less', charge({ gross: 999, net: 969 }), [booking('b1')], ['of b1', 'other_amount']],
    ['is in euros', charge({ currency: 'EUR' }), [booking('b1')], ['of b1', 'other_currency']],
    [
      'is converted from the booked money',
      charge({ currency: 'EUR', gross: 900, net: 870, original: { amount: 1000, currency: 'USD' } }),
      [booking('b1')],
      ['of b1', null],
    ],
    [
      'is converted from other money',
      charge({ original: { amount: 999, currency: 'USD' } }),
      [booking('b1')],
      ['of b1', 'other_amount'],
    ],
    ['is settled already', charge(), [booking('b1', { settled: true })], ['of b1', 'already_settled']],
    [
      'fits the second of two captures',
      charge(),
      [booking('b1', { amount: 300 }), booking('b2')],
      ['of b2', null],
    ],
    [
      "is never another payment's",
      charge(),
      [booking('b1', { transactionId: 't2' })],
      [null, 'operation_not_succeeded'],
    ],
    [
      "names a capture, and is never another capture's",
      charge({}, named({ by: 'reference', operationId: 'o9', operationKind: 'capture' })),
      [booking('b1')],
      ['o9', 'operation_not_succeeded'],
    ],
    [
      'names the authorisation of a captured payment',
      charge({}, named({ by: 'reference', operationId: 'o9', operationKind: 'authorize' })),
      [booking('b1')],
      ['of b1', null],
    ],
    [
      'has one reference for the authorisation and the capture',
      charge(
        {},
        named({ by: 'reference', operationId: 'o9', operationKind: 'authorize' }),
        named({ by: 'reference', operationId: 'of b2', operationKind: 'capture' }),
      ),
      [booking('b1'), booking('b2')],
      ['of b2', null],
    ],
    [
      'has a key, which counts more than a reference',
      charge(
        {},
        named({ by: 'reference', operationId: 'of b1', operationKind: 'capture' }),
        named({ by: 'key', operationId: 'of b2', operationKind: 'capture' }),
      ),
      [booking('b1'), booking('b2')],
      ['of b2', null],
    ],
  ])('that %s', (_, given, bookings, expected) => {
    expect(matched([given], books({ bookings }))).toEqual([expected]);
  });

  it('settles a booking once, also within a page', () => {
    const twice = [charge(), charge({ reference: 'st_2' })];
    expect(matched(twice, books({ bookings: [booking('b1')] }))).toEqual([
      ['of b1', null],
      ['of b1', 'already_settled'],
    ]);
    expect(matched(twice, books({ bookings: [booking('b1'), booking('b2')] }))).toEqual([
      ['of b1', null],
      ['of b2', null],
    ]);
  });
});

describe('a refund with an id at the provider', () => {
  const line = (operationReference: string, ...names: readonly Named[]) =>
    charge(
      { kind: 'refund', gross: -1000, net: -1000, operationReference },
      ...(names.length > 0 ? names : [named()]),
    );
  const refund = (id: string, given: Partial<Booking> = {}) =>
    booking(id, { kind: 'refund', operationKind: 'refund', ...given });
  const nobody = [[null, 'operation_not_succeeded']];
  const copied = named({ by: 'key', operationId: 'o1', operationKind: 'authorize' });

  it.each<readonly [string, NamedEntry, readonly Booking[], unknown]>([
    ['of another booking stays alone', line('re_2'), [refund('b1', { providerReference: 're_1' })], nobody],
    ['may be a booking without an id', line('re_2'), [refund('b1')], [['of b1', null]]],
    [
      'and a copied key of the authorisation stays alone',
      line('re_2', copied, named()),
      [refund('b1', { providerReference: 're_1' })],
      [['o1', 'operation_not_succeeded']],
    ],
    [
      'of its booking fits before a copied key of the authorisation',
      line('re_2', copied, named({ by: 'reference', operationId: 'of b2', operationKind: 'refund' })),
      [refund('b1'), refund('b2', { providerReference: 're_2' })],
      [['of b2', null]],
    ],
  ])('%s', (_, given, bookings, expected) => {
    expect(matched([given], books({ bookings }))).toEqual(expected);
  });
});

it.each([
  ["a sale's authorisation", { operationKind: 'authorize', providerReference: 'auth_1' }],
  ['the sum of several captures', { providerReference: 'ch_1:1000' }],
  ['the payment', { providerReference: 'pay_1' }],
])('a charge with an id of its own fits the booking with the id of %s', (_, known) => {
  const given = charge({ operationReference: 'ch_1' });
  expect(matched([given], books({ bookings: [booking('b1', known)] }))).toEqual([['of b1', null]]);
});

describe('an instalment', () => {
  const part = (reference: string, gross: number, given: Partial<SettlementEntry> = {}) =>
    charge({ reference, gross, net: gross - 30, isPart: true, ...given });

  it('is no difference until the sum is above, and the last one settles the booking', () => {
    const bookings = [booking('b1', { parts: 300 })];
    const all = [part('st_1', 300), part('st_2', 500), part('st_3', 400), part('st_4', 1)];
    expect(
      matchEntries(all, books({ bookings })).map(({ difference, ledgerEntryId }) => [
        difference,
        ledgerEntryId,
      ]),
    ).toEqual([
      ...[
        [null, null],
        ['other_amount', null],
      ],
      ...[
        [null, 'b1'],
        ['already_settled', null],
      ],
    ]);
  });

  it('of another currency is a difference, and so is the whole after a part', () => {
    const bookings = [booking('b1')];
    expect(
      matched(
        [part('st_1', 300, { currency: 'USD', original: { amount: 300, currency: 'EUR' } })],
        books({ bookings }),
      ),
    ).toEqual([['of b1', 'other_currency']]);
    expect(matched([part('st_1', 300), charge({ reference: 'st_2' })], books({ bookings }))).toEqual([
      ['of b1', null],
      ['of b1', 'other_amount'],
    ]);
  });
});

describe('a reversal', () => {
  it('is of a capture below zero, and of a refund above', () => {
    const bookings = [
      booking('b1', { kind: 'capture_reversal' }),
      booking('b2', { kind: 'refund_reversal' }),
      booking('b3'),
    ];
    const out = charge({ kind: 'reversal', gross: -1000, net: -1030 });
    const back = charge({ kind: 'reversal' });
    expect(matched([out, back], books({ bookings }))).toEqual([
      ['of b1', null],
      ['of b2', null],
    ]);
  });
});

describe('a chargeback', () => {
  const out = (given: Partial<SettlementEntry> = {}, ...names: readonly Named[]) =>
    charge({ kind: 'chargeback', gross: -1000, net: -1030, ...given }, ...names);

  it('is of the dispute with its money, unless it names another', () => {
    const disputes = [dispute('d1', { amount: 300, operationId: 'o3' }), dispute('d2')];
    expect(matched([out()], books({ disputes }))).toEqual([['o1', null]]);
    const ofAnother = out({ disputeReference: 'dp_1' }, named({ by: 'dispute', disputeId: 'd1' }));
    expect(matched([ofAnother], books({ disputes }))).toEqual([['o3', 'other_amount']]);
    expect(matched([out({ disputeReference: 'dp_9' })], books({ disputes }))).toEqual([
      [null, 'no_such_dispute'],
    ]);
  });

  it('comes back once for each time that it left', () => {
    const back = charge({ kind: 'chargeback_reversal' });
    const all = matched([back, out(), out(), back, out()], books({ disputes: [dispute('d1')] }));
    expect(all.map(([, difference]) => difference)).toEqual([
      ...['operation_not_succeeded', null, 'already_settled', null, null],
    ]);
    const held = books({ disputes: [dispute('d1', { held: 1 })] });
    expect(matched([back], held)).toEqual([['o1', null]]);
  });
});
