import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, FUNDS, HOUR, MERCHANT, startPlans, type PlanHarness } from './harness.ts';
import { CARD } from '../harness.ts';

let harness: PlanHarness;
beforeAll(async () => {
  harness = await startPlans();
});
afterAll(() => harness.stop());
beforeEach(() => harness.provider.behave());

const after = (hours: number): string =>
  new Date(harness.clock.now().getTime() + hours * HOUR).toISOString().slice(0, 16);

const statusOf = async (id: string) => (await harness.transaction(id))?.status;

const operationsOf = (id: string) =>
  harness.server.app.db.prisma.operation.findMany({ where: { transactionId: id }, orderBy: { id: 'asc' } });

describe('a payment with a plan', () => {
  it('that is authorised at once makes no try', async () => {
    await harness.pay();
    const since = await harness.since();
    const { transaction } = await harness.pay();

    expect(transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(await harness.plan(transaction?.id ?? '')).toMatchObject({ status: 'SUCCEEDED', tries: [] });
    expect(await since.eventNames()).toEqual(['transaction.authorized']);
  });

  it('that is refused is tried at its times, and books the try that succeeds', async () => {
    const since = await harness.since();
    const id = await harness.refused();
    expect(await harness.plan(id)).toMatchObject({ status: 'ACTIVE', reason: null, tries: [] });
    expect((await harness.plan(id))?.nextTryAt?.slice(0, 16)).toBe(after(24));
    expect((await harness.plan(id))?.endsAt?.slice(0, 16)).toBe(after(14 * 24));

    harness.provider.declineNext(FUNDS);
    await harness.later(23 * HOUR);
    expect(since.calls()).toEqual(['authorize']);
    await harness.later(HOUR);
    expect(await statusOf(id)).toBe('AUTHORIZATION_DECLINED');
    expect(since.calls()).toEqual(['authorize', 'authorize']);
    await harness.later(2 * DAY);

    expect(await harness.transaction(id)).toMatchObject({
      ...{
        status: 'AUTHORIZATION_SUCCEEDED',
        intentOutcome: 'SUCCEEDED',
        authorizedAmount: 1299,
        errorCode: null,
      },
    });
    expect(await harness.plan(id)).toMatchObject({
      ...{ status: 'SUCCEEDED', reason: null, nextTryAt: null },
      tries: [
        { status: 'DECLINED', errorCode: 'insufficient_funds' },
        { status: 'SUCCEEDED', errorCode: null },
      ],
    });
    const operations = await operationsOf(id);
    expect(new Set(operations.map(({ providerKey, id: own }) => providerKey ?? own)).size).toBe(3);
    const ledger = await harness.server.app.db.prisma.ledgerEntry.findMany({ where: { transactionId: id } });
    expect(ledger).toMatchObject([{ kind: 'authorize', amount: 1299, operationId: operations[2]?.id }]);
    expect(await since.eventNames()).toEqual([
      ...['transaction.declined', 'retry-plan.scheduled', 'transaction.declined', 'retry-plan.scheduled'],
      ...['transaction.authorized', 'retry-plan.succeeded'],
    ]);
  });

  it('sends each try as a merchant-initiated payment without a security code', async () => {
    const calls = harness.provider.calls.length;
    await harness.refused({ afterHours: [1] });
    await harness.later(HOUR);

    const [first, second] = harness.provider.calls.slice(calls);
    expect(second).toMatchObject({
      operation: 'authorize',
      card: { cvv: null },
      stored_credential: { initiator: 'merchant', subsequent: true },
    });
    expect({ ...second, idempotency_key: '' }).toEqual({ ...first, idempotency_key: '' });
    expect(second?.idempotency_key).not.toBe(first?.idempotency_key);
  });

  it('captures with the try that succeeds, if the payment is a sale', async () => {
    const id = await harness.refused({ afterHours: [1] }, { intent: 'CAPTURE' });
    await harness.later(HOUR);

    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1299,
    });
  });

  it('is exhausted after its last try', async () => {
    const since = await harness.since();
    const id = await harness.refused({ afterHours: [1] });
    harness.provider.declineNext(FUNDS);
    await harness.later(HOUR);
    await harness.later(30 * DAY);

    expect(await harness.plan(id)).toMatchObject({
      status: 'EXHAUSTED',
      reason: 'NO_TIME_LEFT',
      nextTryAt: null,
    });
    expect(await statusOf(id)).toBe('AUTHORIZATION_DECLINED');
    expect(since.calls()).toHaveLength(2);
    expect((await since.eventNames()).at(-1)).toBe('retry-plan.exhausted');
  });

  it('goes on after a failed try, which surely moved no money', async () => {
    const id = await harness.refused({ afterHours: [1, 2] });
    harness.provider.declineNext({ result: 'error', code: 'service_error' });
    await harness.later(HOUR);
    expect(await statusOf(id)).toBe('AUTHORIZATION_FAILED');
    await harness.later(HOUR);

    expect(await statusOf(id)).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it.each([
    [{ code: 'issuer_decline', advice_code: '03' }, 'TRIES_FORBIDDEN'],
    [{ code: 'issuer_decline', advice_code: '21' }, 'TRIES_FORBIDDEN'],
    [{ code: 'issuer_decline', advice_code: '01' }, 'NEW_CARD_DATA_NEEDED'],
    [{ code: 'issuer_decline', network_response_code: '43' }, 'TRIES_FORBIDDEN'],
    [{ code: 'expired_payment_method' }, 'NOT_RETRIABLE'],
  ])('ends at the refusal %j', async (refusal, reason) => {
    const since = await harness.since();
    harness.provider.declineNext(refusal);
    const { transaction } = await harness.pay();
    const id = transaction?.id ?? '';
    await harness.later(30 * DAY);

    expect(await harness.plan(id)).toMatchObject({ status: 'ENDED', reason, tries: [], nextTryAt: null });
    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual(['transaction.declined', 'retry-plan.ended']);
  });

  it('waits as long as the issuer advises', async () => {
    harness.provider.declineNext({ code: 'insufficient_funds', advice_code: '27' });
    const { transaction } = await harness.pay({ retryPlan: { afterHours: [1, 24] } });

    expect((await harness.plan(transaction?.id ?? ''))?.nextTryAt?.slice(0, 16)).toBe(after(4 * 24));
  });

  it('pays with the card as it is stored at the time of the try', async () => {
    const card = await harness.store('5555 5555 5555 4444');
    const id = await harness.refused({ afterHours: [1] }, { paymentMethod: { stored: { id: card } } });
    await harness.ask(`mutation ($id: ID!) { deletePaymentMethod(id: $id) { userErrors { message } } }`, {
      id: card,
    });
    const since = await harness.since();
    await harness.later(HOUR);

    expect(await harness.plan(id)).toMatchObject({ status: 'ENDED', reason: 'PAYMENT_METHOD_UNUSABLE' });
    expect(since.calls()).toEqual([]);
  });

  it('answers the first outcome to a repeat of its key, and tries no more', async () => {
    harness.provider.declineNext(FUNDS);
    const first = await harness.pay({}, 'planned-once');
    await harness.later(DAY);
    const since = await harness.since();
    const again = await harness.pay({}, 'planned-once');

    expect(again).toMatchObject({ replayed: true, transaction: { id: first.transaction?.id } });
    expect(again.transaction?.status).toBe('AUTHORIZATION_DECLINED');
    const other = await harness.pay({ retryPlan: { afterHours: [25, 72] } }, 'planned-once');
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(since.calls()).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  it('of a try waits for its resolution, and nothing is tried meanwhile', async () => {
    const id = await harness.refused({ afterHours: [1, 2] });
    harness.provider.failNext('lose_answer');
    await harness.later(HOUR);
    const since = await harness.since();
    await harness.later(12 * HOUR);

    expect(await statusOf(id)).toBe('PROCESSING');
    expect(await harness.plan(id)).toMatchObject({
      status: 'ACTIVE',
      nextTryAt: null,
      tries: [{ status: 'PENDING' }],
    });
    expect(since.calls()).toEqual([]);
  });
});

describe('a stop', () => {
  it('ends the plan, and a repeat changes nothing', async () => {
    const id = await harness.refused();
    const since = await harness.since();
    const stopped = await harness.stopPlan(id);
    const again = await harness.stopPlan(id);
    await harness.later(30 * DAY);

    expect(stopped).toMatchObject({ plan: { status: 'STOPPED', reason: null, nextTryAt: null }, errors: [] });
    expect(again).toEqual(stopped);
    expect(await operationsOf(id)).toHaveLength(1);
    expect((await since.eventNames()).filter((name) => name === 'retry-plan.stopped')).toHaveLength(1);
  });

  it('of a payment without a plan is refused', async () => {
    const id = await harness.authorized();

    expect(await harness.stopPlan(id)).toMatchObject({ plan: null, errors: [{ code: 'NOT_FOUND' }] });
    expect(await harness.plan(id)).toBeNull();
  });
});

describe('a plan is refused', () => {
  it.each([
    ['for a payment of the buyer', { merchantInitiated: false }, 'input.retryPlan'],
    ['without a stored card', { paymentMethod: { card: CARD } }, 'input.retryPlan'],
    ['without times', { retryPlan: {} }, 'input.retryPlan'],
    [
      'with both kinds of times',
      { retryPlan: { afterHours: [1], paydays: { days: [1], hour: 9, timeZone: 'UTC' } } },
      'input.retryPlan',
    ],
    ['without hours', { retryPlan: { afterHours: [] } }, 'input.retryPlan.afterHours'],
    [
      'with eleven hours',
      { retryPlan: { afterHours: Array.from({ length: 11 }, (_, hour) => hour + 1) } },
      'input.retryPlan.afterHours',
    ],
    ['with hours out of order', { retryPlan: { afterHours: [2, 1] } }, 'input.retryPlan.afterHours'],
    [
      'with hours after its end',
      { retryPlan: { afterHours: [49], untilDays: 2 } },
      'input.retryPlan.afterHours',
    ],
    ['with too late an end', { retryPlan: { afterHours: [1], untilDays: 31 } }, 'input.retryPlan.untilDays'],
    [
      'without a payday',
      { retryPlan: { paydays: { hour: 9, timeZone: 'UTC' } } },
      'input.retryPlan.paydays.days',
    ],
    [
      'with the 32nd',
      { retryPlan: { paydays: { days: [32], hour: 9, timeZone: 'UTC' } } },
      'input.retryPlan.paydays.days.0',
    ],
    [
      'in no zone',
      { retryPlan: { paydays: { days: [1], hour: 9, timeZone: 'Mars/Base' } } },
      'input.retryPlan.paydays.timeZone',
    ],
  ])('%s', async (_, input, path) => {
    const since = await harness.since();
    const { transaction, userErrors } = await harness.pay(input);

    expect(transaction).toBeNull();
    expect(userErrors.map((error) => error.path.join('.'))).toContain(path);
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual([]);
  });
});

it('leaves a payment without a plan as it was', async () => {
  const plans = await harness.server.app.db.prisma.retryPlan.count();
  harness.provider.declineNext(FUNDS);
  const { transaction } = await harness.pay({ retryPlan: null, ...MERCHANT });

  expect(transaction?.status).toBe('AUTHORIZATION_DECLINED');
  expect(await harness.server.app.db.prisma.retryPlan.count()).toBe(plans);
});
