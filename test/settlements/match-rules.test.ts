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
