import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt } from '../support/hold.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, FAULTS, type ClassProvider } from './class-provider.ts';
import { unresolvedOn, reconcileAfter } from './unresolved.ts';
import { createService, startHarness, type Harness, type Payload } from './harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const DEADLINE_MS = 150;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;
const QUIESCENCE_MS = 60 * SECOND;

let harness: Harness;
/** The providers in the order of their services. The last one allows look-ups by reference only. */
let providers: readonly [ClassProvider, ClassProvider, ClassProvider];
let services: readonly string[];
/** A provider without cards. */
let bank: ClassProvider;
let eventsBefore: number;
let requestedBefore: readonly number[];

beforeAll(async () => {
  const clock = createShiftedClock();
  const keys = { kind: 'keys', windowMs: 24 * HOUR } as const;
  providers = [
    createClassProvider('first', keys, clock),
    createClassProvider('second', keys, clock),
    createClassProvider('third', { kind: 'lookup', quiescenceMs: QUIESCENCE_MS }, clock),
  ];
  bank = createClassProvider('bank', keys, clock, { method: 'bank-transfer' });
  harness = await startHarness('first-card', {
    clock,
    connectors: [...providers, bank].map(({ connector }) => connector),
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  const first = await harness.server.app.db.prisma.paymentService.findFirstOrThrow();
  const create = (definitionId: string) =>
    createService(harness.server, harness.provider.url, { definitionId });
  services = [first.id, await create('second-card'), await create('third-card')];
  // This service comes before all others and takes payments of another method.
  const elsewhere = await create(bank.definitionId);
  await harness.server.app.db.prisma.paymentService.updateMany({
    where: { id: elsewhere },
    data: { position: -100 },
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  eventsBefore = (await harness.eventNames()).length;
  requestedBefore = providers.map(({ requested }) => requested.length);
});

const DECLINED = { kind: 'declined', errorCode: 'issuer_decline' } as const;
const REFUSED = { kind: 'declined', errorCode: 'insufficient_funds' } as const;
const FAILED = { kind: 'failed', errorCode: 'service_error' } as const;

const eventsSince = async () => (await harness.eventNames()).slice(eventsBefore);

/** Counts the requests at each provider. */
const sendings = () =>
  providers.map(({ requested }, index) => {
    const since = requested.slice(requestedBefore[index]);
    return since.filter(({ what }) => what !== 'lookup').length;
  });

type Attempt = {
  readonly id: string;
  readonly paymentService: { readonly id: string };
  readonly choice: string;
  readonly status: string;
  readonly errorCode: string | null;
};

async function attemptsOf(id: string | undefined): Promise<readonly Attempt[]> {
  const { transaction } = await harness.ask<{ transaction: { attempts: readonly Attempt[] } }>(
    'query ($id: ID!) { transaction(id: $id) { attempts { id paymentService { id } choice status errorCode } } }',
    { id },
  );
  return transaction.attempts;
}

/** Returns each attempt: the place of its service, the reason and the result. */
const summaryOf = async ({ transaction }: Payload) =>
  (await attemptsOf(transaction?.id)).map(({ paymentService, choice, status, errorCode }) => [
    services.indexOf(paymentService.id),
    choice,
    status,
    errorCode,
  ]);

/** Counts the payment's real authorisations at the providers. */
const effectsOf = (attempts: readonly Attempt[]): number => {
  const counts = attempts.flatMap(({ id }) => providers.map((provider) => provider.effectsOf(id)));
  return counts.reduce((sum, count) => sum + count, 0);
};

/** Changes a payment service for one test. The returned function reverts the change. */
async function changeService(
  place: number,
  change: Readonly<Record<string, unknown>>,
): Promise<() => Promise<void>> {
  const before = await harness.server.app.db.prisma.paymentService.findFirstOrThrow({
    where: { id: services[place] ?? '' },
  });
  const update = async (input: Readonly<Record<string, unknown>>) => {
    const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
      `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
        payload: updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
      { id: before.id, input },
    );
    expect(payload.userErrors).toEqual([]);
  };
  await update(change);
  const { position, active, acceptedCountries, acceptedCurrencies } = before;
  return () => update({ position, active, acceptedCountries, acceptedCurrencies });
}

describe('the first payment service', () => {
  it('is the one with the lowest position', async () => {
    const undo = await changeService(1, { position: -7 });

    const payload = await harness.create();
    await undo();

    expect(await summaryOf(payload)).toEqual([[1, 'FIRST', 'SUCCEEDED', null]]);
    expect(sendings()).toEqual([0, 1, 0]);
    expect(await summaryOf(await harness.create())).toEqual([[0, 'FIRST', 'SUCCEEDED', null]]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['accepts the country', { acceptedCountries: ['DE'] }, { country: 'US' }],
    ['accepts the currency', { acceptedCurrencies: ['EUR'] }, {}],
    ['is active', { active: false }, {}],
  ])('is the first that %s', async (_, change, input) => {
    const undo = await changeService(0, change);
    providers[1].refuseNext(FAILED);

    const payload = await harness.create(input);
    await undo();

    expect(await summaryOf(payload)).toEqual([
      [1, 'FIRST', 'FAILED', 'service_error'],
      [2, 'AFTER_FAILURE', 'SUCCEEDED', null],
    ]);
    expect(sendings()).toEqual([0, 1, 1]);
  });

  it('is none that takes payments of another method', async () => {
    await harness.create({ paymentServiceId: null });

    expect(bank.requested).toEqual([]);
    expect(sendings()).toEqual([1, 0, 0]);
  });

  it('is the one that the payment names, without an alternative', async () => {
    providers[1].refuseNext(FAILED);

    const payload = await harness.create({ paymentServiceId: services[1] });

    expect(payload.transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'service_error' });
    expect(await summaryOf(payload)).toEqual([[1, 'REQUESTED', 'FAILED', 'service_error']]);
    expect(sendings()).toEqual([0, 1, 0]);
    expect(await eventsSince()).toEqual(['transaction.failed']);
  });
});

describe('a payment continues at the next service', () => {
  it.each([
    ['a failure', FAILED, 'AFTER_FAILURE'],
    ['a decline that may be tried elsewhere', DECLINED, 'AFTER_DECLINE'],
  ])('after %s, under a key of its own', async (_, refusal, choice) => {
    providers[0].refuseNext(refusal);

    const payload = await harness.create({ amount: 1500 });

    const [one, two, ...more] = await attemptsOf(payload.transaction?.id);
    expect(more).toEqual([]);
    expect(await summaryOf(payload)).toEqual([
      [0, 'FIRST', refusal.kind.toUpperCase(), refusal.errorCode],
      [1, choice, 'SUCCEEDED', null],
    ]);
    expect(payload.transaction).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      authorizedAmount: 1500,
      errorCode: null,
      paymentServiceTransactionId: `ref_${two?.id}`,
    });
    expect(providers[0].requested.at(-1)).toEqual({ what: 'authorize', key: one?.id });
    expect(providers[1].requested.at(-1)).toEqual({ what: 'authorize', key: two?.id });
    expect(await eventsSince()).toEqual(['transaction.authorized']);
    // Later operations go to the service of the payment.
    const captured = await harness.capture(payload.transaction?.id ?? '');
    expect(captured.operation?.status).toBe('SUCCEEDED');
    expect(sendings()).toEqual([1, 2, 0]);
  });

  it('and at the one after that, as a sale too', async () => {
    providers[0].refuseNext(DECLINED);
    providers[1].refuseNext(FAILED);

    const payload = await harness.create({ intent: 'CAPTURE' });

    expect(await summaryOf(payload)).toEqual([
      [0, 'FIRST', 'DECLINED', 'issuer_decline'],
      [1, 'AFTER_DECLINE', 'FAILED', 'service_error'],
      [2, 'AFTER_FAILURE', 'SUCCEEDED', null],
    ]);
    expect(payload.transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(await eventsSince()).toEqual(['transaction.captured']);
  });

  it('until all have declined: the last decline is the answer, published once', async () => {
    providers[0].refuseNext(FAILED);
    providers[1].refuseNext(FAILED);
    providers[2].refuseNext(DECLINED);

    const payload = await harness.create({}, 'all refuse');

    expect(payload.transaction).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'issuer_decline',
      authorizedAmount: 0,
    });
    expect(sendings()).toEqual([1, 1, 1]);
    expect(await eventsSince()).toEqual(['transaction.declined']);
    expect(await harness.create({}, 'all refuse')).toEqual({ ...payload, replayed: true });
    expect(sendings()).toEqual([1, 1, 1]);
  });
});

describe('a payment does not continue', () => {
  it('after a decline because of the card', async () => {
    providers[0].refuseNext(REFUSED);

    const payload = await harness.create();

    expect(payload.transaction).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'insufficient_funds',
    });
    expect(sendings()).toEqual([1, 0, 0]);
    expect(await eventsSince()).toEqual(['transaction.declined']);
  });

  it('after a duplicate, because the earlier payment may have succeeded', async () => {
    providers[0].refuseNext({ kind: 'failed', errorCode: 'duplicate_transaction' });

    const payload = await harness.create();

    expect(await summaryOf(payload)).toEqual([[0, 'FIRST', 'DECLINED', 'duplicate_transaction']]);
    expect(sendings()).toEqual([1, 0, 0]);
    expect(await eventsSince()).toEqual(['transaction.declined']);
  });

  it.each(FAULTS)('after %s, although it turns out to have failed', async (fault) => {
    providers[0].refuseNext(FAILED);
    providers[0].failNext(fault);

    const payload = await harness.create();
    expect(payload.transaction?.status).toBe('PROCESSING');
    await reconcileAfter(harness, 10 * SECOND);
    providers[0].arrive();

    expect(await harness.transaction(payload.transaction?.id ?? '')).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
    });
    expect(sendings()).toEqual([2, 0, 0]);
    expect(await eventsSince()).toEqual(['transaction.failed']);
  });

  it.each([FAILED, DECLINED])('from a service that is to be the last, after %j', async (refusal) => {
    providers[0].refuseNext(refusal);

    const payload = await harness.create({ connectionOptions: { 'first-card': { skip_retry: true } } });

    expect(await summaryOf(payload)).toEqual([[0, 'FIRST', refusal.kind.toUpperCase(), refusal.errorCode]]);
    expect(sendings()).toEqual([1, 0, 0]);
  });

  it('from the next service either when that one is to be the last', async () => {
    providers[0].refuseNext(FAILED);
    providers[1].refuseNext(FAILED);

    const payload = await harness.create({ connectionOptions: { 'second-card': { skip_retry: true } } });

    expect(payload.transaction?.status).toBe('AUTHORIZATION_FAILED');
    expect(sendings()).toEqual([1, 1, 0]);
  });

  it('when reconciliation has claimed the declined one meanwhile', async () => {
    const undo = await changeService(2, { position: -7 });
    providers[2].refuseNext({ ...FAILED, isKept: false });
    const held = holdAt('authorize.rerouting');
    const answer = harness.create();
    await held.reached;
    // The process stands still. Another process finds nothing at the provider, and sends the request again.
    await harness.pass(QUIESCENCE_MS + LEASE_MS);
    providers[2].failNext('lose_answer');
    await reconcileDue(harness.server.app);
    held.go();

    const { transaction } = await answer;
    await undo();

    expect(transaction?.status).toBe('PROCESSING');
    expect(sendings()).toEqual([0, 0, 2]);
    await reconcileAfter(harness, 10 * SECOND);
    expect(await harness.transaction(transaction?.id ?? '')).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
    });
    expect(effectsOf(await attemptsOf(transaction?.id))).toBe(1);
    expect(await eventsSince()).toEqual(['transaction.authorized']);
  });
});

describe('an idempotency key', () => {
  it('leads to the last attempt, during its unknown outcome and after', async () => {
    providers[0].refuseNext(FAILED);
    providers[1].failNext('lose_answer');

    const first = await harness.create({}, 'rerouted');
    const second = await harness.create({}, 'rerouted');

    expect(first.transaction?.status).toBe('PROCESSING');
    expect(second).toEqual({ ...first, replayed: true });
    const found = await unresolvedOn(harness, first.transaction?.id ?? '');
    expect((await attemptsOf(first.transaction?.id)).at(-1)?.id).toBe(found?.id);
    const [before, after] = providers.map(({ requested }) => requested.at(-1)?.key);
    expect(after).not.toBe(before);
    await reconcileAfter(harness, 10 * SECOND);
    expect(await harness.create({}, 'rerouted')).toMatchObject({
      transaction: {
        id: first.transaction?.id,
        status: 'AUTHORIZATION_SUCCEEDED',
        paymentServiceTransactionId: `ref_${after}`,
      },
      replayed: true,
    });
    expect(sendings()).toEqual([1, 2, 0]);
  });

  it('makes one payment of ten at once, which continue together', async () => {
    providers[0].refuseNext(FAILED);

    const payloads = await Promise.all(Array.from({ length: 10 }, () => harness.create({}, 'ten at once')));

    expect(new Set(payloads.map(({ transaction }) => transaction?.id)).size).toBe(1);
    expect(payloads.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(payloads.every(({ transaction }) => transaction?.status === 'AUTHORIZATION_SUCCEEDED')).toBe(true);
    expect(sendings()).toEqual([1, 1, 0]);
  });
});

describe('a process that dies between two services', () => {
  const die = (point: string) => {
    const remove = setFailpoint(point, () => {
      remove();
      throw new Error('The process died.');
    });
  };

  it('before the next one is claimed leaves a failed payment', async () => {
    providers[0].refuseNext(FAILED);
    die('authorize.rerouting');

    await expect(harness.create({}, 'rerouting')).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await reconcileAfter(harness, LEASE_MS);

    const payload = await harness.create({}, 'rerouting');
    expect(payload).toMatchObject({ transaction: { status: 'AUTHORIZATION_FAILED' }, replayed: true });
    expect(await summaryOf(payload)).toEqual([[0, 'FIRST', 'FAILED', 'service_error']]);
    expect(sendings()).toEqual([2, 0, 0]);
    expect(await eventsSince()).toEqual(['transaction.failed']);
  });

  it('after the next one is claimed leaves it to reconciliation', async () => {
    providers[0].refuseNext(FAILED);
    die('authorize.rerouted');

    await expect(harness.create({}, 'was rerouted')).rejects.toThrow('INTERNAL_SERVER_ERROR');
    expect(sendings()).toEqual([1, 0, 0]);
    await reconcileAfter(harness, LEASE_MS);

    const payload = await harness.create({}, 'was rerouted');
    expect(payload).toMatchObject({ transaction: { status: 'AUTHORIZATION_SUCCEEDED' }, replayed: true });
    expect(await summaryOf(payload)).toEqual([
      [0, 'FIRST', 'FAILED', 'service_error'],
      [1, 'AFTER_FAILURE', 'SUCCEEDED', null],
    ]);
    expect(sendings()).toEqual([1, 1, 0]);
    expect(await eventsSince()).toEqual(['transaction.authorized']);
  });
});

describe('of the services that a payment tries', () => {
  type Meets = 'yes' | 'decline' | 'refuse' | 'fail' | (typeof FAULTS)[number];
  const MEETS: readonly Meets[] = ['yes', 'decline', 'refuse', 'fail', ...FAULTS];
  const refusals = { decline: DECLINED, refuse: REFUSED, fail: FAILED } as const;

  const prepare = (provider: ClassProvider, meets: Meets): void => {
    if (meets === 'decline' || meets === 'refuse' || meets === 'fail') provider.refuseNext(refusals[meets]);
    else if (meets !== 'yes') provider.failNext(meets);
  };

  it.each(['decline', 'fail', ...FAULTS] as const)(
    'never two have an effect when the first meets %s',
    async (first) => {
      const goesOn = first === 'decline' || first === 'fail';
      for (const second of goesOn ? MEETS : (['yes'] as const)) {
        prepare(providers[0], first);
        if (goesOn) prepare(providers[1], second);
        const { transaction } = await harness.create();
        await reconcileAfter(harness, 10 * SECOND);
        for (const provider of providers) provider.arrive();
        await reconcileAfter(harness, QUIESCENCE_MS + LEASE_MS);

        const attempts = await attemptsOf(transaction?.id);
        const now = await harness.transaction(transaction?.id ?? '');
        const isDone = now?.status === 'AUTHORIZATION_SUCCEEDED';
        expect(attempts.filter(({ status }) => status === 'PENDING')).toEqual([]);
        expect([first, second, effectsOf(attempts)]).toEqual([first, second, isDone ? 1 : 0]);
        expect(isDone).toBe(second !== 'refuse');
      }
      expect((await eventsSince()).length).toBe(goesOn ? MEETS.length : 1);
    },
  );
});
