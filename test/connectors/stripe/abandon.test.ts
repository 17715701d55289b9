import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { abandonPayment } from '../../../src/connectors/calls/call-abandon.ts';
import { openCore } from '../core-desk.ts';
import { ASKING_CARD, stripeSubject } from './contract-double.ts';
import { LOG, startDesk, USD } from './double-desk.ts';
import { definitionOf } from './stub.ts';

const desk = await startDesk();
const { double, stripe, contextOf, pay, look, told, bookOf } = desk;
afterEach(() => double.behave());
afterAll(() => desk.close());

const CANCEL = /^POST .*\/cancel$/;
const INCOMPLETE = { kind: 'failed', errorCode: 'incomplete_buyer_approval' };

/** Makes a payment that waits for its buyer. */
async function leave(amount = 1099) {
  const { outcome, requested } = await pay({ card: ASKING_CARD, money: USD(amount) });
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  const { reference } = outcome;
  const { key, money } = requested;
  const before = double.requests.length;
  return {
    ...{ key, reference },
    abandon: () =>
      abandonPayment(stripe, contextOf(), LOG, {
        ...{ verb: 'authorize', key, money, reference, createdAt: desk.now() },
        ...{ approval: 'expired', resuming: false },
      }),
    cancels: () =>
      double.requests
        .slice(before)
        .filter(({ method, path }) => CANCEL.test(`${method} ${path}`))
        .map(({ headers, body }) => [headers['idempotency-key'], body]),
  };
}

describe('the end of the time of a buyer who is away', () => {
  it('cancels the intent once, under a key of the operation', async () => {
    const { key, reference, abandon, cancels } = await leave();
    expect(await abandon()).toMatchObject({ ...INCOMPLETE, reference, rawResponseCode: 'abandoned' });
    expect(await abandon()).toMatchObject(INCOMPLETE);
    expect(await look('authorize', key, reference)).toMatchObject(INCOMPLETE);
    expect(cancels()).toEqual([[`${key}:abandon`, 'cancellation_reason=abandoned']]);
    expect(bookOf(reference)).toMatchObject({ status: 'canceled', held: 0 });
    expect(told()).toMatchObject([{ verb: 'authorize', key, reference, outcome: INCOMPLETE }]);
  });

  it('cancels the setup of a method too', async () => {
    const { reference, abandon } = await leave(0);
    expect(reference).toMatch(/^seti_/);
    expect(await abandon()).toMatchObject(INCOMPLETE);
    expect(await abandon()).toMatchObject(INCOMPLETE);
  });

  it.each([
    ['lose_request', 'connection', 2],
    ['lose_answer', 'connection', 1],
    ['error_after_work', 'server_error', 1],
    ['rate_limited', 'server_error', 2],
    ['truncated', 'unreadable', 1],
  ] as const)('is unknown after %s of the cancel, and is asked for again', async (fault, cause, sent) => {
    const { key, reference, abandon, cancels } = await leave();
    double.failNext([fault], CANCEL);
    expect(await abandon()).toEqual({ kind: 'unknown', cause });
    expect(await abandon()).toMatchObject(INCOMPLETE);
    expect(cancels()).toEqual(Array(sent).fill([`${key}:abandon`, 'cancellation_reason=abandoned']));
    expect(bookOf(reference)).toMatchObject({ held: 0 });
  });

  it('is not cancelled after an approval, and keeps the money', async () => {
    const { reference, abandon, cancels } = await leave();
    double.hands.decide(reference, 'approve');
    expect(await abandon()).toMatchObject({ kind: 'succeeded', reference, money: USD(1099) });
    expect([cancels(), bookOf(reference)]).toMatchObject([[], { status: 'requires_capture', held: 1099 }]);
  });

  it('fails after a refusal', async () => {
    const { reference, abandon, cancels } = await leave();
    double.hands.decide(reference, 'refuse');
    expect(await abandon()).toMatchObject({ kind: 'failed', errorCode: 'failed_buyer_approval' });
    expect(cancels()).toEqual([]);
  });

  it('ends no payment of another operation', async () => {
    const [one, other] = [await leave(), await leave()];
    const asked = { verb: 'authorize', key: other.key, money: USD(1099), reference: one.reference } as const;
    const when = { createdAt: desk.now(), approval: 'expired', resuming: false } as const;
    expect(await abandonPayment(stripe, contextOf(), LOG, { ...asked, ...when })).toEqual({
      ...{ kind: 'unknown', cause: 'unreadable' },
    });
    expect(bookOf(one.reference)?.status).toBe('requires_action');
  });
});

describe('in a running service', () => {
  it('fails no payment before Stripe says that it is canceled, and asks again', async () => {
    const core = await openCore(stripeSubject, definitionOf('stripe-card'), { card: ASKING_CARD });
    try {
      const id = await core.pay();
      const { approvalExpiresAt } = await core.payment(id);
      core.provider.failNext('lose_request');
      await core.goOnTo(approvalExpiresAt);
      expect((await core.payment(id)).status).toBe('buyer_approval_pending');

      await core.reconcile(id, 'authorize');

      expect(await core.payment(id)).toMatchObject({
        ...{ status: 'authorization_failed', errorCode: 'incomplete_buyer_approval' },
      });
      expect(await core.deliver(core.owed())).not.toContain(401);
      expect(await core.ledger(id)).toEqual([]);
    } finally {
      await core.close();
    }
  });
});
