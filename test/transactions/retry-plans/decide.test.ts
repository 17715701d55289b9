import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVERY_DECLINE_CODE, isRetriedLater } from '../../../src/connectors/codes/decline-codes.ts';
import type { RetryPlan } from '../../../src/modules/transactions/retry-rules/plan.ts';
import {
  RETRY_PLAN_STATUSES,
  retryPlanLifecycle,
} from '../../../src/modules/transactions/retry-rules/plan.ts';
import { adviceOf, attemptsMaxOf } from '../../../src/modules/transactions/retry-rules/advice.ts';
import { decidePlan, type PlanFacts } from '../../../src/modules/transactions/retry-rules/decide.ts';

const AT = new Date('2026-03-01T09:30:00Z');
const later = (hours: number): Date => new Date(AT.getTime() + hours * 3_600_000);

const plan = (fields: Partial<RetryPlan> = {}): RetryPlan => ({
  ...{ merchantAccountId: 'default', transactionId: 'payment', status: 'active', reason: null, tries: 0 },
  ...{ schedule: { afterHours: [24, 72] }, untilDays: 14, declinedAt: null, endsAt: null },
  ...{ afterOperationId: null, nextTryAt: null, nextLookAt: AT, createdAt: AT, updatedAt: AT },
  ...fields,
});

const facts = (fields: Partial<PlanFacts> = {}): PlanFacts => ({
  plan: plan(),
  transaction: { status: 'authorization_declined', authorizedAt: null, canceledAt: null, voidPending: false },
  last: {
    ...{ id: 'first', status: 'declined', errorCode: 'insufficient_funds', merchantAdviceCode: null },
    ...{ createdAt: AT, settledAt: AT, updatedAt: AT },
  },
  ...{ isOpen: false, isAtLimit: false, now: AT },
  ...fields,
});

const waiting = plan({
  declinedAt: AT,
  endsAt: later(14 * 24),
  afterOperationId: 'first',
  nextTryAt: later(24),
});

const refused = (errorCode: string, merchantAdviceCode: string | null = null): Partial<PlanFacts> => ({
  last: { ...facts().last, errorCode, merchantAdviceCode },
});

describe('a plan', () => {
  it('has one active state, and four ends without an exit', () => {
    expect(Object.keys(retryPlanLifecycle)).toEqual([...RETRY_PLAN_STATUSES]);
    expect(Object.values(retryPlanLifecycle).filter((exits) => Object.keys(exits).length > 0)).toHaveLength(
      1,
    );
    expect(Object.values(retryPlanLifecycle.active).toSorted()).toEqual(
      RETRY_PLAN_STATUSES.filter((status) => status !== 'active').toSorted(),
    );
  });

  it('begins with the first decline', () => {
    expect(decidePlan(facts())).toEqual({
      ...{ kind: 'schedule', nextTryAt: later(24), declinedAt: AT, endsAt: later(14 * 24) },
      afterOperationId: 'first',
    });
  });

  it.each([
    ['tries at its time', { plan: waiting, now: later(24) }, { kind: 'try' }],
    ['waits for its time', { plan: waiting, now: later(23) }, { kind: 'look_later', at: later(24) }],
    [
      'moves a try above the limit of the scheme to the next time',
      { plan: waiting, now: later(24), isAtLimit: true },
      { kind: 'schedule', nextTryAt: later(72) },
    ],
    [
      'is exhausted by the limit of the scheme',
      { plan: { ...waiting, nextTryAt: later(72) }, now: later(72), isAtLimit: true },
      { kind: 'exhaust', reason: 'scheme_limit' },
    ],
    [
      'is exhausted after its last time',
      { plan: waiting, last: { ...facts().last, id: 'second', settledAt: later(73) }, now: later(73) },
      { kind: 'exhaust', reason: 'no_time_left' },
    ],
    [
      'ends with the payment that was authorised',
      { transaction: { ...facts().transaction, status: 'authorization_succeeded', authorizedAt: AT } },
      { kind: 'succeed' },
    ],
    [
      'ends with the payment that was authorised and voided',
      { transaction: { ...facts().transaction, status: 'authorization_voided', authorizedAt: AT } },
      { kind: 'succeed' },
    ],
    [
      'ends with the payment that was cancelled',
      { transaction: { ...facts().transaction, status: 'authorization_failed', canceledAt: AT } },
      { kind: 'end', reason: 'payment_canceled' },
    ],
    [
      'ends at a stopped card',
      refused('refused_transaction', '03'),
      { kind: 'end', reason: 'tries_forbidden' },
    ],
    [
      'ends at a changed card',
      refused('issuer_decline', '01'),
      { kind: 'end', reason: 'new_card_data_needed' },
    ],
    ['ends at an expired card', refused('expired_payment_method'), { kind: 'end', reason: 'not_retriable' }],
    ['ends at a failure by hand', refused('resolved_as_failed'), { kind: 'end', reason: 'not_retriable' }],
  ] as const)('%s', (_, given, expected) => {
    expect(decidePlan(facts(given as Partial<PlanFacts>))).toMatchObject(expected);
  });

  it.each([
    ['an open operation', { isOpen: true }],
    ['a cancel under way', { transaction: { ...facts().transaction, voidPending: true } }],
    ['a pending authorisation', { last: { ...facts().last, status: 'pending' } }],
    ['a processing payment', { transaction: { ...facts().transaction, status: 'processing' } }],
    [
      'a payment that waits for its buyer',
      { transaction: { ...facts().transaction, status: 'buyer_approval_pending' } },
    ],
  ] as const)('never tries beside %s', (_, given) => {
    expect(decidePlan(facts({ plan: waiting, now: later(24), ...(given as Partial<PlanFacts>) })).kind).toBe(
      'look_later',
    );
  });

  it('tries only after a sure refusal that time may mend, and within its end', () => {
    const anyFacts = fc.record({
      status: fc.constantFrom(
        'processing',
        'authorization_declined',
        'authorization_failed',
        'capture_pending',
      ),
      ended: fc.constantFrom('pending', 'declined', 'failed'),
      code: fc.constantFrom(...EVERY_DECLINE_CODE),
      advice: fc.constantFrom(
        null,
        '01',
        '02',
        '03',
        '21',
        '24',
        '25',
        '26',
        '27',
        '28',
        '29',
        '30',
        '40',
        '99',
      ),
      ...{ isOpen: fc.boolean(), voidPending: fc.boolean(), isAtLimit: fc.boolean() },
      hours: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(anyFacts, ({ status, ended, code, advice, hours, voidPending, ...flags }) => {
        const last = {
          ...facts().last,
          status: ended,
          errorCode: code,
          merchantAdviceCode: advice,
        } as PlanFacts['last'];
        const transaction = { ...facts().transaction, status, voidPending } as PlanFacts['transaction'];
        const given = facts({ ...flags, last, transaction, now: later(hours) });
        const first = decidePlan(given);
        if (first.kind !== 'schedule') return expect(first.kind).not.toBe('try');
        expect(flags.isOpen || voidPending || ended === 'pending').toBe(false);
        expect(isRetriedLater(code)).toBe(true);
        expect(['01', '03', '21'].includes(advice ?? '')).toBe(false);
        const { kind: _, ...scheduled } = first;
        const then = decidePlan({ ...given, plan: plan(scheduled) });
        if (then.kind === 'try') expect(given.now >= first.nextTryAt && !flags.isAtLimit).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an advice', () => {
  it.each([
    ['02', 72],
    ['24', 1],
    ['25', 24],
    ['26', 48],
    ['27', 96],
    ['28', 144],
    ['29', 192],
    ['30', 240],
  ])('%s waits %d hours', (merchantAdviceCode, hours) => {
    const advice = adviceOf({ errorCode: 'insufficient_funds', merchantAdviceCode, at: AT });
    expect(advice).toEqual({ kind: 'later', notBefore: later(hours) });
  });

  it.each(['22', '40', '99', null])('%s changes nothing', (merchantAdviceCode) => {
    const advice = adviceOf({ errorCode: 'insufficient_funds', merchantAdviceCode, at: AT });
    expect(advice).toEqual({ kind: 'later', notBefore: null });
  });

  it.each([
    ['visa', 15],
    ['mastercard', 35],
    ['maestro', 35],
    ['amex', null],
    [null, null],
  ])('of the scheme %s allows %p authorisations in 30 days', (scheme, most) => {
    expect(attemptsMaxOf(scheme)).toBe(most);
  });
});
