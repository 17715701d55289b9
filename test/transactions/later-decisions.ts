import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createService, startHarness, type Harness, type Payload, type Since } from './harness.ts';

let harness: Harness;
/**
 * A payment service without status inquiries. The other service comes first, so tests name this service by its id.
 */
let unrequested: string;
let since: Since;

/** Advances beyond the time of the status inquiry, by less than an hour. */
async function reconcileLater(): Promise<void> {
  await harness.pass(61_000);
  await reconcileDue(harness.server.app);
}

/** The ways to learn the decision. Amounts ending in 1 are approved, those ending in 2 are declined. */
export const WAYS: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
  ['reconciliation', reconcileLater],
  ['a sync', (id) => harness.sync(id)],
];

async function amountsOf(id: string): Promise<readonly unknown[]> {
  const found = await harness.transaction(id);
  return [found?.status, found?.capturedAmount, found?.capturable.amount, found?.refundable.amount];
}

const operations = (transactionId: string) =>
  harness.server.app.db.prisma.operation.findMany({ where: { transactionId }, orderBy: { id: 'asc' } });

/** Checks that no further inquiry or decision changes the written result. */
async function expectRest(id: string): Promise<void> {
  const before = [since.calls(), await since.eventNames(), await harness.transaction(id)];
  await harness.sync(id);
  await reconcileLater();
  expect([since.calls(), await since.eventNames(), await harness.transaction(id)]).toEqual(before);
}

const ACCEPTED = ['transaction.authorized', 'capture.pending', 'transaction.capture-pending'];

/** Defines the tests of operations that the provider decides later, learnt in these ways. */
export function describeLaterDecisions(ways: typeof WAYS): void {
  beforeAll(async () => {
    harness = await startHarness('mock-acquirer');
    unrequested = await createService(harness.server, harness.provider.url, {
      displayName: 'Cannot be asked',
    });
  });
  afterAll(() => harness.stop());
  beforeEach(async () => {
    since = await harness.since();
  });

  describe.each(ways)('an authorisation that is decided later, as %s learns', (_, decide) => {
    it('is processing until it is approved', async () => {
      const { transaction } = await harness.create({ amount: 600_001 });
      const id = transaction?.id ?? '';

      expect(transaction).toMatchObject({
        status: 'PROCESSING',
        intentOutcome: 'PENDING',
        authorizedAmount: 0,
        paymentServiceTransactionId: expect.stringMatching(/^pay_/),
      });
      expect(await since.eventNames()).toEqual([]);
      const [taken] = await operations(id);
      expect(taken).toMatchObject({ status: 'pending', sealedCard: null, unknownAt: null, leaseUntil: null });
      expect(taken?.acceptedAt).toBeInstanceOf(Date);
      for (const verb of ['capture', 'refund', 'void'] as const) {
        expect((await harness[verb](id)).userErrors).toMatchObject([
          { code: 'OPERATION_NOT_ALLOWED', status: 'PROCESSING' },
        ]);
      }
      await decide(id);

      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_SUCCEEDED',
        intentOutcome: 'SUCCEEDED',
        authorizedAmount: 600_001,
        errorCode: null,
      });
      expect(since.calls()).toEqual(['authorize', 'status']);
      expect(await since.eventNames()).toEqual(['transaction.authorized']);
      await expectRest(id);
    });

    it('is processing until it is declined', async () => {
      const id = await harness.authorized(600_002);

      await decide(id);

      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_DECLINED',
        intentOutcome: 'FAILED',
        errorCode: 'issuer_decline',
        authorizedAmount: 0,
      });
      expect(await since.eventNames()).toEqual(['transaction.declined']);
      await expectRest(id);
    });

    it('is capture-pending as a sale until it is approved', async () => {
      const id = await harness.captured(600_001);
      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 0, 0]);
      expect(await since.eventNames()).toEqual(['transaction.capture-pending']);
      for (const verb of ['capture', 'refund', 'void', 'cancel'] as const) {
        expect((await harness[verb](id)).userErrors).toMatchObject([
          { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_PENDING' },
        ]);
      }

      await decide(id);

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 600_001, 0, 600_001]);
      expect(await since.eventNames()).toEqual(['transaction.capture-pending', 'transaction.captured']);
      expect((await harness.ledger()).slice(-2)).toEqual([
        { kind: 'authorize', amount: 600_001 },
        { kind: 'capture', amount: 600_001 },
      ]);
      await expectRest(id);
    });

    it('is capture-pending as a sale until it is declined', async () => {
      const ledger = await harness.ledger();
      const id = await harness.captured(600_002);

      await decide(id);

      expect(await amountsOf(id)).toEqual(['AUTHORIZATION_DECLINED', 0, 0, 0]);
      expect(await since.eventNames()).toEqual(['transaction.capture-pending', 'transaction.declined']);
      expect(await harness.ledger()).toEqual(ledger);
      await expectRest(id);
    });
  });

  describe.each(ways)('a capture that is decided later, as %s learns', (_, decide) => {
    it('is pending until it is approved', async () => {
      const id = await harness.authorized(1_000_000);

      const payload = await harness.capture(id, { amount: 610_001 }, `approved by ${_}`);

      expect(payload.operation).toMatchObject({ status: 'PENDING', unknown: null, errorCode: null });
      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 0, 0]);
      expect(await since.eventNames()).toEqual(ACCEPTED);
      expect((await harness.void(id)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
      expect((await harness.refund(id)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
      expect(await harness.capture(id, { amount: 610_001 }, `approved by ${_}`)).toEqual({
        ...payload,
        replayed: true,
      });
      await decide(id);

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 0, 610_001]);
      expect(since.calls()).toEqual(['authorize', 'capture', 'status']);
      expect(await since.eventNames()).toEqual([...ACCEPTED, 'capture.succeeded', 'transaction.captured']);
      expect(await harness.capture(id, { amount: 610_001 }, `approved by ${_}`)).toMatchObject({
        replayed: true,
        operation: { id: payload.operation?.id, status: 'SUCCEEDED' },
        transaction: { status: 'CAPTURE_SUCCEEDED' },
      });
      await expectRest(id);
    });

    it('leaves the payment authorised when the capture is declined', async () => {
      const id = await harness.authorized(1_000_000);
      await harness.capture(id, { amount: 610_002 });

      await decide(id);

      expect(await amountsOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 0, 1_000_000, 0]);
      expect(await since.eventNames()).toEqual([
        ...ACCEPTED,
        'capture.declined',
        'transaction.capture-failed',
      ]);
      expect((await harness.transaction(id))?.['captures']).toMatchObject([{ status: 'DECLINED' }]);
      await expectRest(id);
      expect((await harness.capture(id, { amount: 10 })).transaction?.status).toBe('CAPTURE_SUCCEEDED');
    });
  });

  describe.each(ways)('a void that is decided later, as %s learns', (_, decide) => {
    it('is pending until it is approved', async () => {
      const id = await harness.authorized(620_001);

      const payload = await harness.void(id);

      expect(payload.operation).toMatchObject({ status: 'PENDING', unknown: null });
      expect(await amountsOf(id)).toEqual(['AUTHORIZATION_VOID_PENDING', 0, 0, 0]);
      expect(await since.eventNames()).toEqual(['transaction.authorized', 'transaction.void-pending']);
      for (const verb of ['capture', 'void'] as const) {
        expect((await harness[verb](id)).userErrors).toMatchObject([
          { code: 'OPERATION_NOT_ALLOWED', status: 'AUTHORIZATION_VOID_PENDING' },
        ]);
      }
      await decide(id);

      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_VOIDED',
        voidedAt: expect.any(String),
      });
      expect(since.calls()).toEqual(['authorize', 'void', 'status']);
      expect((await since.eventNames()).slice(2)).toEqual(['transaction.voided']);
      await expectRest(id);
    });

    it('leaves the payment authorised when the void is declined', async () => {
      const id = await harness.authorized(620_002);
      await harness.void(id);

      await decide(id);

      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_SUCCEEDED',
        voidedAt: null,
      });
      expect((await since.eventNames()).slice(2)).toEqual(['transaction.void-declined']);
      await expectRest(id);
      expect((await harness.capture(id)).transaction?.capturedAmount).toBe(620_002);
    });
  });

  describe.each(ways)('a refund that is decided later, as %s learns', (_, decide) => {
    it('is processing until it is approved', async () => {
      const id = await harness.captured(1_000_000);

      const payload = await harness.refund(id, { amount: 630_001 });

      expect(payload.operation).toMatchObject({ status: 'PROCESSING', unknown: null });
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1_000_000, 0, 369_999]);
      expect(await since.eventNames()).toEqual(['transaction.captured', 'refund.pending']);
      expect((await harness.refund(id, { amount: 370_000 })).userErrors).toMatchObject([
        { code: 'REFUND_TOO_LARGE', refundable: { amount: 369_999 } },
      ]);
      await decide(id);

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1_000_000, 0, 369_999]);
      expect((await harness.transaction(id))?.refundedAmount).toBe(630_001);
      expect(since.calls()).toEqual(['authorize', 'refund', 'status']);
      expect((await since.eventNames()).slice(2)).toEqual(['refund.succeeded']);
      await expectRest(id);
    });

    it('gives its amount back when the refund is declined', async () => {
      const id = await harness.captured(1_000_000);
      await harness.refund(id, { amount: 630_002 });

      await decide(id);

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1_000_000, 0, 1_000_000]);
      expect((await since.eventNames()).slice(2)).toEqual(['refund.declined']);
      await expectRest(id);
    });
  });

  describe('of several captures', () => {
    it('one late decline leaves the payment capture-pending while another is undecided', async () => {
      const id = await harness.authorized(2_000_000);
      await harness.capture(id, { amount: 610_002, final: false });
      await harness.pass(30_000);
      await harness.capture(id, { amount: 610_001, final: false });
      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 779_997, 0]);
      await harness.pass(31_000);
      await reconcileDue(harness.server.app);

      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 1_389_999, 0]);
      await reconcileLater();

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 1_389_999, 610_001]);
      expect(since.calls()).toEqual(['authorize', 'capture', 'capture', 'status', 'status']);
    });

    it('one late decline leaves the captured amount unchanged', async () => {
      const id = await harness.authorized(2_000_000);
      await harness.capture(id, { amount: 610_001, final: false });
      await harness.pass(30_000);
      await harness.capture(id, { amount: 610_002, final: false });
      await harness.pass(31_000);
      await reconcileDue(harness.server.app);
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 779_997, 610_001]);

      await reconcileLater();

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 1_389_999, 610_001]);
    });

    it('the last late decline of all leaves the payment authorised', async () => {
      const id = await harness.authorized(2_000_000);
      await harness.capture(id, { amount: 610_002, final: false });
      await harness.capture(id, { amount: 610_002 });
      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 0, 0]);

      await reconcileLater();

      expect(await amountsOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 0, 2_000_000, 0]);
      const [row] = await harness.server.app.db.prisma.transaction.findMany({ where: { id } });
      expect(row).toMatchObject({ capturesAccepted: 0, capturePendingAmount: 0, captureClosed: false });
    });

    it('one late decision publishes nothing new about a captured payment', async () => {
      const id = await harness.authorized(2_000_000);
      await harness.capture(id, { amount: 300, final: false });

      const payload = await harness.capture(id, { amount: 610_002, final: false });

      expect(payload).toMatchObject({
        operation: { status: 'PENDING' },
        transaction: { status: 'CAPTURE_SUCCEEDED', capturable: { amount: 1_389_698 } },
      });
      expect((await since.eventNames()).slice(3)).toEqual(['capture.pending']);
      await reconcileLater();
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 300, 1_999_700, 300]);
      expect((await since.eventNames()).slice(4)).toEqual(['capture.declined', 'transaction.capture-failed']);
    });

    it('one may be declined at once while another is undecided', async () => {
      const id = await harness.authorized(2_000_000);
      await harness.capture(id, { amount: 610_001, final: false });

      expect((await harness.capture(id, { amount: 500_002 })).operation?.status).toBe('DECLINED');

      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 1_389_999, 0]);
      await reconcileLater();
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 1_389_999, 610_001]);
    });

    it('one may be confirmed at once while another is undecided', async () => {
      const id = await harness.authorized(2_000_000);
      await harness.capture(id, { amount: 610_001, final: false });

      await harness.capture(id, { amount: 500, final: false });

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 500, 1_389_499, 500]);
      await reconcileLater();
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_501, 1_389_499, 610_501]);
    });
  });

  describe('an operation that the provider decides later', () => {
    const pendingCapture = async (key?: string): Promise<{ id: string; payload: Payload }> => {
      const id = await harness.authorized(1_000_000);
      return { id, payload: await harness.capture(id, { amount: 610_001 }, key) };
    };

    it('is looked up after a minute, not before', async () => {
      const { id } = await pendingCapture();

      await harness.pass(58_000);
      await reconcileDue(harness.server.app);

      expect(since.calls()).toEqual(['authorize', 'capture']);
      await reconcileLater();
      expect((await harness.transaction(id))?.status).toBe('CAPTURE_SUCCEEDED');
    });

    it.each(['still_deciding', 'not_found', 'nonsense', 'lose_answer', 'error_after_work'] as const)(
      'stays pending, not unknown, when a look-up meets %s, and is never sent again',
      async (fault) => {
        const { id } = await pendingCapture();
        harness.provider.failNext(fault);
        const { operations: requested } = await harness.sync(id);

        expect(requested).toMatchObject([{ kind: 'CAPTURE', status: 'PENDING', unknown: null }]);
        expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 0, 0]);
        expect(await since.eventNames()).toEqual(ACCEPTED);
        await reconcileLater();
        expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 0, 610_001]);
        expect(since.calls()).toEqual(['authorize', 'capture', 'status', 'status']);
      },
    );

    it('may follow an unknown outcome, through a repeat under the same key', async () => {
      const id = await harness.authorized(1_000_000);
      harness.provider.failNext('lose_answer');
      const { operation } = await harness.capture(id, { amount: 610_001 });
      expect(operation).toMatchObject({ status: 'PENDING', unknown: { cause: 'CONNECTION' } });
      expect(await amountsOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 0, 0, 0]);

      await harness.pass(10_000);
      await reconcileDue(harness.server.app);

      expect(await amountsOf(id)).toEqual(['CAPTURE_PENDING', 0, 0, 0]);
      expect(await since.eventNames()).toEqual(ACCEPTED);
      await reconcileLater();
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 0, 610_001]);
      expect(since.calls()).toEqual(['authorize', 'capture', 'capture', 'status']);
    });
  });

  describe('an accepted operation whose process dies', () => {
    let removeFailpoint: () => void = () => undefined;
    afterEach(() => removeFailpoint());

    const KINDS = {
      authorize: async (key: string) => () => harness.create({ amount: 600_001 }, key),
      capture: async (key: string) => {
        const id = await harness.authorized(1_000_000);
        return () => harness.capture(id, { amount: 610_001 }, key);
      },
      void: async (key: string) => {
        const id = await harness.authorized(620_001);
        return () => harness.void(id, key);
      },
      refund: async (key: string) => {
        const id = await harness.captured(1_000_000);
        return () => harness.refund(id, { amount: 630_001 }, key);
      },
    } as const;

    const DECIDED = {
      authorize: [['transaction.authorized'], 'AUTHORIZATION_SUCCEEDED'],
      capture: [[...ACCEPTED.slice(1), 'capture.succeeded', 'transaction.captured'], 'CAPTURE_SUCCEEDED'],
      void: [['transaction.void-pending', 'transaction.voided'], 'AUTHORIZATION_VOIDED'],
      refund: [['refund.pending', 'refund.succeeded'], 'CAPTURE_SUCCEEDED'],
    } as const;

    it.each(
      (['authorize', 'capture', 'void', 'refund'] as const).flatMap((kind) =>
        (['accepting', 'accepted'] as const).map((point) => [kind, point] as const),
      ),
    )('is published and decided once: %s.%s', async (kind, point) => {
      const operate = await KINDS[kind](`dying at ${point}`);
      since = await harness.since();
      removeFailpoint = setFailpoint(`${kind}.${point}`, () => {
        throw new Error('The process died.');
      });
      await expect(operate()).rejects.toThrow('INTERNAL_SERVER_ERROR');
      removeFailpoint();

      await harness.pass(50_000);
      await reconcileDue(harness.server.app);
      await reconcileLater();

      const [events, status] = DECIDED[kind];
      expect(await since.eventNames()).toEqual(events);
      // A recorded acceptance leads to inquiries only. Without the record the request is sent again first.
      expect(since.calls()).toEqual(point === 'accepting' ? [kind, kind, 'status'] : [kind, 'status']);
      expect(await operate()).toMatchObject({ replayed: true, transaction: { status } });
    });
  });

  describe('a sync', () => {
    it('returns the operations that it looked up, and calls no provider when nothing is pending', async () => {
      const id = await harness.authorized(1_000_000);
      await harness.capture(id, { amount: 610_001 });

      expect(await harness.sync(id)).toMatchObject({
        transaction: { status: 'CAPTURE_SUCCEEDED' },
        operations: [{ kind: 'CAPTURE', status: 'SUCCEEDED', acceptedAt: expect.any(String), unknown: null }],
        userErrors: [],
      });
      expect(await harness.sync(id)).toMatchObject({ operations: [], userErrors: [] });
      expect(since.calls()).toEqual(['authorize', 'capture', 'status']);
    });

    it('ten times at once settles once', async () => {
      const id = await harness.authorized(1_000_000);
      await harness.capture(id, { amount: 610_001 });

      await Promise.all([...Array.from({ length: 10 }, () => harness.sync(id)), reconcileLater()]);

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 610_001, 0, 610_001]);
      expect(await since.eventNames()).toEqual([...ACCEPTED, 'capture.succeeded', 'transaction.captured']);
    });

    it('is refused by a payment service without inquiries, and nothing happens', async () => {
      harness.provider.failNext('lose_request');
      const { transaction } = await harness.create({ paymentServiceId: unrequested });
      const id = transaction?.id ?? '';

      expect(await harness.sync(id)).toMatchObject({
        transaction: null,
        operations: [],
        userErrors: [{ code: 'OPERATION_NOT_SUPPORTED', feature: 'sync', path: ['id'] }],
      });
      expect(since.calls()).toEqual(['authorize']);
      expect(await harness.transaction(id)).toEqual(transaction);
      await reconcileLater();
    });

    it.each(['0198c1d2-0000-7000-8000-000000000000', 'nonsense'])(
      'answers NOT_FOUND for the id "%s"',
      async (id) => {
        expect((await harness.sync(id)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }]);
      },
    );
  });
}
