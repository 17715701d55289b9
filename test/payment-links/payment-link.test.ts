import { describe, expect, it } from '@jest/globals';
import {
  lifecycle,
  meaningOf,
  nextStatus,
  type PaymentLinkEvent,
  type PaymentLinkStatus,
} from '../../src/modules/payment-links/payment-link.ts';
import { lifecycle as transactionLifecycle } from '../../src/modules/transactions/model/transaction.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

const STATUSES = Object.keys(lifecycle) as PaymentLinkStatus[];

describe('the lifecycle of a payment link', () => {
  it.each([
    ['begin', { active: 'processing' }],
    ['complete', { processing: 'completed' }],
    ['give_back', { processing: 'active' }],
    ['expire', { active: 'expired' }],
  ] as const)('opens on %s the ways %j and no other', (event, ways) => {
    const found = STATUSES.flatMap((status) => {
      const after = nextStatus(status, event);
      return after ? [[status, after]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(ways);
  });

  it('reaches every status, and two are final', () => {
    const reached = new Set<PaymentLinkStatus>(['active']);
    for (const status of reached) for (const after of Object.values(lifecycle[status])) reached.add(after);
    expect([...reached].sort()).toEqual(STATUSES.toSorted());

    const events: PaymentLinkEvent[] = ['begin', 'complete', 'give_back', 'expire'];
    const final = STATUSES.filter((status) => events.every((event) => nextStatus(status, event) === null));
    expect(final).toEqual(['completed', 'expired']);
  });

  it.each([
    ['processing', null, null],
    ['buyer_approval_pending', null, null],
    ['authorization_declined', null, 'give_back'],
    ['authorization_failed', null, 'give_back'],
    // A sale that the provider decides later, and may decline.
    ['capture_pending', null, null],
    ['capture_pending', NOW, 'complete'],
    ['capture_succeeded', NOW, 'complete'],
    ['authorization_succeeded', NOW, 'complete'],
    ['authorization_void_pending', NOW, 'complete'],
    ['authorization_voided', NOW, 'complete'],
  ] as const)('a transaction that is %s, authorised at %s, means %s', (status, authorizedAt, meaning) => {
    expect(meaningOf({ status, authorizedAt })).toBe(meaning);
  });

  it('keeps the meaning of a transaction, whatever follows', () => {
    const authorised = ['authorization_succeeded', 'authorization_void_pending', 'capture_pending'] as const;
    for (const status of [...authorised, 'capture_succeeded', 'authorization_voided'] as const) {
      const later = Object.entries(transactionLifecycle[status])
        // An authorised payment is not declined any more.
        .filter(([event]) => !['decline', 'fail', 'cancel', 'authorize', 'sale'].includes(event))
        .map(([, after]) => meaningOf({ status: after, authorizedAt: NOW }));
      expect([status, ...later.filter((meaning) => meaning !== 'complete')]).toEqual([status]);
    }
  });
});
