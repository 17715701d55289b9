import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keepRefundApprovals } from '../../src/modules/transactions/index.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';
import { someone, type Someone } from './refund-people.ts';

const HOUR = 3_600_000;

let harness: Harness;
let kim: Someone;
let robin: Someone;
let sam: Someone;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-card', {
    settings: { PAYGRAPH_REFUND_APPROVAL: 'USD:500,EUR:520002' },
  });
  await createService(harness.server, harness.provider.url, { currencies: ['EUR'] });
  await signIn();
});
afterAll(() => harness.stop());

/** Signs the three people in. Their sessions end with the time that a test lets pass. */
async function signIn(): Promise<void> {
  kim = await someone(harness.server, 'kim@shop.example');
  robin = await someone(harness.server, 'robin@shop.example');
  sam = await someone(harness.server, 'sam@shop.example');
}

/** Makes a captured payment of 2000. */
async function captured(): Promise<string> {
  const id = await harness.captured(2000);
  since = await harness.since();
  return id;
}

/** Makes a request for a refund by Kim. */
async function requested(amount = 600): Promise<{ readonly id: string; readonly payment: string }> {
  const payment = await captured();
  const { approval } = await kim.refund(payment, { amount });
  if (!approval) throw new Error('No request was stored');
  return { id: approval.id, payment };
}

const refundedOf = async (payment: string) => (await harness.transaction(payment))?.refundedAmount;

describe('a refund above the limit of a person', () => {
  it('is stored as a request, which no client can take for a refund', async () => {
    const payment = await captured();

    const asked = await kim.refund(payment, { amount: 501, reason: 'order cancelled' });

    expect(asked).toMatchObject({
      refund: null,
      approval: { status: 'PENDING', amount: 501, currency: 'USD', requestedBy: 'kim@shop.example' },
      userErrors: [
        {
          ...{ code: 'REFUND_APPROVAL_REQUIRED', path: ['input', 'amount'], status: 'PENDING' },
          ...{ approvalId: asked.approval?.id, requested: { amount: 501, currency: 'USD' } },
        },
      ],
      replayed: false,
    });
    expect(asked.approval).toMatchObject({ requestedByViewer: true, reason: 'order cancelled' });
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual(['refund-approval.requested']);
    expect(await harness.transaction(payment)).toMatchObject({ refundedAmount: 0, refunds: [] });
  });

  it('keeps the request for the whole amount as the amount of that moment', async () => {
    const asked = await kim.refund(await captured(), {});

    expect(asked.approval).toMatchObject({ amount: 2000, target: 'PAYMENT_METHOD' });
  });

  it('is stored once for a repeated key, and refused for other input', async () => {
    const payment = await captured();

    const first = await kim.refund(payment, { amount: 600 }, 'asked once');
    const second = await kim.refund(payment, { amount: 600 }, 'asked once');
    const other = await kim.refund(payment, { amount: 700 }, 'asked once');
    await robin.approve(first.approval?.id ?? '');
    const last = await kim.refund(payment, { amount: 600 }, 'asked once');

    expect(second).toMatchObject({ approval: { id: first.approval?.id }, replayed: true });
    expect(second.userErrors).toMatchObject([{ code: 'REFUND_APPROVAL_REQUIRED' }]);
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(last).toMatchObject({ refund: { amount: 600, status: 'SUCCEEDED' }, userErrors: [] });
    expect(since.calls()).toEqual(['refund']);
  });

  it('is not stored when the payment does not allow the refund', async () => {
    const payment = await captured();

    const asked = await kim.refund(payment, { amount: 2001 });

    expect(asked).toMatchObject({ approval: null, userErrors: [{ code: 'REFUND_TOO_LARGE' }] });
    expect(await since.eventNames()).toEqual([]);
  });

  it('is made at once for a token', async () => {
    const payment = await captured();

    const made = await harness.refund(payment, { amount: 1500 });

    expect(made).toMatchObject({ operation: { amount: 1500, status: 'SUCCEEDED' }, userErrors: [] });
  });
});

describe('the limit', () => {
  it('counts the refunds of one payment by all people together, and no refund of a token', async () => {
    const payment = await captured();
    await harness.refund(payment, { amount: 1000 });

    const alone = async () => {
      const document = 'query ($id: ID!) { transaction(id: $id) { refundableAlone { amount } } }';
      const data = await robin.ask<{ transaction: { refundableAlone: { amount: number } } }>(document, {
        id: payment,
      });
      return data.transaction.refundableAlone.amount;
    };
    expect(await alone()).toBe(500);
    expect(await kim.refund(payment, { amount: 300 })).toMatchObject({ refund: { status: 'SUCCEEDED' } });
    expect(await alone()).toBe(200);
    expect(await robin.refund(payment, { amount: 201 })).toMatchObject({ refund: null });
    expect(await robin.refund(payment, { amount: 200 })).toMatchObject({ refund: { amount: 200 } });
    expect(await kim.refund(payment, { amount: 1 })).toMatchObject({ refund: null });
  });

  it('does not count a refund that the provider declined', async () => {
    const euros = { amount: 600_000, currency: 'EUR', intent: 'CAPTURE' };
    const payment = (await harness.create(euros)).transaction?.id ?? '';

    const declined = await kim.refund(payment, { amount: 520_002 });
    const second = await robin.refund(payment, { amount: 519_000 });
    const third = await robin.refund(payment, { amount: 1003 });

    expect([declined.refund?.status, second.refund?.status]).toEqual(['DECLINED', 'SUCCEEDED']);
    expect(third).toMatchObject({ refund: null, approval: { currency: 'EUR' } });
  });

  it('is not passed by several people at once', async () => {
    const payment = await captured();

    const answers = await Promise.all(
      [kim, robin, sam, kim, robin].map((person) => person.refund(payment, { amount: 300 })),
    );

    expect(answers.filter(({ refund }) => refund !== null)).toHaveLength(1);
    expect(await refundedOf(payment)).toBe(300);
    expect(since.calls()).toEqual(['refund']);
  });

  it('is absent for a token', async () => {
    const payment = await captured();
    const document = 'query ($id: ID!) { transaction(id: $id) { refundableAlone { amount } } }';

    expect(await harness.ask(document, { id: payment })).toEqual({ transaction: { refundableAlone: null } });
  });
});

describe('approveRefund', () => {
  it('makes the refund once, and names both people', async () => {
    const { id, payment } = await requested();

    const approved = await robin.approve(id);
    const again = await robin.approve(id);

    const refund = { amount: 600, status: 'SUCCEEDED' };
    expect(approved).toMatchObject({ refund, refundId: approved.refund?.id, userErrors: [] });
    expect(approved.approval).toMatchObject({
      ...{ status: 'APPROVED', requestedBy: 'kim@shop.example', decidedBy: 'robin@shop.example', refund },
    });
    expect(again).toMatchObject({ refund: { id: approved.refund?.id }, userErrors: [] });
    expect(since.calls()).toEqual(['refund']);
    expect(await since.eventNames()).toEqual([
      ...['refund-approval.requested', 'refund-approval.approved', 'refund.succeeded'],
    ]);
    expect(await refundedOf(payment)).toBe(600);
    const entries = await harness.server.app.db.prisma.auditEntry.findMany({
      where: { targetId: { in: [id, payment] }, action: { startsWith: 'refund' } },
      orderBy: { id: 'asc' },
    });
    // Entries of one statement have no order.
    expect(
      entries
        .map(({ action, actor }) => `${action} ${(JSON.parse(actor) as { subject: string }).subject}`)
        .toSorted(),
    ).toEqual([
      'refund-approval.created kim@shop.example',
      'refund-approval.updated robin@shop.example',
      'refund-approval.updated robin@shop.example',
      'refund.requested robin@shop.example',
      'refund.succeeded robin@shop.example',
    ]);
  });

  it('leaves the limit of later refunds as it was', async () => {
    const { id, payment } = await requested(1000);
    await robin.approve(id);

    expect(await kim.refund(payment, { amount: 500 })).toMatchObject({ refund: { amount: 500 } });
  });

  it('refuses the person who asked, also under a second account with the same address', async () => {
    const { id } = await requested();
    const twin = await someone(harness.server, 'Kim@shop.example', 'owner');

    for (const person of [kim, twin])
      expect(await person.approve(id)).toMatchObject({
        approval: null,
        refund: null,
        userErrors: [{ code: 'SECOND_PERSON_REQUIRED', path: ['id'] }],
      });
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual(['refund-approval.requested']);
  });

  it('refuses a token, and a role without the scope', async () => {
    const { id } = await requested();
    const developer = await someone(harness.server, 'dev@shop.example', 'developer');

    const byToken = await harness.ask<{ approveRefund: { userErrors: unknown } }>(
      'mutation ($id: ID!) { approveRefund(id: $id) { userErrors { code } } }',
      { id },
    );

    expect(byToken.approveRefund.userErrors).toEqual([{ code: 'SECOND_PERSON_REQUIRED' }]);
    await expect(developer.approve(id)).rejects.toThrow('FORBIDDEN');
    expect(since.calls()).toEqual([]);
  });

  it('lets one of two people win, and tells the other', async () => {
    const { id, payment } = await requested();

    const answers = await Promise.all([robin.approve(id), sam.approve(id)]);

    const [lost, ...others] = answers.filter(({ userErrors }) => userErrors.length > 0);
    expect(others).toEqual([]);
    expect(lost?.userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED', status: 'APPROVED' }]);
    expect(since.calls()).toEqual(['refund']);
    expect(await refundedOf(payment)).toBe(600);
  });

  it('ends the request when the payment does not allow the refund any more', async () => {
    const { id, payment } = await requested(1500);
    await harness.refund(payment, { amount: 1000 });

    const approved = await robin.approve(id);

    expect(approved).toMatchObject({
      approval: { status: 'FAILED', errorCode: 'REFUND_TOO_LARGE', decidedBy: 'robin@shop.example' },
      refund: null,
      userErrors: [{ code: 'REFUND_TOO_LARGE' }],
    });
    expect(since.calls()).toEqual(['refund']);
    expect((await since.eventNames()).slice(-2)).toEqual([
      ...['refund-approval.approved', 'refund-approval.failed'],
    ]);
    expect(await refundedOf(payment)).toBe(1000);
  });

  it('finds no request of another merchant account', async () => {
    const { id } = await requested();
    const { id: elsewhere } = await harness.server.createMerchantAccount();
    const stranger = await someone(harness.server, 'robin@other.example', 'owner', elsewhere);

    for (const decide of [stranger.approve(id), stranger.reject(id, 'no'), stranger.withdraw(id)])
      expect(await decide).toMatchObject({ approval: null, userErrors: [{ code: 'NOT_FOUND' }] });
    expect(
      await stranger.ask(
        'query ($id: ID!) { refundApproval(id: $id) { id } refundApprovals { nodes { id } } }',
        {
          id,
        },
      ),
    ).toEqual({ refundApproval: null, refundApprovals: { nodes: [] } });
    expect(since.calls()).toEqual([]);
  });
});

describe('a request without approval', () => {
  it('is rejected by somebody else with a reason, and stays so', async () => {
    const { id, payment } = await requested();

    expect(await kim.reject(id, 'mine')).toMatchObject({ userErrors: [{ code: 'INVALID_INPUT' }] });
    expect((await robin.reject(id, 'the goods are missing')).approval).toMatchObject({
      ...{ status: 'REJECTED', decidedBy: 'robin@shop.example', decisionReason: 'the goods are missing' },
    });
    expect((await sam.approve(id)).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'REJECTED' },
    ]);
    expect(await since.eventNames()).toEqual(['refund-approval.requested', 'refund-approval.rejected']);
    expect(await refundedOf(payment)).toBe(0);
  });

  it('is withdrawn by the person who asked alone', async () => {
    const { id } = await requested();

    expect(await robin.withdraw(id)).toMatchObject({ userErrors: [{ code: 'INVALID_INPUT' }] });
    expect((await kim.withdraw(id)).approval?.status).toBe('WITHDRAWN');
    expect((await robin.approve(id)).userErrors).toMatchObject([{ status: 'WITHDRAWN' }]);
    expect(since.calls()).toEqual([]);
  });

  it('expires after 72 hours', async () => {
    const { id, payment } = await requested();
    const expiring = await someone(harness.server, 'robin@shop.example');
    await harness.pass(72 * HOUR);
    const later = await someone(harness.server, 'robin@shop.example');

    await expect(expiring.approve(id)).rejects.toThrow('UNAUTHENTICATED');
    expect((await later.approve(id)).userErrors).toMatchObject([{ status: 'EXPIRED' }]);
    while (await keepRefundApprovals(harness.server.app));

    expect((await later.approve(id)).userErrors).toMatchObject([{ status: 'EXPIRED' }]);
    expect((await since.eventNames()).filter((name) => name === 'refund-approval.expired')).not.toEqual([]);
    expect(await refundedOf(payment)).toBe(0);
    await signIn();
  });
});

describe('refundApprovals', () => {
  it('lists the requests by state, newest first, with those of a payment', async () => {
    const first = await requested();
    const second = await requested();
    await kim.withdraw(first.id);

    const { refundApprovals, transaction } = await robin.ask<{
      refundApprovals: { nodes: { id: string }[] };
      transaction: { refundApprovals: { id: string; requestedByViewer: boolean }[] };
    }>(
      `query ($id: ID!) {
         refundApprovals(status: [PENDING], first: 1) { nodes { id status } }
         transaction(id: $id) { refundApprovals { id requestedByViewer } } }`,
      { id: first.payment },
    );

    expect(refundApprovals.nodes).toEqual([{ id: second.id, status: 'PENDING' }]);
    expect(transaction.refundApprovals).toEqual([{ id: first.id, requestedByViewer: false }]);
  });
});
