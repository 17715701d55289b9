import { describe, expect, it } from '@jest/globals';
import type { Notice } from '../../src/connectors/notices/webhook.ts';
import { withoutLostKey } from '../../src/modules/transactions/sweep/lost.ts';
import type { SweptPayment } from '../../src/modules/transactions/sweep/store/sweeps.sql.ts';

const LOST = '018f0000-0000-8000-8000-000000000001';

const notice = (verb: Notice['verb'], reference: string, change: Partial<Notice> = {}): Notice =>
  ({
    ...{ eventKey: `${verb} ${reference}`, occurredAt: null, verb, key: LOST, reference },
    ...{ paymentReference: null, outcome: { kind: 'succeeded', money: { amount: 100, currency: 'USD' } } },
    ...change,
  }) as Notice;

const payment = {
  transaction: { paymentServiceTransactionId: 'pay' },
  operations: [],
} as unknown as SweptPayment;

/** Returns the lost keys that are kept from the books of a payment. */
const kept = (...notices: readonly Notice[]) =>
  notices.map(
    (each) => withoutLostKey({ payment, notices, connector: { namesCaptures: true } }, each).lostKey,
  );

describe('the key of a lost operation', () => {
  it('is kept if one operation has it', () => {
    expect(kept(notice('capture', 'one'))).toEqual([LOST]);
  });

  it('is kept if the operation was reversed', () => {
    const reversed = notice('capture', 'one', { eventKey: 'reversed' });
    expect(kept(notice('capture', 'one'), reversed)).toEqual([LOST, LOST]);
  });

  it.each(['capture', 'refund'] as const)('is not kept if a %s has it too', (verb) => {
    expect(kept(notice('capture', 'one'), notice(verb, 'two'))).toEqual([undefined, undefined]);
  });
});
