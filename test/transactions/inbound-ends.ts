import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { historyOf } from './unresolved.ts';
import { startHarness, type Harness, type Since } from './harness.ts';
import { applyAfter, ended, inboundRows, inboxOf, type Inbox, type Reported } from './inbox.ts';

let harness: Harness;
let inbox: Inbox;
let since: Since;
/** The count of ended webhooks before the test. */
let before: number;

/** Posts a webhook, waits until the relay has applied the webhook, and returns its end state. */
async function tell(reported: Reported): Promise<string> {
  expect(await inbox.tell({ id: randomUUID(), ...reported })).toBe(200);
  return ended(harness, before + 1);
}

const operationOf = (transactionId: string, kind: string) =>
  harness.server.app.db.prisma.operation.findFirstOrThrow({
    where: { transactionId, kind },
    orderBy: { id: 'desc' },
  });

const PROCESSED = 'payment-connector-transaction-webhook-processed';

const processed = async (transactionId: string) =>
  (await historyOf(harness, transactionId))
    .filter(({ name }) => name === PROCESSED)
    .map(({ context }) => context);

type Verb = 'authorize' | 'sale' | 'capture' | 'refund' | 'void';

/** Creates an operation that the provider accepts and decides later. */
async function begin(verb: Verb): Promise<{ id: string; key: string }> {
  if (verb === 'authorize' || verb === 'sale') {
    const id = await harness[verb === 'sale' ? 'captured' : 'authorized'](600_001);
    return { id, key: (await operationOf(id, 'authorize')).id };
  }
  const id = await (verb === 'refund'
    ? harness.captured(1_000_000)
    : harness.authorized(verb === 'void' ? 620_001 : 1_000_000));
  if (verb === 'void') await harness.void(id);
  else await harness[verb](id, { amount: verb === 'capture' ? 610_001 : 630_001 });
  return { id, key: (await operationOf(id, verb)).id };
}

/** The ends of a pending operation that a webhook reports. */
export const ENDS: readonly (readonly [Verb, string, string, object, readonly string[]])[] = [
  [
    'authorize',
    'authorization',
    'succeeded',
    { status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 600_001 },
    ['transaction.authorized'],
  ],
  [
    'authorize',
    'authorization',
    'declined',
    { status: 'AUTHORIZATION_DECLINED', errorCode: 'other_decline' },
    ['transaction.declined'],
  ],
  [
    'sale',
    'capture',
    'succeeded',
    { status: 'CAPTURE_SUCCEEDED', capturedAmount: 600_001 },
    ['transaction.captured'],
  ],
  [
    'sale',
    'authorize',
    'failed',
    { status: 'AUTHORIZATION_FAILED', capturedAmount: 0 },
    ['transaction.failed'],
  ],
  [
    'capture',
    'capture',
    'succeeded',
    { status: 'CAPTURE_SUCCEEDED', capturedAmount: 610_001 },
    ['capture.succeeded', 'transaction.captured'],
  ],
  [
    'capture',
    'capture',
    'failed',
    { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0 },
    ['capture.failed', 'transaction.capture-failed'],
  ],
  ['refund', 'refund', 'succeeded', { refundedAmount: 630_001 }, ['refund.succeeded']],
  [
    'refund',
    'refund',
    'declined',
    { refundedAmount: 0, refundable: { amount: 1_000_000, currency: 'USD' } },
    ['refund.declined'],
  ],
  ['void', 'void', 'succeeded', { status: 'AUTHORIZATION_VOIDED' }, ['transaction.voided']],
  ['void', 'void', 'declined', { status: 'AUTHORIZATION_SUCCEEDED' }, ['transaction.void-declined']],
];

/** Defines the tests of webhooks, with these ends of a pending operation. */
export function describeInbound(ends: typeof ENDS): void {
  beforeAll(async () => {
    harness = await startHarness('mock-acquirer');
    inbox = await inboxOf(harness);
  });
  afterAll(() => harness.stop());
  beforeEach(async () => {
    since = await harness.since();
    before = (await inboundRows(harness)).filter(({ state }) => state !== 'parked').length;
  });

  describe.each([
    ['our key', (key: string): Reported => ({ idempotency_key: key })],
    ['the payment', (_: string, payment: unknown): Reported => ({ payment_service_transaction_id: payment })],
  ] as const)('a webhook that names %s', (_, naming) => {
    it.each(ends)(
      'ends a pending %s by %s.%s, before the provider is called',
      async (verb, subject, result, after, notified) => {
        const { id, key } = await begin(verb);
        const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];
        const requested = since.calls();
        const events = (await since.eventNames()).length;

        const state = await tell({ ...naming(key, payment), event: `${subject}.${result}` });

        expect(state).toBe('applied');
        expect(await harness.transaction(id)).toMatchObject(after);
        expect((await since.eventNames()).slice(events)).toEqual(notified);
        expect(since.calls()).toEqual(requested);
        expect(await processed(id)).toEqual([
          expect.objectContaining({
            operation_id: key,
            changed: true,
            status: result,
            payment_service_definition_id: 'mock-acquirer',
          }),
        ]);
        expect(await harness.server.app.db.prisma.operation.findFirst({ where: { id: key } })).toMatchObject({
          status: result,
        });
      },
    );
  });

  describe('a webhook', () => {
    it('settles an unknown outcome, with the amount that the webhook names', async () => {
      const id = await harness.authorized(5000);
      harness.provider.failNext('lose_answer');
      expect((await harness.capture(id)).operation).toMatchObject({
        status: 'PENDING',
        unknown: { cause: 'CONNECTION' },
      });
      const { id: key } = await operationOf(id, 'capture');

      const state = await tell({
        idempotency_key: key,
        event: 'capture.succeeded',
        amount: 5000,
        currency: 'USD',
        payment_service_reference: 'cap_told',
      });

      expect(state).toBe('applied');
      expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 5000 });
      expect(await operationOf(id, 'capture')).toMatchObject({
        status: 'succeeded',
        providerReference: 'cap_told',
        unknownAt: null,
      });
      expect((await harness.ledger()).slice(-1)).toEqual([{ kind: 'capture', amount: 5000 }]);
    });

    it('records that the provider has accepted an operation', async () => {
      const id = await harness.authorized(5000);
      harness.provider.failNext('lose_answer');
      await harness.capture(id);
      const { id: key } = await operationOf(id, 'capture');

      expect(await tell({ idempotency_key: key, event: 'capture.pending' })).toBe('applied');

      expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_PENDING', capturedAmount: 0 });
      expect(await operationOf(id, 'capture')).toMatchObject({
        acceptedAt: expect.any(Date),
        unknownAt: null,
      });
    });

    it('with another amount holds the reservation, and the provider is called', async () => {
      const { id, key } = await begin('capture');
      const events = await since.eventNames();

      const state = await tell({
        idempotency_key: key,
        event: 'capture.succeeded',
        amount: 610_002,
        currency: 'USD',
      });

      expect(state).toBe('ignored');
      expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_PENDING', capturedAmount: 0 });
      expect(await processed(id)).toMatchObject([
        { finding: 'other_money', changed: false, status: 'pending', amount: 610_002 },
      ]);
      expect(await since.eventNames()).toEqual(events);
      expect((await harness.sync(id)).transaction).toMatchObject({ capturedAmount: 610_001 });
    });

    it('with a decline after the approval changes nothing, and the history shows the webhook', async () => {
      const id = await harness.captured(5000);
      const { id: key } = await operationOf(id, 'authorize');
      const was = [await harness.transaction(id), await since.eventNames(), await harness.ledger()];

      expect(await tell({ idempotency_key: key, event: 'capture.declined', code: 'issuer_decline' })).toBe(
        'ignored',
      );

      expect([await harness.transaction(id), await since.eventNames(), await harness.ledger()]).toEqual(was);
      expect(await processed(id)).toMatchObject([
        {
          finding: 'contradicts',
          changed: false,
          status: 'succeeded',
          code: 'issuer_decline',
          webhook_event: 'capture.declined',
        },
      ]);
      expect(harness.server.logs()).toContain('A webhook does not fit what is recorded.');
    });

    it('with an approval after our decline starts a release, and the history shows the webhook', async () => {
      const id = await harness.authorized(200_011);
      const { id: key } = await operationOf(id, 'authorize');

      expect(await tell({ idempotency_key: key, event: 'authorization.succeeded' })).toBe('applied');

      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_DECLINED',
        authorizedAmount: 0,
      });
      expect(await processed(id)).toMatchObject([{ finding: 'late_authorization', status: 'declined' }]);
      expect(await operationOf(id, 'release')).toMatchObject({ amount: 200_011 });
    });

    it('with a known outcome is recorded only', async () => {
      const id = await harness.captured(5000);
      const { id: key } = await operationOf(id, 'authorize');
      const was = [await harness.transaction(id), await since.eventNames()];

      expect(
        await tell({ idempotency_key: key, event: 'capture.succeeded', amount: 5000, currency: 'USD' }),
      ).toBe('ignored');
      expect(await processed(id)).toEqual([expect.not.objectContaining({ finding: expect.anything() })]);
      expect([await harness.transaction(id), await since.eventNames()]).toEqual(was);
    });

    it('that names the payment ends a void of a process whose clock is ahead', async () => {
      const { id } = await begin('void');
      const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];

      harness.clock.advance(-60_000);
      const state = await tell({ payment_service_transaction_id: payment, event: 'void.succeeded' });
      harness.clock.advance(60_000);

      expect(state).toBe('applied');
      expect(await harness.transaction(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    });

    it.each([
      ['', 0],
      ['of processes whose clocks differ by a minute ', 60_000],
    ])(
      'that fits either of two captures %smatches neither, and the provider is called at once',
      async (_, ms) => {
        const id = await harness.authorized(1_500_000);
        const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];
        await harness.capture(id, { amount: 610_001, final: false });
        harness.clock.advance(ms);
        await harness.capture(id, { amount: 610_001, final: false });
        harness.clock.advance(-ms);
        const events = await since.eventNames();

        expect(await tell({ payment_service_transaction_id: payment, event: 'capture.succeeded' })).toBe(
          'ignored',
        );

        expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_PENDING', capturedAmount: 0 });
        expect(await since.eventNames()).toEqual(events);
        expect(await processed(id)).toMatchObject([{ finding: 'several_operations', changed: false }]);
        const { prisma } = harness.server.app.db;
        const now = new Date(harness.clock.now().getTime() + ms);
        const due = await prisma.operation.findMany({
          where: { transactionId: id, nextAttemptAt: { lte: now } },
        });
        expect(due.map(({ kind }) => kind)).toEqual(['capture', 'capture']);
      },
    );

    it('about the first capture does not affect a later second one', async () => {
      const id = await harness.authorized(1_500_000);
      const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];
      await harness.capture(id, { amount: 100, final: false });
      await harness.capture(id, { amount: 610_001, final: false });

      expect(await tell({ payment_service_transaction_id: payment, event: 'capture.succeeded' })).toBe(
        'ignored',
      );

      expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 100 });
      expect(await operationOf(id, 'capture')).toMatchObject({ status: 'pending' });
    });

    it("matches the one of two captures with the provider's id in the webhook", async () => {
      const id = await harness.authorized(1_500_000);
      const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];
      await harness.capture(id, { amount: 610_001, final: false });
      const first = await operationOf(id, 'capture');
      await harness.capture(id, { amount: 610_001, final: false });
      const second = await operationOf(id, 'capture');

      const reported = {
        payment_service_transaction_id: payment,
        payment_service_reference: second.providerReference,
      };
      expect(await tell({ ...reported, event: 'capture.succeeded' })).toBe('applied');

      expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 610_001 });
      const { prisma } = harness.server.app.db;
      const status = async (key: string) =>
        (await prisma.operation.findFirst({ where: { id: key } }))?.status;
      expect([await status(first.id), await status(second.id)]).toEqual(['pending', 'succeeded']);
    });

    it('about an operation from elsewhere is recorded on its payment, now and for good', async () => {
      const id = await harness.captured(1_000_000);
      const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];

      expect(
        await tell({
          payment_service_transaction_id: payment,
          event: 'refund.succeeded',
          amount: 700,
          currency: 'USD',
        }),
      ).toBe('ignored');
      expect(await processed(id)).toMatchObject([
        { finding: 'unknown_operation', webhook_event: 'refund.succeeded', amount: 700 },
      ]);

      await harness.refund(id, { amount: 630_001 });
      await applyAfter(harness, 3_600_000);
      expect(await operationOf(id, 'refund')).toMatchObject({ status: 'pending' });
      expect(await processed(id)).toHaveLength(1);
    });

    it('with the key of an operation of another kind is about that payment, and not about that operation', async () => {
      const { id, key } = await begin('capture');

      expect(await inbox.tell({ id: randomUUID(), idempotency_key: key, event: 'refund.succeeded' })).toBe(
        200,
      );
      await applyAfter(harness, 5_000);

      expect((await inboundRows(harness)).at(-1)).toMatchObject({ state: 'ignored', transactionId: id });
      expect(await operationOf(id, 'capture')).toMatchObject({ status: 'pending' });
      expect(await processed(id)).toMatchObject([{ finding: 'unknown_operation', changed: false }]);
    });
  });
}
