import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import {
  BOOKINGS_OF_PAGE,
  settledOtherwise,
  simulateSettlements,
  START,
  type Place,
} from '../../src/connectors/sandbox/simulator/settlement-simulator.ts';
import { cursorOf, placeOf } from '../../src/connectors/sandbox/settlements.ts';
import type { Booked } from '../../src/connectors/notices/settlements.ts';
import { FAULTS, ownFaults, startFakeProvider } from '../support/fake-provider.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { entryOnWire, pageOnWire } from '../settlements/harness.ts';
import { describeAbleSettlementContract } from './settlement-contract.ts';

const DAY_MS = 24 * 3_600_000;

describeAbleSettlementContract({
  connector: sandbox,
  captures: 2 * BOOKINGS_OF_PAGE + 1,
  overlaps: true,
  faults: FAULTS.filter((fault) => !/other_money|not_found/.test(fault)),
  start: async () => {
    const clock = createShiftedClock();
    const provider = await startFakeProvider({ now: () => clock.now() });
    const capture = async (amount: number): Promise<void> => {
      const request = { operation: 'capture', idempotency_key: randomUUID(), amount, currency: 'USD' };
      await (await fetch(provider.url, { method: 'POST', body: JSON.stringify(request) })).json();
    };
    const { settlements } = provider;
    return {
      credentials: { merchant_id: 'test', api_key: 'a secret of the test', api_url: provider.url },
      settle: async (captures) => {
        for (let count = 0; count < captures; count += 1) await capture(1000 + count);
        clock.advance(2 * DAY_MS);
      },
      convert: async () => {
        await capture(settledOtherwise.converted);
        clock.advance(2 * DAY_MS);
        return { amount: settledOtherwise.converted, currency: 'USD' };
      },
      failNext: (...faults) => provider.failNext(...ownFaults(faults)),
      spoilNext: (spoiling) =>
        settlements.answerNext(
          pageOnWire(
            [
              entryOnWire(),
              entryOnWire({ id: 'st_2', ...(spoiling === 'amount' ? { gross: 10.5 } : { settled_on: '' }) }),
            ],
            'next',
          ),
        ),
      refuseNext: () => settlements.answerNext({ result: 'refused', message: 'The key lacks a right.' }),
      release: () => provider.release(),
      close: () => provider.close(),
    };
  },
});

const bookingAt = (moment: string, booking: Partial<Booked> = {}): Booked => ({
  ...{ id: moment, kind: 'capture', key: moment, operationReference: 'cap_1', paymentReference: 'pay_1' },
  ...{ disputeReference: null, amount: 1000, currency: 'USD', bookedAt: new Date(moment) },
  ...booking,
});

const settle = (bookings: readonly Booked[], now: string, place: Place = START) =>
  simulateSettlements(place, bookings, new Date(now));

describe('the built-in provider', () => {
  it('settles a day an hour after its end, with one payout for each currency', () => {
    const day = [
      bookingAt('2026-11-23T10:00:00Z'),
      bookingAt('2026-11-23T11:00:00Z', { kind: 'refund', amount: 300 }),
      bookingAt('2026-11-23T12:00:00Z', { currency: 'EUR' }),
      bookingAt('2026-11-24T00:30:00Z'),
    ];
    expect(settle(day, '2026-11-24T00:59:59Z').entries).toEqual([]);

    const { entries, more } = settle(day, '2026-11-24T01:00:00Z');

    expect(entries.map(({ type, net, currency, settled_on: on }) => [type, net, currency, on])).toEqual([
      ['charge', 970, 'USD', '2026-11-24'],
      ['refund', -300, 'USD', '2026-11-24'],
      ['charge', 970, 'EUR', '2026-11-24'],
      ['payout', -670, 'USD', '2026-11-24'],
      ['payout', -970, 'EUR', '2026-11-24'],
    ]);
    expect(more).toBe(false);
    expect(
      new Set(entries.filter(({ currency }) => currency === 'USD').map(({ payout }) => payout)).size,
    ).toBe(1);
  });

  it('pays a booking that appears after the payout with the next one', () => {
    const first = bookingAt('2026-11-23T10:00:00Z');
    const { place } = settle([first], '2026-11-24T12:00:00Z');
    const late = bookingAt('2026-11-23T10:00:01Z', { amount: 500 });

    const { entries } = settle([first, late], '2026-11-24T12:00:00Z', place);

    const [repeated, charge, payout] = entries;
    expect([repeated?.gross, charge?.gross, payout?.gross]).toEqual([1000, 500, -480]);
    expect(payout?.payout).toBe(charge?.payout);
    expect(payout?.payout).not.toBe(repeated?.payout);
  });

  it('skips no booking that has an earlier id and a later day', () => {
    const today = bookingAt('2026-11-24T00:00:00.001Z', { id: 'a' });
    const yesterday = bookingAt('2026-11-23T23:59:59.999Z', { id: 'b' });
    const first = settle([today, yesterday], '2026-11-24T12:00:00Z');
    expect(first.entries).toEqual([]);

    const { entries } = settle([today, yesterday], '2026-11-25T12:00:00Z', first.place);

    expect(entries.filter(({ type }) => type === 'charge')).toHaveLength(2);
  });

  it('takes back and disputes money with a sign', () => {
    const kinds = ['capture_reversal', 'refund_reversal', 'dispute_loss', 'dispute_loss_reversal'] as const;
    const day = kinds.map((kind, index) => bookingAt(`2026-11-23T1${index}:00:00Z`, { kind }));
    expect(
      settle(day, '2026-11-25T00:00:00Z').entries.map(({ type, gross, fee }) => [type, gross, fee]),
    ).toEqual([
      ['reversal', -1000, 0],
      ['reversal', 1000, 0],
      ['chargeback', -1000, 1500],
      ['chargeback_reversal', 1000, 0],
      ['payout', 1500, 0],
    ]);
  });

  it('writes its place as a cursor, and reads no other', () => {
    const place = { after: 'a', afterDay: '2026-11-23', day: '2026-11-24', sums: { USD: 12 } };
    expect(placeOf(cursorOf(place))).toEqual(place);
    expect(() => placeOf('somewhere')).toThrow();
  });
});
