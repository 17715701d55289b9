import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ACCEPTANCES,
  holdPayments,
  readProgress,
  reconcileDue,
  releasePayments,
} from '../../src/modules/transactions/index.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createService } from './harness.ts';
import {
  cardOf,
  CHALLENGED,
  startThreeDSHarness,
  type Shown,
  type ThreeDSHarness,
} from './three-ds-harness.ts';

const HOUR_MS = 3_600_000;
const RETURN = 'https://shop.example/back?cart=7';

let harness: ThreeDSHarness;
beforeAll(async () => {
  harness = await startThreeDSHarness();
});
afterAll(() => harness.stop());

const challenged = (input: Record<string, unknown> = {}, key?: string): Promise<Shown> =>
  harness.pay({ ...cardOf(CHALLENGED), ...input }, key);

/** Reads the stored authorisation of a payment. */
const authorizationOf = (transactionId: string) =>
  harness.server.app.db.prisma.operation.findFirstOrThrow({ where: { transactionId, kind: 'authorize' } });

async function expire(): Promise<void> {
  await expireApprovals(harness.server.app.db, harness.clock.now());
  await reconcileDue(harness.server.app);
}

describe('a payment whose buyer is challenged', () => {
  it('waits with an address for an hour, and no provider is called', async () => {
    const since = await harness.since();
    const waiting = await challenged();

    expect(waiting).toMatchObject({
      ...{ status: 'BUYER_APPROVAL_PENDING', intentOutcome: 'PENDING', authorizedAmount: 0 },
      threeDSecure: {
        method: 'CHALLENGE',
        status: null,
        eci: null,
        responseData: null,
        enrollment: 'ENROLLED',
      },
    });
    const leftMs = Date.parse(waiting.approvalExpiresAt ?? '') - harness.clock.now().getTime();
    expect(leftMs).toBeGreaterThan(HOUR_MS - 60_000);
    expect(leftMs).toBeLessThanOrEqual(HOUR_MS);
    const page = await (await fetch(waiting.approvalUrl ?? '')).text();
    for (const text of ['$12.99', 'Confirm it is you', 'Fail the challenge', '•••• 1072'])
      expect(page).toContain(text);
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual(['transaction.authentication-pending']);
    expect(waiting.steps.map(({ name }) => name)).toEqual([
      'three-d-secure-preparation-request',
      'three-d-secure-authentication-request',
    ]);
  });

  it('is not ended while payments are held back, because it may have been sent since the backup', async () => {
    const { app } = harness.server;
    const { id } = await challenged();
    await holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });
    await harness.pass(8 * 24 * HOUR_MS);
    await expire();
    const held = [(await harness.show(id)).status, (await readProgress(app))?.unsent];
    // Before any expectation, since the other tests share the database.
    await releasePayments(app, ACCEPTANCES);

    expect(held).toEqual(['BUYER_APPROVAL_PENDING', expect.any(Number)]);
    expect(held[1]).toBeGreaterThan(0);
    await harness.pass(60_000);
    await expire();
    expect((await harness.show(id)).status).toBe('AUTHORIZATION_FAILED');
  });

  it('is authorised once the challenge is passed, with its data and without the security code', async () => {
    const since = await harness.since();
    const waiting = await challenged({ redirectUrl: RETURN });

    const answer = await harness.say(waiting, 'approved');

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `${RETURN}&transaction_id=${waiting.id}&transaction_status=authorization_succeeded`,
    );
    const paid = await harness.show(waiting.id);
    expect(paid).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1299, approvalUrl: null },
      cvvResponseCode: 'NOT_PROVIDED',
      threeDSecure: {
        ...{ method: 'CHALLENGE', status: 'COMPLETE', eci: '05' },
        responseData: { directoryResponse: 'C', authenticationResponse: 'Y' },
      },
    });
    const { cavv } = paid.threeDSecure?.['responseData'] as Record<string, string>;
    expect(since.calls()).toEqual(['authorize']);
    const operation = await authorizationOf(paid.id);
    expect(harness.provider.calls.at(-1)).toMatchObject({
      idempotency_key: operation.id,
      card: { number: CHALLENGED, cvv: null },
      three_d_secure: { eci: '05', cavv, authentication_response: 'Y' },
    });
    expect(operation).toMatchObject({ attempts: 1, unsent: false, sealedCard: null, unknownAt: null });
    expect(await since.eventNames()).toEqual([
      'transaction.authentication-pending',
      'transaction.authenticated',
      'transaction.authorized',
    ]);
    expect(paid.steps.slice(2).map(({ name }) => name)).toEqual([
      'three-d-secure-result-request',
      'three-d-secure-success',
      'payment-connector-response-transaction-authorization-succeeded',
    ]);
  });

  it('is declined when the challenge is failed, without a call to the provider', async () => {
    const since = await harness.since();
    const waiting = await challenged({ intent: 'CAPTURE' });
    const answer = await harness.say(waiting, 'refused');

    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('check of your identity failed'),
    ]);
    expect(await harness.show(waiting.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', errorCode: 'failed_buyer_approval', intentOutcome: 'FAILED' },
      threeDSecure: { method: 'CHALLENGE', status: 'DECLINED', eci: '07', responseData: null },
    });
    expect(since.calls()).toEqual([]);
    expect((await authorizationOf(waiting.id)).sealedCard).toBeNull();
  });

  it.each([
    ['Y', 'approved', 'AUTHORIZATION_SUCCEEDED', 'COMPLETE', 1],
    ['Y', 'refused', 'AUTHORIZATION_SUCCEEDED', 'COMPLETE', 1],
    ['N', 'approved', 'AUTHORIZATION_DECLINED', 'DECLINED', 0],
    ['TIMEOUT', 'approved', 'AUTHORIZATION_SUCCEEDED', 'ERROR', 1],
  ] as const)(
    'ends as the rule says with %s, whatever the buyer does',
    async (result, reported, status, shown, calls) => {
      const externalIdentifier = `challenge ${result} ${reported}`;
      await harness.rule(externalIdentifier, { authentication: 'C', challengeResult: result });
      const waiting = await challenged({ externalIdentifier });
      expect(await (await fetch(waiting.approvalUrl ?? '')).text()).not.toContain('Fail the challenge');
      const since = await harness.since();

      await harness.say(waiting, reported);

      expect(await harness.show(waiting.id)).toMatchObject({ status, threeDSecure: { status: shown } });
      expect(since.calls().length).toBe(calls);
    },
  );

  it('is still declined by the provider after the challenge, and goes to no other service', async () => {
    const since = await harness.since();
    const waiting = await challenged({ amount: 200_012 });
    await harness.say(waiting, 'approved');
    expect(await harness.show(waiting.id)).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'issuer_decline',
      threeDSecure: { status: 'COMPLETE' },
    });
    expect(since.calls()).toEqual(['authorize']);
  });

  it('fails as not approved at the deadline, to the millisecond', async () => {
    const approvalExpiresAt = new Date(harness.clock.now().getTime() + HOUR_MS);
    const since = await harness.since();
    const waiting = await challenged({ approvalExpiresAt, redirectUrl: RETURN });
    await harness.pass(HOUR_MS);

    const late = await harness.say(waiting, 'approved');
    await expire();

    expect(late.headers.get('location')).toContain('transaction_status=buyer_approval_pending');
    const failed = await harness.show(waiting.id);
    expect(failed).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'incomplete_buyer_approval' },
      threeDSecure: { status: 'CANCELLED', eci: null, responseData: null },
    });
    expect(failed.steps[2]?.context).toMatchObject({ is_challenge_cancelled: true });
    expect(since.calls()).toEqual([]);
    expect(await (await fetch(waiting.approvalUrl ?? '')).text()).toContain('The time to confirm has passed');
  });

  it('waits 12 hours at most', async () => {
    const approvalExpiresAt = new Date(harness.clock.now().getTime() + 48 * HOUR_MS);
    const waiting = await challenged({ approvalExpiresAt });
    const leftMs = Date.parse(waiting.approvalExpiresAt ?? '') - harness.clock.now().getTime();
    expect(Math.round(leftMs / HOUR_MS)).toBe(12);
  });

  it('answers its idempotency key with the same address, and later with the final state', async () => {
    const waiting = await challenged({}, 'challenged-once');
    const since = await harness.since();
    const again = await harness.create(cardOf(CHALLENGED), 'challenged-once');
    expect(again).toMatchObject({
      replayed: true,
      transaction: { id: waiting.id, status: 'BUYER_APPROVAL_PENDING' },
    });
    await harness.say(waiting, 'approved');
    const after = await harness.create(cardOf(CHALLENGED), 'challenged-once');
    expect(after).toMatchObject({
      replayed: true,
      transaction: { id: waiting.id, status: 'AUTHORIZATION_SUCCEEDED' },
    });
    expect(since.calls()).toEqual(['authorize']);
  });
});

/** Kills the next process that reaches a failpoint. The returned function tells whether one has died. */
function dieAt(point: string): () => boolean {
  let isDead = false;
  const remove = setFailpoint(point, () => {
    remove();
    isDead = true;
    throw new Error('The process died.');
  });
  return () => isDead;
}

describe('a crash', () => {
  const AFTER_THE_WORD = [
    'approval.decided',
    'authentication.concluding',
    'authentication.concluded',
    'authorize.resending',
    'authorize.resent',
    'authorize.settling',
    'authorize.settled',
  ];
  it.each(AFTER_THE_WORD)('at %s leaves a payment that is made once', async (point) => {
    const waiting = await challenged();
    const since = await harness.since();
    const isDead = dieAt(point);

    await harness.say(waiting, 'approved');
    expect(isDead()).toBe(true);
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);

    const paid = await harness.show(waiting.id);
    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', threeDSecure: { status: 'COMPLETE' } });
    const { id } = await authorizationOf(waiting.id);
    const requested = harness.provider.calls.filter(({ idempotency_key: key }) => key === id);
    expect(new Set(requested.map((call) => JSON.stringify(call))).size).toBe(1);
    expect(await since.eventNames()).toEqual(['transaction.authenticated', 'transaction.authorized']);
    const results = paid.steps.filter(({ name }) => name === 'three-d-secure-result-request');
    expect(results.length).toBe(1);
  });

  it.each([
    ['authentication.refused', 'AUTHORIZATION_DECLINED'],
    ['authentication.waiting', 'BUYER_APPROVAL_PENDING'],
  ])('at %s of a new payment leaves it as %s, and no provider is called', async (point, status) => {
    const externalIdentifier = `crash at ${point}`;
    const authentication = point === 'authentication.refused' ? 'N' : 'C';
    const ending = authentication === 'C' ? { challengeResult: 'Y' } : {};
    await harness.rule(externalIdentifier, { authentication, ...ending });
    const since = await harness.since();
    const isDead = dieAt(point);

    await expect(harness.create({ externalIdentifier }, point)).rejects.toThrow();
    expect(isDead()).toBe(true);
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);

    const { transaction, replayed } = await harness.create({ externalIdentifier }, point);
    expect([replayed, transaction?.status]).toEqual([true, status]);
    expect(since.calls()).toEqual([]);
  });
});

describe('a payment that continues at another service', () => {
  let other: ThreeDSHarness;
  beforeAll(async () => {
    other = await startThreeDSHarness();
    await other.set({ threeDSecureEnabled: false });
    await createService(other.server, other.provider.url, { definitionId: 'mockds-card' });
    await other.set({ displayName: 'First' });
  });
  afterAll(() => other.stop());

  /** Enables 3DS at the second service of the merchant account. */
  async function enableSecond(input: Record<string, unknown> = {}): Promise<void> {
    await other.server.app.db.prisma.paymentService.updateMany({
      where: { position: 2 },
      data: { threeDSecureEnabled: true, ...input },
    });
  }

  it('challenges its buyer for the first service with 3DS', async () => {
    await enableSecond();
    const since = await other.since();
    const waiting = await other.pay({ ...cardOf(CHALLENGED), amount: 200_012 });

    expect(waiting).toMatchObject({
      status: 'BUYER_APPROVAL_PENDING',
      threeDSecure: { method: 'CHALLENGE' },
    });
    expect(waiting.attempts).toMatchObject([
      { status: 'DECLINED', errorCode: 'issuer_decline' },
      { status: 'PENDING', errorCode: null },
    ]);
    expect(since.calls()).toEqual(['authorize']);
    await other.say(waiting, 'refused');
    expect(await other.show(waiting.id)).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'failed_buyer_approval',
    });
    expect(since.calls()).toEqual(['authorize']);
  });

  it('skips a service that stops a buyer without authentication', async () => {
    await other.set({ threeDSecureEnabled: true });
    await enableSecond({ threeDSecureFallback: 'stop' });
    await other.rule('unsure', { authentication: 'U' });
    const since = await other.since();
    const declined = await other.pay({ externalIdentifier: 'unsure', amount: 200_012 });
    expect(declined).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode: 'issuer_decline' });
    expect(since.calls()).toEqual(['authorize']);
  });
});
