import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { applyDueReviews } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt } from '../support/hold.ts';
import { reconcileAfter } from './unresolved.ts';
import { openFraudHarness, told102, told21, type FraudHarness, type Shown } from './fraud-harness.ts';
import { startHarness, type Harness, type Since } from './harness.ts';
import { until } from './inbox.ts';

const SECOND = 1_000;

let harness: Harness;
let fraud: FraudHarness;
let since: Since;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  fraud = await openFraudHarness(harness);
});
afterAll(async () => {
  await fraud.close();
  await harness.stop();
});
beforeEach(async () => {
  since = await harness.since();
});

const held = (input = {}) => fraud.pay('review', { intent: 'CAPTURE', ...input });

const rows = () => harness.server.app.db.prisma.inboundReview.findMany({ orderBy: { id: 'asc' } });

/** Waits until the last notice has ended, and returns its end state. */
const endOf = async (count: number, meanwhile = async () => {}): Promise<string> =>
  until(async () => {
    await meanwhile();
    const all = await rows();
    const last = all.at(-1);
    return all.length === count && last && last.state !== 'parked' ? last.state : null;
  });

/** Posts a notice, waits until the notice is applied, and returns its end state. */
async function tell(reported: Parameters<FraudHarness['tell']>[0]): Promise<string> {
  const count = (await rows()).length;
  expect(await fraud.tell(reported)).toBe(200);
  return endOf(count + 1);
}

const entries = ({ steps }: Shown) => steps.filter(({ name }) => name === 'anti-fraud-webhook');

/** Waits until a payment has this status. */
const becomes = (id: string, status: string): Promise<Shown> =>
  until(async () => {
    const payment = await fraud.show(id);
    return payment.status === status ? payment : null;
  });

/** Advances the clock, then applies the due notices. */
async function applyAfter(ms: number): Promise<void> {
  await harness.pass(ms);
  while (await applyDueReviews(harness.server.app));
}

describe('a notice of the anti-fraud service about a review', () => {
  it('captures an accepted payment, in version 2.1', async () => {
    const { id } = await held();

    expect(await tell(told21(id, 'A', 'Looks fine'))).toBe('applied');

    const payment = await becomes(id, 'CAPTURE_SUCCEEDED');
    expect(payment).toMatchObject({ pendingReview: false, capturedAmount: 1299 });
    expect(entries(payment)).toMatchObject([
      {
        context: {
          ...{ decision: 'accept', comment: 'Looks fine', interface_version: '2.1', changed: true },
          ...{ anti_fraud_service_id: fraud.serviceId, webhook_event_id: expect.any(String) },
        },
      },
    ]);
    expect(payment.steps.find(({ name }) => name === 'anti-fraud-review-resolved')?.context).toMatchObject({
      ...{ decision: 'accept', source: 'webhook', comment: 'Looks fine' },
    });
    expect(await since.eventNames()).toEqual([
      ...['transaction.anti-fraud-decided', 'transaction.authorized', 'transaction.review-accepted'],
      ...['capture.succeeded', 'transaction.captured'],
    ]);
  });

  it('voids a rejected payment, in version 10.2, also after a check in the other version', async () => {
    const { id } = await held();

    expect(await tell(told102(id, 'DECLINED', 'evt-rejected'))).toBe('applied');

    const payment = await becomes(id, 'AUTHORIZATION_VOIDED');
    expect(entries(payment)).toMatchObject([
      { context: { decision: 'reject', interface_version: '10.2', webhook_event_id: 'evt-rejected' } },
    ]);
    expect(since.calls()).toEqual(['authorize', 'void']);
  });

  it.each([
    ['accept', 'CAPTURE_SUCCEEDED'],
    ['reject', 'AUTHORIZATION_VOIDED'],
  ])('may be sent by hand, by the id of the payment alone (%s)', async (decision, status) => {
    const { id } = await held();

    expect(await tell({ transaction_id: id.toUpperCase(), decision })).toBe('applied');
    expect(await fraud.tell({ decision, transaction_id: id })).toBe(200);

    expect(entries(await becomes(id, status))).toMatchObject([
      { context: { decision, interface_version: 'simulator', changed: true } },
    ]);
  });

  it('leads to a warning when it is not understood, and changes nothing', async () => {
    const { id } = await held();
    const before = (await rows()).length;

    expect(await fraud.tell({ transaction_id: id, decision: 'approve' })).toBe(200);

    expect(harness.server.logs()).toContain('A webhook names no known review.');
    expect(await rows()).toHaveLength(before);
    expect(await fraud.show(id)).toMatchObject({ pendingReview: true });
  });

  it('counts once, however often it is received', async () => {
    const { id } = await held();
    const before = (await rows()).length;

    const statuses = await Promise.all([1, 2, 3].map(() => fraud.tell(told21(id, 'A'))));
    await becomes(id, 'CAPTURE_SUCCEEDED');

    expect(statuses).toEqual([200, 200, 200]);
    expect(await rows()).toHaveLength(before + 1);
    expect(since.calls()).toEqual(['authorize', 'capture']);
  });

  it.each([
    ['contradicts', 'D' as const],
    [undefined, 'A' as const],
  ])('after the merchant has accepted changes nothing, and is recorded (%s)', async (finding, decision) => {
    const { id } = await held();
    await fraud.resolve(id, { decision: 'ACCEPT' });

    expect(await tell(told21(id, decision))).toBe('ignored');

    const payment = await fraud.show(id);
    expect(payment).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(entries(payment).map(({ context }) => [context['changed'], context['finding']])).toEqual([
      [false, finding],
    ]);
  });

  it('about a payment without a review changes nothing', async () => {
    const { id } = await fraud.pay('accept', { intent: 'CAPTURE' });

    expect(await tell(told21(id, 'D'))).toBe('ignored');

    const payment = await fraud.show(id);
    expect(payment).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(entries(payment)).toMatchObject([{ context: { finding: 'no_review' } }]);
  });
});

describe('a notice and the merchant at the same time', () => {
  it('end the review once', async () => {
    const { id } = await held();
    const count = (await rows()).length;

    const [resolved] = await Promise.all([
      fraud.resolve(id, { decision: 'REJECT' }),
      fraud.tell(told21(id, 'A')),
    ]);
    // A notice about an open review that ends meanwhile is processed once more.
    const end = await endOf(count + 1, () => applyAfter(0));

    const merchantWon = resolved.userErrors.length === 0;
    expect(end).toBe(merchantWon ? 'ignored' : 'applied');
    await becomes(id, merchantWon ? 'AUTHORIZATION_VOIDED' : 'CAPTURE_SUCCEEDED');
    expect(since.calls()).toEqual(['authorize', merchantWon ? 'void' : 'capture']);
  });

  it('during a void: the notice waits, and applies when the void is declined', async () => {
    const { id } = await held({ amount: 510_002 });
    const waiting = holdAt('void.claimed');
    const voiding = harness.void(id);
    await waiting.reached;

    expect(await fraud.tell(told21(id, 'A'))).toBe(200);
    await until(async () => {
      const due = (await rows()).at(-1)?.nextAttemptAt?.getTime() ?? Infinity;
      return due - harness.clock.now().getTime() < 2 * SECOND ? true : null;
    });
    expect(await fraud.show(id)).toMatchObject({ pendingReview: true });
    waiting.go();
    await voiding;

    await applyAfter(0);
    expect(await becomes(id, 'CAPTURE_SUCCEEDED')).toMatchObject({ capturedAmount: 510_002 });
  });
});

describe('a notice that comes too early', () => {
  it('waits until the payment is authorised, and then matches at once', async () => {
    const waiting = holdAt('authorize.called');
    const paying = held();
    await waiting.reached;
    const [row] = await harness.server.app.db.prisma.transaction.findMany({
      orderBy: { id: 'desc' },
      take: 1,
    });
    const id = row?.id ?? '';

    expect(await fraud.tell(told21(id, 'A'))).toBe(200);
    await until(async () => {
      const due = (await rows()).at(-1)?.nextAttemptAt?.getTime() ?? Infinity;
      return due - harness.clock.now().getTime() < 2 * SECOND ? true : null;
    });
    expect((await rows()).at(-1)).toMatchObject({ state: 'parked' });
    waiting.go();
    await paying;

    await applyAfter(0);
    await becomes(id, 'CAPTURE_SUCCEEDED');
    expect((await rows()).at(-1)).toMatchObject({ state: 'applied', transactionId: id });
  });

  it('is not postponed when the payment is authorised during its match', async () => {
    const authorizing = holdAt('authorize.called');
    const paying = held();
    await authorizing.reached;
    const { prisma } = harness.server.app.db;
    const [row] = await prisma.transaction.findMany({ orderBy: { id: 'desc' }, take: 1 });
    const id = row?.id ?? '';
    const looking = holdAt('inbound-review.matched');
    expect(await fraud.tell(told21(id, 'A'))).toBe(200);
    await looking.reached;
    authorizing.go();
    await paying;
    const before = (await rows()).at(-1)?.nextAttemptAt;

    looking.go();

    await applyAfter(0);
    await becomes(id, 'CAPTURE_SUCCEEDED');
    expect(before?.getTime()).toBeLessThanOrEqual(harness.clock.now().getTime());
  });

  it('finds its check also by the third party’s own id alone', async () => {
    const { id } = await held();
    const { prisma } = harness.server.app.db;
    const check = await prisma.antiFraudCheck.findFirst({ where: { transactionId: id } });
    const reference = check?.reference ?? null;
    const now = harness.clock.now();
    await prisma.inboundReview.create({
      data: {
        ...{ merchantAccountId: harness.server.merchantAccountId, id: harness.server.app.ids.uuid() },
        ...{ antiFraudServiceId: fraud.serviceId, eventKey: 'by reference', checkReference: reference },
        ...{ receivedAt: now, nextAttemptAt: now },
        notice: {
          ...{ eventKey: 'by reference', interfaceVersion: '2.1', key: null, reference },
          ...{ decision: 'reject', comment: null, occurredAt: null },
        },
      },
    });

    await applyAfter(0);

    await becomes(id, 'AUTHORIZATION_VOIDED');
  });

  it('about an unknown payment is kept for seven days, and leaves no trace in a history', async () => {
    expect(await fraud.tell(told21('0196c2f0-0000-7000-8000-000000000000', 'A'))).toBe(200);
    await applyAfter(6 * 24 * 3_600 * SECOND);
    expect((await rows()).at(-1)).toMatchObject({ state: 'parked' });

    await applyAfter(2 * 24 * 3_600 * SECOND);

    expect((await rows()).at(-1)).toMatchObject({ state: 'expired', transactionId: null });
  });

  it('of another merchant account’s payment finds nothing', async () => {
    const { token } = await harness.server.createMerchantAccount();
    const { body } = await harness.server.graphql<{
      answer: { antiFraudService: { webhookUrl: string } | null };
    }>(
      `mutation { answer: createAntiFraudService(input: { displayName: "Others", antiFraudServiceDefinitionId: "mock-anti-fraud",
        fields: [{ key: "merchant_id", value: "m" }] }) { antiFraudService { webhookUrl } userErrors { message } } }`,
      {},
      { token },
    );
    const { id } = await held();
    const url = body.data?.answer.antiFraudService?.webhookUrl ?? '';

    const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(told21(id, 'A')) });
    await applyAfter(0);

    expect([status, (await rows()).at(-1)?.state]).toEqual([200, 'parked']);
    expect(await fraud.show(id)).toMatchObject({ pendingReview: true });
  });
});

describe('the webhook address of an anti-fraud service', () => {
  it('refuses a notice without a signature of its secret, and stores nothing', async () => {
    const before = (await rows()).length;
    const { id } = await held();

    expect([
      await fraud.tell(told21(id, 'A'), 'another secret'),
      await fraud.tell(told21(id, 'A'), null),
      await fraud.tell({ transaction_id: id, decision: 'accept' }, null),
    ]).toEqual([401, 401, 401]);
    expect(await rows()).toHaveLength(before);
    expect(await fraud.show(id)).toMatchObject({ pendingReview: true });
  });

  it('answers 404 when it is unknown, and 503 when a notice could not be stored', async () => {
    const { id } = await held();
    const url = `${harness.server.url}/webhooks/anti-fraud/nobody`;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404);
    const revive = setFailpoint('inbound-review.stored', () => {
      throw new Error('The process died.');
    });

    expect(await fraud.tell(told21(id, 'A'))).toBe(503);
    revive();

    // The notice was stored before the answer was lost. The loop applies the notice, and a repeat adds nothing.
    expect(await fraud.tell(told21(id, 'A'))).toBe(200);
    await applyAfter(11 * SECOND);
    await becomes(id, 'CAPTURE_SUCCEEDED');
    expect(since.calls()).toEqual(['authorize', 'capture']);
  });
});

describe('a process that dies while it applies a notice', () => {
  it.each([
    'inbound-review.matched',
    'inbound-review.resolved',
    'inbound-review.applied',
    'capture.claimed',
    'capture.called',
    'capture.settled',
  ])('(%s) leaves a notice that is completed, once', async (point) => {
    const { id } = await held();
    const died = Promise.withResolvers<undefined>();
    const revive = setFailpoint(point, () => {
      revive();
      died.resolve(undefined);
      throw new Error('The process died.');
    });

    expect(await fraud.tell(told21(id, 'A'))).toBe(200);
    await died.promise;
    await applyAfter(11 * SECOND);
    await reconcileAfter(harness, 3_600 * SECOND);

    expect(await becomes(id, 'CAPTURE_SUCCEEDED')).toMatchObject({ capturedAmount: 1299 });
    expect((await rows()).at(-1)?.state).not.toBe('parked');
    expect(await harness.server.app.db.prisma.operation.count({ where: { transactionId: id } })).toBe(2);
    const names = await since.eventNames();
    expect(names.filter((name) => name === 'transaction.review-accepted')).toHaveLength(1);
  });
});

it('a notice without the connector of its anti-fraud service is to be sent again', async () => {
  const { id } = await held();
  const { antiFraudService } = harness.server.app.db.prisma;
  const where = { id: fraud.serviceId };
  const service = await antiFraudService.findFirstOrThrow({ where });
  await antiFraudService.updateMany({ where, data: { definitionId: 'gone-fraud' } });

  const status = await fraud.tell(told21(id, 'A', 'Looks fine'));
  await antiFraudService.updateMany({ where, data: { definitionId: service.definitionId } });

  expect(status).toBe(503);
});
