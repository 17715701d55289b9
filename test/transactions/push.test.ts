import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startHarness, type CreateInput, type Harness, type Payload } from './harness.ts';
import { applyAfter, ended, inboxOf, until, type Inbox, type Reported } from './inbox.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETURN = 'https://shop.example/back';
const BY_PUSH = {
  paymentMethod: { redirect: { method: 'oxxo' } },
  intent: 'CAPTURE',
  redirectUrl: RETURN,
};

const SECRET = 'a webhook secret of the test';

let harness: Harness;
let inbox: Inbox;
/** The count of ended webhooks so far. */
let notified = 0;
beforeAll(async () => {
  harness = await startHarness('mock-push');
  inbox = await inboxOf(harness);
  await harness.ask(
    `mutation ($id: ID!, $secret: String!) { updatePaymentService(id: $id, input: { fields: [{ key: "webhook_secret", value: $secret }] }) {
       userErrors { message } } }`,
    { id: (await harness.server.app.db.prisma.paymentService.findFirst({}))?.id, secret: SECRET },
  );
});
afterAll(() => harness.stop());

type Pushed = {
  readonly id: string;
  readonly status: string;
  readonly paymentReference: string | null;
  readonly approvalUrl: string | null;
  readonly approvalExpiresAt: string;
  readonly paymentServiceTransactionId: string;
  readonly events: {
    readonly nodes: readonly { name: string; context: Readonly<Record<string, unknown>> }[];
  };
  readonly [field: string]: unknown;
};

const show = async (id: string): Promise<Pushed> =>
  (
    await harness.ask<{ transaction: Pushed }>(
      `query ($id: ID!) { transaction(id: $id) { id status intentOutcome paymentReference approvalUrl approvalExpiresAt errorCode
         capturedAmount authorizedAmount paymentServiceTransactionId events { nodes { name context } } } }`,
      { id },
    )
  ).transaction;

const push = (input: Partial<CreateInput> = {}, key?: string): Promise<Payload> =>
  harness.create({ ...BY_PUSH, ...input }, key);

async function waiting(input: Partial<CreateInput> = {}): Promise<Pushed> {
  const { transaction, userErrors } = await push(input);
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return show(transaction.id);
}

/** Waits until the webhook has been applied or has changed nothing. */
async function tell({ paymentServiceTransactionId: id }: Pushed, reported: Reported): Promise<string> {
  expect(await inbox.tell({ payment_service_transaction_id: id, ...reported }, SECRET)).toBe(200);
  return ended(harness, (notified += 1));
}

const PAID = { event: 'authorization.succeeded', amount: 1299, currency: 'USD' };

const findingOf = ({ events }: Pushed): unknown =>
  events.nodes.find(({ name }) => name === 'payment-connector-transaction-webhook-processed')?.context[
    'finding'
  ];

const ledgerOf = (transactionId: string) =>
  harness.server.app.db.prisma.ledgerEntry.findMany({
    where: { transactionId },
    select: { kind: true, amount: true },
    orderBy: { kind: 'asc' },
  });

async function expire(): Promise<void> {
  await expireApprovals(harness.server.app.db, harness.clock.now());
  await reconcileDue(harness.server.app);
}

const soon = (ms = HOUR_MS): Date => new Date(harness.clock.now().getTime() + ms);

describe('a push payment', () => {
  it('is processing with a payment reference, and captured when the provider reports the payment', async () => {
    const since = await harness.since();
    const made = await waiting({ externalIdentifier: 'order-1001' });
    expect(made).toMatchObject({
      status: 'PROCESSING',
      intentOutcome: 'PENDING',
      paymentReference: expect.stringMatching(/^\d{14}$/),
      approvalUrl: expect.stringContaining('/approve/'),
      capturedAmount: 0,
    });
    const openMs = Date.parse(made.approvalExpiresAt) - harness.clock.now().getTime();
    expect(Math.round(openMs / HOUR_MS)).toBe(72);

    expect(await tell(made, PAID)).toBe('applied');
    expect(await show(made.id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      intentOutcome: 'SUCCEEDED',
      capturedAmount: 1299,
      paymentReference: made.paymentReference,
      approvalUrl: null,
    });
    expect(await since.eventNames()).toEqual(['transaction.captured']);
    expect(await ledgerOf(made.id)).toEqual([
      { kind: 'authorize', amount: 1299 },
      { kind: 'capture', amount: 1299 },
    ]);
    expect((await harness.refund(made.id)).userErrors).toEqual([]);
  });

  it('has a page with payment instructions, and the page decides nothing', async () => {
    const made = await waiting();
    const page = await fetch(made.approvalUrl ?? '');
    const text = await page.text();
    expect([page.status, text]).toEqual([200, expect.stringContaining(made.paymentReference ?? '')]);
    expect(text).toContain('$12.99');
    expect(text).not.toContain('<form');
    for (const reported of ['approved', 'refused']) {
      const answer = await fetch(made.approvalUrl ?? '', {
        method: 'POST',
        body: new URLSearchParams({ decision: reported }),
        redirect: 'manual',
      });
      expect(answer.status).toBe(200);
    }
    await harness.sync(made.id);
    expect((await show(made.id)).status).toBe('PROCESSING');
    await tell(made, PAID);
    expect(await (await fetch(made.approvalUrl ?? '')).text()).toContain('The payment is complete');
  });

  it('is created once for one idempotency key, with one reference', async () => {
    const first = await push({}, 'push-once');
    const again = await push({}, 'push-once');
    expect([again.replayed, again.transaction?.id]).toEqual([true, first.transaction?.id]);
  });

  it('is reported twice, and paid once', async () => {
    const made = await waiting();
    await tell(made, { ...PAID, id: `${made.id} 1` });
    const repeated = {
      ...PAID,
      id: `${made.id} 1`,
      payment_service_transaction_id: made.paymentServiceTransactionId,
    };
    expect(await inbox.tell(repeated, SECRET)).toBe(200);
    expect(await tell(made, { ...PAID, id: `${made.id} 2` })).toBe('ignored');
    expect((await ledgerOf(made.id)).length).toBe(2);
    expect((await show(made.id)).capturedAmount).toBe(1299);
  });

  it.each([
    ['another amount', { amount: 1298 }],
    ['more', { amount: 1300 }],
    ['another currency', { currency: 'EUR' }],
  ])('does not count as paid with %s', async (_, other) => {
    const made = await waiting();
    expect(await tell(made, { ...PAID, ...other })).toBe('ignored');
    const shown = await show(made.id);
    expect([shown.status, shown['capturedAmount'], findingOf(shown)]).toEqual([
      'PROCESSING',
      0,
      'other_money',
    ]);
    expect(await ledgerOf(made.id)).toEqual([]);
    await tell(made, { ...PAID, id: `${made.id} right` });
    expect((await show(made.id)).status).toBe('CAPTURE_SUCCEEDED');
  });

  it('rejects a webhook without the provider’s signature', async () => {
    const made = await waiting();
    const reported = { ...PAID, payment_service_transaction_id: made.paymentServiceTransactionId };
    expect([await inbox.tell(reported), await inbox.tell(reported, 'another secret')]).toEqual([401, 401]);
    expect((await show(made.id)).status).toBe('PROCESSING');
    await tell(made, PAID);
    expect((await show(made.id)).status).toBe('CAPTURE_SUCCEEDED');
  });
});

describe('the expiry', () => {
  it('fails the payment, and releases the money of a later approval', async () => {
    const since = await harness.since();
    const made = await waiting({ approvalExpiresAt: soon() });
    await harness.pass(HOUR_MS - 30_000);
    await expire();
    expect((await show(made.id)).status).toBe('PROCESSING');
    await harness.pass(30_000);
    await expire();
    expect(await show(made.id)).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
      errorCode: 'incomplete_buyer_approval',
      intentOutcome: 'FAILED',
      approvalUrl: null,
    });
    expect((await since.eventNames()).filter((name) => name === 'transaction.captured')).toEqual([]);

    expect(await tell(made, PAID)).toBe('applied');
    const late = await show(made.id);
    expect([late.status, findingOf(late)]).toEqual(['AUTHORIZATION_FAILED', 'late_authorization']);
    expect((await since.eventNames()).at(-1)).toBe('transaction.late-authorization');
    expect(harness.server.logs()).toContain('A webhook does not fit what is recorded.');
  });

  it('does not reject money that arrives before the expiry is recorded', async () => {
    const made = await waiting({ approvalExpiresAt: soon() });
    await harness.pass(HOUR_MS);
    await tell(made, PAID);
    await expire();
    expect((await show(made.id)).status).toBe('CAPTURE_SUCCEEDED');
  });

  it('is recorded in time, even during a look-up of the payment', async () => {
    const made = await waiting({ approvalExpiresAt: soon() });
    await harness.pass(HOUR_MS - 5_000);
    harness.provider.failNext('hang');
    const asking = harness.sync(made.id);
    await until(async () => (harness.provider.calls.at(-1)?.operation === 'status' ? true : null));
    await harness.pass(5_000);
    await expireApprovals(harness.server.app.db, harness.clock.now());
    harness.provider.release();
    await asking;
    await reconcileDue(harness.server.app);
    expect((await show(made.id)).status).toBe('AUTHORIZATION_FAILED');
  });

  it('never follows a cancel, and a later approval is too late', async () => {
    const made = await waiting();
    expect((await harness.cancel(made.id)).userErrors).toEqual([]);
    expect(await show(made.id)).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
    await tell(made, PAID);
    expect(findingOf(await show(made.id))).toBe('contradicts');
  });

  it('is refused beyond the maximum of the connector, and in the past', async () => {
    const calls = harness.provider.calls.length;
    const [beyond, past] = [
      await push({ approvalExpiresAt: soon(30 * DAY_MS + 60_000) }),
      await push({ approvalExpiresAt: soon(-1000) }),
    ];
    expect([beyond.userErrors, past.userErrors]).toMatchObject([
      [
        {
          path: ['input', 'approvalExpiresAt'],
          message: 'The chosen payment service allows at most 720 hours from now.',
        },
      ],
      [{ path: ['input', 'approvalExpiresAt'], message: 'Must be in the future.' }],
    ]);
    expect(harness.provider.calls.length).toBe(calls);
    expect((await waiting({ approvalExpiresAt: soon(30 * DAY_MS) })).status).toBe('PROCESSING');
  });

  it('follows the connection option of the service before the given time', async () => {
    const seconds = Math.floor(soon(40 * DAY_MS).getTime() / 1000);
    const made = await waiting({
      approvalExpiresAt: soon(),
      connectionOptions: { 'mock-push': { payment_method_expires_at: seconds } },
    });
    expect(made.approvalExpiresAt).toBe(new Date(seconds * 1000).toISOString());
    const refused = await push({ connectionOptions: { 'mock-push': { payment_method_expires_at: 1 } } });
    expect(refused.userErrors[0]?.path.at(-1)).toBe('payment_method_expires_at');
  });
});

describe('the intent', () => {
  it('must be to capture, because a push payment leaves nothing to capture later', async () => {
    const calls = harness.provider.calls.length;
    const { transaction, userErrors } = await push({ intent: 'AUTHORIZE' });
    expect([transaction, userErrors.map(({ code, path }) => [code, path])]).toEqual([
      null,
      [['INVALID_INPUT', ['input', 'intent']]],
    ]);
    expect(harness.provider.calls.length).toBe(calls);
  });

  it.each([
    ['CAPTURE', true],
    ['AUTHORIZE', false],
  ])('of a payment link decides if a push payment is possible (%s)', async (intent, can) => {
    const { payload } = await harness.ask<{ payload: { paymentLink: { url: string } } }>(
      `mutation ($input: CreatePaymentLinkInput!) { payload: createPaymentLink(input: $input) { paymentLink { url } } }`,
      { input: { amount: 1299, currency: 'USD', country: 'US', intent } },
    );
    const page = await fetch(payload.paymentLink.url);
    expect([page.status, (await page.text()).includes('OXXO')]).toEqual([200, can]);
  });
});

describe('a process that dies', () => {
  it.each(['authorize.claimed', 'authorize.called', 'authorize.accepting', 'authorize.accepted'])(
    'while creating a push payment (%s) leaves one reference',
    async (point) => {
      const key = `push ${point}`;
      const remove = setFailpoint(point, () => {
        remove();
        throw new Error('The process died.');
      });
      await expect(push({}, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      await harness.pass(60_000);
      await reconcileDue(harness.server.app);
      const { transaction } = await push({}, key);
      const made = await show(transaction?.id ?? '');
      expect(made).toMatchObject({
        status: 'PROCESSING',
        paymentReference: expect.stringMatching(/^\d{14}$/),
      });
      await tell(made, PAID);
      expect((await show(made.id)).status).toBe('CAPTURE_SUCCEEDED');
    },
  );

  it.each(['inbound.matched', 'authorize.settling', 'authorize.settled', 'inbound.settled'])(
    'while recording the payment (%s) leaves it paid once',
    async (point) => {
      const made = await waiting();
      const remove = setFailpoint(point, () => {
        remove();
        throw new Error('The process died.');
      });
      const reported = { ...PAID, payment_service_transaction_id: made.paymentServiceTransactionId };
      const before = failures();
      await inbox.tell(reported, SECRET);
      await until(async () => (failures() > before ? true : null));
      await applyAfter(harness, 11_000);
      await ended(harness, (notified += 1));
      expect((await show(made.id)).status).toBe('CAPTURE_SUCCEEDED');
      expect((await ledgerOf(made.id)).length).toBe(2);
    },
  );
});

const failures = (): number => harness.server.logs().split('A webhook could not be applied').length;
