import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { applyAfter } from './inbox.ts';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';
import type { Since } from './harness.ts';

// A provider approves an authorisation after its refusal, and holds the buyer's money.

let play: TakeBacks;
let since: Since;

beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());
beforeEach(async () => {
  await treat('RELEASE');
  since = await play.harness.since();
});

const treat = (lateAuthorizations: 'RELEASE' | 'ACCEPT') =>
  play.harness.ask(
    `mutation ($input: UpdateMerchantAccountInput!) {
      updateMerchantAccount(id: "default", input: $input) { merchantAccount { lateAuthorizations } } }`,
    { input: { lateAuthorizations } },
  );

/** The amount that the provider declines. */
const DECLINED = 200_011;

/** The amount of an authorisation that has expired when its outcome is known. */
const EXPIRED = 200_004;

/** Approves a declined payment at the provider. Returns the payment and the end state of the webhook. */
async function approvedLate(input: Readonly<Record<string, unknown>> = {}) {
  const id = await play.pay({ amount: DECLINED, ...input });
  const { key } = await play.operation(id, 'authorize');
  const reference = randomUUID();
  const report = {
    ...{ event: 'authorization.succeeded', idempotency_key: key, amount: DECLINED, currency: 'EUR' },
    payment_service_transaction_id: reference,
  };
  return { id, key, reference, report, state: await play.tell(report) };
}

const released = async (id: string) => {
  while (await reconcileDue(play.harness.server.app));
  return play.operation(id, 'release');
};

describe('a late approval', () => {
  it('is released at the provider by an operation of its own', async () => {
    const { id, key, state } = await approvedLate();

    expect(state).toBe('applied');
    expect(await released(id)).toMatchObject({
      ...{
        status: 'succeeded',
        amount: DECLINED,
        origin: 'requested',
        providerReference: expect.any(String),
      },
      actor: expect.objectContaining({ kind: 'provider' }),
    });
    const [, call] = play.harness.provider.calls.slice(-2);
    expect(call).toMatchObject({ operation: 'cancel', authorization_key: key });
    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED', capturedAmount: 0 });
    expect(await since.eventNames()).toEqual([
      'transaction.declined',
      'transaction.late-authorization',
      'transaction.late-authorization-released',
    ]);
    expect(await play.findings(id)).toEqual(['late_authorization']);
  });

  it('is released once, however often the provider reports the approval', async () => {
    const { id, report } = await approvedLate();
    await released(id);

    expect(await play.tell(report)).toBe('ignored');

    expect(since.calls().filter((call) => call === 'cancel')).toHaveLength(1);
  });

  it.each(['late_approval.releasing', 'late_approval.started'])(
    'is released although the process dies at %s',
    async (point) => {
      const id = await play.pay({ amount: DECLINED });
      const { key } = await play.operation(id, 'authorize');
      const died = setFailpoint(point, () => {
        throw new Error('The process dies');
      });
      await play.post({
        ...{ event: 'authorization.succeeded', idempotency_key: key },
        payment_service_transaction_id: randomUUID(),
      });
      await play.harness.server.http.webhooksApplied();
      died();

      await applyAfter(play.harness, 60_000);

      expect(await released(id)).toMatchObject({ status: 'succeeded' });
      expect(since.calls().filter((call) => call === 'cancel')).toHaveLength(1);
    },
  );

  it('authorises the payment where the merchant account accepts late approvals', async () => {
    await treat('ACCEPT');

    const { id, reference } = await approvedLate();

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: DECLINED }, errorCode: null },
    });
    expect(await play.operation(id, 'authorize')).toMatchObject({
      ...{ status: 'succeeded', origin: 'provider', providerReference: reference },
    });
    expect(await play.ledger(id)).toEqual([`authorize ${DECLINED}`]);
    expect(await since.eventNames()).toEqual(['transaction.declined', 'transaction.authorized']);
    const { transaction } = await play.harness.capture(id, { amount: DECLINED });
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('is accepted once, however often the provider reports the approval', async () => {
    await treat('ACCEPT');
    const { id, report } = await approvedLate();
    await play.harness.capture(id, { amount: DECLINED });

    expect(await play.tell(report)).toBe('ignored');

    expect(
      await play.harness.server.app.db.prisma.operation.count({
        where: { releasesId: { not: null }, transactionId: id },
      }),
    ).toBe(0);
    expect(await play.money(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: DECLINED });
    expect(since.calls()).toEqual(['authorize', 'capture']);
  });

  it('stays accepted although the process dies after the booking', async () => {
    await treat('ACCEPT');
    const id = await play.pay({ amount: DECLINED });
    const { key } = await play.operation(id, 'authorize');
    const died = setFailpoint('elsewhere.booked', () => {
      throw new Error('The process dies');
    });
    await play.post({
      ...{ event: 'authorization.succeeded', idempotency_key: key, amount: DECLINED, currency: 'EUR' },
      payment_service_transaction_id: randomUUID(),
    });
    await play.harness.server.http.webhooksApplied();
    died();

    await applyAfter(play.harness, 60_000);
    while (await reconcileDue(play.harness.server.app));

    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(since.calls()).toEqual(['authorize']);
  });

  it('is not accepted once its release has begun', async () => {
    const { id, report } = await approvedLate();
    await treat('ACCEPT');

    expect(await play.tell(report)).toBe('ignored');

    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED' });
    expect(await released(id)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['RELEASE', 'ACCEPT'] as const)(
    'changes nothing after the expiry was told, with %s',
    async (treatment) => {
      await treat(treatment);
      const id = await play.pay({ amount: DECLINED });
      const { key } = await play.operation(id, 'authorize');
      await play.tell({ event: 'authorization.expired', idempotency_key: key });
      const approved = { event: 'authorization.succeeded', idempotency_key: key };

      expect(await play.tell({ ...approved, payment_service_transaction_id: randomUUID() })).toBe('ignored');

      expect(await play.findings(id)).toEqual([null, 'contradicts']);
      expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED', capturedAmount: 0 });
      expect(await play.ledger(id)).toEqual([]);
      expect(await since.eventNames()).toEqual(['transaction.declined']);
      expect(since.calls()).toEqual(['authorize']);
    },
  );

  it('changes nothing after a look-up found the authorisation expired', async () => {
    await treat('ACCEPT');
    const id = await play.pay({ amount: EXPIRED });
    const { key } = await play.operation(id, 'authorize');
    const approved = { event: 'authorization.succeeded', idempotency_key: key };

    expect(await play.tell({ ...approved, payment_service_transaction_id: randomUUID() })).toBe('ignored');

    expect(await play.money(id)).toMatchObject({ errorCode: 'expired_authorization', capturedAmount: 0 });
    expect(await since.eventNames()).toEqual(['transaction.declined']);
  });

  it('is released where the sale was reversed before the approval was told', async () => {
    await treat('ACCEPT');
    const id = await play.pay({ amount: DECLINED, intent: 'CAPTURE' });
    const { key } = await play.operation(id, 'authorize');
    await play.tell({ event: 'capture.reversed', idempotency_key: key, amount: 100, currency: 'EUR' });
    const approved = { event: 'authorization.succeeded', idempotency_key: key };

    expect(await play.tell({ ...approved, payment_service_transaction_id: randomUUID() })).toBe('applied');

    expect(await released(id)).toMatchObject({ status: 'succeeded' });
    expect(await play.ledger(id)).toEqual([]);
  });

  it('captures an accepted sale', async () => {
    await treat('ACCEPT');

    const { id } = await approvedLate({ intent: 'CAPTURE' });

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: DECLINED, refundable: { amount: DECLINED } },
    });
    expect(await play.ledger(id)).toEqual([`authorize ${DECLINED}`, `capture ${DECLINED}`]);
  });
});
