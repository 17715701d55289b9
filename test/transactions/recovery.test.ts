import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/main.ts';
import { reconcileDue, startReconciler } from '../../src/modules/transactions/index.ts';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { holdAt, holdFirstAt } from '../support/hold.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type ClassProvider } from './class-provider.ts';
import { keyAtProvider, reconcileAfter, resolve, unresolvedOn } from './unresolved.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { until } from '../support/until.ts';
import { PATIENCE } from '../support/patience.ts';
import { withShortDeadline } from '../support/short-deadline.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The deadline of the providers of this file. The other provider has its own, and the longest counts. */
const DEADLINE_MS = 150;
const LEASE_MS = 15 * SECOND;
const QUIESCENCE_MS = 5 * MINUTE;

let clock: ShiftedClock;
let harness: Harness;
/** The first provider knows keys for a day, the second looks up by reference, and the third knows keys too. */
let keyed: ClassProvider;
let referenced: ClassProvider;
let other: ClassProvider;
/** The payment services at the providers. */
const services = new Map<ClassProvider, string>();

/** The background loop of reconciliation. The end of the test stops the loop. */
let reconciler: Loop | null = null;
const reconcileInBackground = (): void => {
  reconciler = startReconciler(harness.server.app);
};
afterEach(async () => {
  await reconciler?.stop();
  reconciler = null;
});

beforeAll(async () => {
  clock = createShiftedClock();
  keyed = createClassProvider('keyed', { kind: 'keys', windowMs: DAY }, clock, { deadlineMs: DEADLINE_MS });
  referenced = createClassProvider('referenced', { kind: 'lookup', quiescenceMs: QUIESCENCE_MS }, clock, {
    deadlineMs: DEADLINE_MS,
  });
  other = createClassProvider('other', { kind: 'keys', windowMs: DAY }, clock, { deadlineMs: DEADLINE_MS });
  const ours = [keyed, referenced, other];
  harness = await startHarness('mock-card', {
    clock,
    connectors: [...sandboxConnectors, ...ours.map(({ connector }) => connector)],
  });
  for (const provider of ours) {
    const { definitionId } = provider;
    services.set(provider, await createService(harness.server, harness.provider.url, { definitionId }));
  }
});
afterAll(() => harness.stop());

const authorized = async (provider: ClassProvider): Promise<string> => {
  const { transaction } = await harness.create({ amount: 1000, paymentServiceId: services.get(provider) });
  return transaction?.id ?? '';
};

const ms = (moment: string | null | undefined): number => new Date(moment ?? 0).getTime();

describe('an operation with an unknown outcome', () => {
  it.each([
    ['lose_request', 'CONNECTION'],
    ['lose_answer', 'CONNECTION'],
    ['error_after_work', 'SERVER_ERROR'],
    ['nonsense', 'UNREADABLE'],
    ['hang', 'TIMEOUT'],
  ] as const)('after %s says so with the cause %s and what is reserved is held', async (fault, cause) => {
    const id = await harness.authorized(1000);
    harness.provider.failNext(fault);

    const capture = () => harness.capture(id, { amount: 600 }, `cause ${fault}`);
    const payload = await (fault === 'hang' ? withShortDeadline(harness.server.app, capture) : capture());

    expect(payload).toMatchObject({
      operation: { status: 'PENDING', amount: 600, errorCode: null, unknown: { cause } },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 0 } },
      userErrors: [],
      replayed: false,
    });
    const found = await unresolvedOn(harness, id);
    expect(ms(found?.unknown?.nextAttemptAt) - ms(found?.unknown?.since)).toBe(2 * SECOND);
    expect(payload.operation?.unknown).toEqual(found?.unknown);
    await reconcileAfter(harness, 2 * SECOND);
    expect(await unresolvedOn(harness, id)).toBeNull();
  });

  it('is not started again by its key, which returns the current state', async () => {
    const id = await authorized(keyed);
    keyed.turn('away');
    const first = await harness.capture(id, { amount: 700 }, 'the same key');

    const second = await harness.capture(id, { amount: 700 }, 'the same key');
    await reconcileAfter(harness, 2 * SECOND);
    const third = await harness.capture(id, { amount: 700 }, 'the same key');

    expect(second).toEqual({ ...first, replayed: true });
    expect(third).toMatchObject({
      operation: { id: first.operation?.id, status: 'PENDING', unknown: { cause: 'CONNECTION' } },
      replayed: true,
    });
    expect(ms(third.operation?.unknown?.nextAttemptAt)).toBeGreaterThan(
      ms(first.operation?.unknown?.nextAttemptAt),
    );
    // The first call and reconciliation.
    const { paymentServiceKey } = (await unresolvedOn(harness, id)) ?? {};
    expect(keyed.requested.filter(({ key }) => key === paymentServiceKey).map(({ what }) => what)).toEqual([
      'capture',
      'capture',
    ]);
    keyed.turn('working');
    await reconcileAfter(harness, 30 * SECOND);
    expect(await harness.capture(id, { amount: 700 }, 'the same key')).toMatchObject({
      operation: { id: first.operation?.id, status: 'SUCCEEDED', unknown: null },
      replayed: true,
    });
    expect(keyed.effectsOf(await keyAtProvider(harness, first.operation?.id))).toBe(1);
  });

  it('returns the current state while reconciliation waits for the provider', async () => {
    const id = await authorized(keyed);
    keyed.failNext('lose_request');
    const first = await harness.capture(id, {}, 'looked at');
    const held = holdAt('capture.resending');
    await harness.pass(2 * SECOND);
    const round = reconcileDue(harness.server.app);
    await held.reached;

    const second = await harness.capture(id, {}, 'looked at');
    held.go();
    await round;

    expect(second).toMatchObject({
      operation: { id: first.operation?.id, status: 'PENDING', unknown: { cause: 'CONNECTION' } },
      userErrors: [],
      replayed: true,
    });
  });

  it('was interrupted when the calling process died', async () => {
    const id = await authorized(referenced);
    const held = holdAt('capture.claimed');
    const dying = harness.capture(id);
    await held.reached;
    expect(await unresolvedOn(harness, id)).toBeNull();

    await reconcileAfter(harness, LEASE_MS);

    expect(await unresolvedOn(harness, id)).toMatchObject({
      kind: 'CAPTURE',
      unknown: { cause: 'INTERRUPTED' },
    });
    held.go();
    await dying;
    await reconcileAfter(harness, QUIESCENCE_MS + MINUTE);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 1000 });
  });

  it('is first looked up within ten seconds', async () => {
    const id = await authorized(keyed);
    keyed.failNext('lose_answer');
    await harness.capture(id);
    const since = clock.now().getTime();
    reconcileInBackground();

    clock.advance(2 * SECOND);
    await until(async () => (await unresolvedOn(harness, id)) === null);

    expect(clock.now().getTime() - since).toBeLessThan(10 * SECOND * PATIENCE);
    expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('is looked up at once after the provider has reported another outcome', async () => {
    const [long, short] = [await authorized(keyed), await authorized(keyed)];
    keyed.turn('away');
    await harness.capture(long);
    for (const wait of [2, 4, 8, 16]) await reconcileAfter(harness, wait * SECOND);
    await harness.capture(short);
    keyed.turn('working');

    await reconcileAfter(harness, 2 * SECOND);

    expect(await harness.transaction(short)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(await harness.transaction(long)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('is listed after seven days with no next attempt, and can still be resolved', async () => {
    const id = await authorized(keyed);
    keyed.turn('away');
    const { operation } = await harness.capture(id, { amount: 400 });
    await reconcileAfter(harness, 7 * DAY - MINUTE);
    expect((await unresolvedOn(harness, id))?.unknown?.nextAttemptAt).toEqual(expect.any(String));

    await reconcileAfter(harness, MINUTE);
    expect(await unresolvedOn(harness, id)).toMatchObject({
      id: operation?.id,
      unknown: { cause: 'CONNECTION', nextAttemptAt: null },
    });
    keyed.turn('working');
    const requested = keyed.requested.length;
    await reconcileAfter(harness, 30 * DAY);

    expect(keyed.requested).toHaveLength(requested);
    expect(await harness.transaction(id)).toMatchObject({ capturable: { amount: 0 } });
    const answer = await resolve(harness, operation?.id ?? '', { outcome: 'FAILED', reason: 'Not found.' });
    expect(answer).toMatchObject({
      operation: { status: 'FAILED', unknown: null },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1000 } },
    });
  });
});

describe('a process that stood still for longer than its lease', () => {
  it('sends nothing any more', async () => {
    const id = await authorized(keyed);
    const held = holdAt('capture.claimed');
    const answer = harness.capture(id);
    await held.reached;
    await harness.pass(LEASE_MS);
    held.go();

    const { operation } = await answer;

    expect(operation).toMatchObject({ status: 'PENDING', unknown: { cause: 'TIMEOUT' } });
    expect(await requestedAbout(keyed, operation?.id)).toEqual([]);
    await reconcileAfter(harness, 2 * SECOND);
    expect(await requestedAbout(keyed, operation?.id)).toEqual(['capture']);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 1000 });
  });

  it('does not repeat a request that another process has sent since, whatever its clock says', async () => {
    const id = await authorized(referenced);
    referenced.failNext('lose_request', 'lose_answer');
    const { operation } = await harness.capture(id);
    const key = operation?.id ?? '';
    await harness.pass(QUIESCENCE_MS + MINUTE);
    const held = holdFirstAt('capture.looked');
    const slow = reconcileDue(harness.server.app);
    await held.reached;

    // Another process's clock is an hour ahead. For the other process the lease has expired.
    const ahead = { ...clock, now: () => new Date(clock.now().getTime() + HOUR) };
    const { config, connectors: ours, log } = harness.server.app;
    const second = await createApp(config, { clock: ahead, connectors: ours, log });
    await reconcileDue(second.app);
    await second.close();
    expect(await requestedAbout(referenced, key)).toEqual(['capture', 'lookup', 'lookup', 'capture']);
    held.go();
    await slow;

    expect(await requestedAbout(referenced, key)).toEqual(['capture', 'lookup', 'lookup', 'capture']);
    expect(referenced.effectsOf(await keyAtProvider(harness, key))).toBe(1);
    await reconcileAfter(harness, HOUR + MINUTE);
    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1000,
    });
    expect(referenced.effectsOf(await keyAtProvider(harness, key))).toBe(1);
  });

  it('does not repeat a request that a person has resolved since', async () => {
    const id = await authorized(referenced);
    referenced.failNext('lose_request');
    const { operation } = await harness.capture(id);
    const key = operation?.id ?? '';
    await harness.pass(QUIESCENCE_MS + MINUTE);
    const held = holdFirstAt('capture.looked');
    const slow = reconcileDue(harness.server.app);
    await held.reached;
    // The lease stays valid for a process with a slow clock while that process stands still.
    await harness.server.app.db.prisma.operation.update({
      where: idOf(key),
      data: { leaseUntil: clock.now() },
    });
    await resolve(harness, key, { outcome: 'FAILED', reason: 'The provider has no trace of it.' });
    held.go();
    await slow;

    expect(await requestedAbout(referenced, key)).toEqual(['capture', 'lookup']);
    expect(await harness.transaction(id)).toMatchObject({ capturable: { amount: 1000 } });
  });

  it('does not apply its old decline to an operation that another process has sent again', async () => {
    const id = await authorized(referenced);
    referenced.refuseNext({ kind: 'failed', errorCode: 'service_error', isKept: false });
    const held = holdAt('capture.called');
    const answer = harness.capture(id);
    await held.reached;
    await harness.pass(QUIESCENCE_MS + MINUTE);
    referenced.failNext('lose_answer');
    await reconcileDue(harness.server.app);
    held.go();

    const { operation } = await answer;

    expect(operation).toMatchObject({ status: 'PENDING', unknown: { cause: 'CONNECTION' } });
    expect(referenced.effectsOf(await keyAtProvider(harness, operation?.id))).toBe(1);
    await reconcileAfter(harness, MINUTE);
    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1000,
    });
  });
});

describe('a provider that is away for hours', () => {
  it('delays no other, however many operations wait for it', async () => {
    const [one, alone] = [await authorized(keyed), await authorized(other)];
    keyed.turn('silent');
    const { operation } = await harness.capture(one);
    await copyOperation(operation?.id ?? '', 1_500);
    other.failNext('lose_answer');
    await harness.pass(MINUTE);
    await harness.capture(alone);
    await harness.pass(MINUTE);
    reconcileInBackground();

    await until(async () => (await harness.transaction(alone))?.status === 'CAPTURE_SUCCEEDED');

    expect(await pending()).toBe(1_501);
    keyed.turn('working');
  });
});

const idOf = (id: string) => ({
  merchantAccountId_id: { merchantAccountId: harness.server.merchantAccountId, id },
});

/** Copies a pending operation many times with the same times. The copies only load reconciliation. */
async function copyOperation(id: string, times: number): Promise<void> {
  await harness.server.app.db.prisma.$executeRaw`
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, attempts,
      sent_at, unknown_at, unknown_cause, next_attempt_at, created_at, updated_at)
    SELECT merchant_account_id, gen_random_uuid(), transaction_id, payment_service_id, kind, amount, currency, attempts,
      sent_at, unknown_at, unknown_cause, next_attempt_at, created_at, updated_at
    FROM operation, generate_series(1, ${times}::int) WHERE id = ${id}::uuid`;
}

const pending = (): Promise<number> =>
  harness.server.app.db.prisma.operation.count({ where: { status: 'pending' } });

/** Lists the provider's requests about an operation, in order. */
async function requestedAbout(provider: ClassProvider, operationId: string | undefined) {
  const key = await keyAtProvider(harness, operationId);
  return provider.requested.filter((each) => each.key === key).map(({ what }) => what);
}
