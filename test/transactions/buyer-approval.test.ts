import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { startHarness, type CreateInput, type Harness, type Payload } from './harness.ts';

const HOUR_MS = 3_600_000;
const RETURN = 'https://shop.example/back?cart=7';
const BY_PAYPAL = { paymentMethod: { redirect: { method: 'paypal' } }, redirectUrl: RETURN };

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-paypal');
});
afterAll(() => harness.stop());

type Waiting = NonNullable<Payload['transaction']> & { readonly approvalUrl: string };

async function show(id: string): Promise<Waiting> {
  const { transaction } = await harness.ask<{ transaction: Waiting }>(
    `query ($id: ID!) { transaction(id: $id) { id status approvalUrl approvalExpiresAt errorCode authorizedAmount
       capturedAmount intentOutcome events { edges { node { name } } } } }`,
    { id },
  );
  return transaction;
}

/** Creates a payment that waits for its buyer. */
async function waiting(input: Partial<CreateInput> = {}): Promise<Waiting> {
  const { transaction, userErrors } = await harness.create({ ...BY_PAYPAL, ...input });
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return show(transaction.id);
}

const decide = (url: string, decision: string): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });

describe('a payment that the buyer approves', () => {
  it('waits with an address, and continues when the buyer approves there', async () => {
    const since = await harness.since();
    const made = await waiting();
    expect(made).toMatchObject({ status: 'BUYER_APPROVAL_PENDING', authorizedAmount: 0 });

    const page = await fetch(made.approvalUrl);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await page.text()).toContain('$12.99');

    const answer = await decide(made.approvalUrl, 'approved');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `${RETURN}&transaction_id=${made.id}&transaction_status=authorization_succeeded`,
    );
    expect(await show(made.id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      authorizedAmount: 1299,
      approvalUrl: null,
    });
    expect(await since.eventNames()).toEqual([
      'transaction.authentication-pending',
      'transaction.authorized',
    ]);
    expect(since.calls()).toEqual(['authorize', 'status']);
  });

  it('captures at once when that is the intent, and can be refunded', async () => {
    const made = await waiting({ intent: 'CAPTURE' });
    expect(made.status).toBe('BUYER_APPROVAL_PENDING');
    await decide(made.approvalUrl, 'approved');
    expect(await show(made.id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect((await harness.refund(made.id)).userErrors).toEqual([]);
  });

  it('fails when the buyer refuses', async () => {
    const made = await waiting();
    const answer = await decide(made.approvalUrl, 'refused');
    expect(answer.headers.get('location')).toContain('transaction_status=authorization_failed');
    expect(await show(made.id)).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
      errorCode: 'cancelled_buyer_approval',
      intentOutcome: 'FAILED',
    });
  });

  it('is still declined by the provider after an approval', async () => {
    const made = await waiting({ amount: 200_011 });
    await decide(made.approvalUrl, 'approved');
    expect((await show(made.id)).status).toBe('AUTHORIZATION_DECLINED');
  });

  it('settles once when it is approved 20 times and refused 20 times at once', async () => {
    const since = await harness.since();
    const made = await waiting();
    const words = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'approved' : 'refused'));
    const answers = await Promise.all(words.map((decision) => decide(made.approvalUrl, decision)));
    expect(answers.every(({ status }) => status === 303)).toBe(true);
    const { status, errorCode } = await show(made.id);
    expect(['AUTHORIZATION_SUCCEEDED', 'AUTHORIZATION_FAILED']).toContain(status);
    await decide(made.approvalUrl, status === 'AUTHORIZATION_FAILED' ? 'approved' : 'refused');
    expect(await show(made.id)).toMatchObject({ status, errorCode });
    expect((await since.eventNames()).length).toBe(2);
  });

  it('fails as not approved at the deadline, to the millisecond', async () => {
    const made = await waiting({ approvalExpiresAt: new Date(harness.clock.now().getTime() + HOUR_MS) });
    await harness.pass(HOUR_MS);
    const late = await decide(made.approvalUrl, 'approved');
    expect(late.headers.get('location')).toContain('transaction_status=buyer_approval_pending');
    await expireApprovals(harness.server.app.db, harness.clock.now());
    await reconcileDue(harness.server.app);
    expect(await show(made.id)).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
      errorCode: 'incomplete_buyer_approval',
    });
    expect(await (await fetch(made.approvalUrl)).text()).toContain('The time to approve has passed');
  });

  it('continues by itself when the process died after storing the decision', async () => {
    const made = await waiting();
    await harness.server.app.db.query({
      name: null,
      text: `UPDATE approval SET state = 'approved', decided_at = now() WHERE token = $1`,
      values: [new URL(made.approvalUrl).pathname.split('/').at(-1)],
    });
    await harness.pass(61_000);
    await reconcileDue(harness.server.app);
    expect((await show(made.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('can be cancelled while waiting, and cannot be approved afterwards', async () => {
    const made = await waiting();
    expect((await harness.cancel(made.id)).userErrors).toEqual([]);
    const { status } = await show(made.id);
    expect(status).toBe('AUTHORIZATION_FAILED');
    await decide(made.approvalUrl, 'approved');
    expect(await show(made.id)).toMatchObject({ status, errorCode: 'canceled' });
  });

  it('is created once for one idempotency key, and a repeat returns the same address', async () => {
    const first = await harness.create(BY_PAYPAL, 'approve-once');
    const again = await harness.create(BY_PAYPAL, 'approve-once');
    expect([again.replayed, again.transaction?.id]).toEqual([true, first.transaction?.id]);
    const other = await harness.create({ paymentMethod: { card: CARD } }, 'approve-once');
    expect(other.userErrors[0]?.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it.each([
    ['an unknown method', { paymentMethod: { redirect: { method: 'card' } }, redirectUrl: RETURN }, 'method'],
    ['no place to return to', { paymentMethod: { redirect: { method: 'paypal' } } }, 'redirectUrl'],
  ])('is refused with %s', async (_, input, field) => {
    const { transaction, userErrors } = await harness.create(input);
    expect(transaction).toBeNull();
    expect(userErrors.map(({ path }) => path.at(-1))).toEqual([field]);
  });
});

describe('the approval page', () => {
  it('rejects an unknown token and an unknown decision', async () => {
    const made = await waiting();
    const other = made.approvalUrl.replace(/[0-9a-f]{4}$/, 'zzzz');
    expect([(await fetch(other)).status, (await decide(other, 'approved')).status]).toEqual([404, 404]);
    expect((await decide(made.approvalUrl, 'perhaps')).status).toBe(400);
    expect((await show(made.id)).status).toBe('BUYER_APPROVAL_PENDING');
  });

  it('escapes the merchant texts, and allows its own script alone', async () => {
    const made = await waiting({ externalIdentifier: '"><script>alert(1)</script>' });
    const page = await fetch(made.approvalUrl);
    expect(await page.text()).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; require-trusted-types-for 'script'; form-action 'self' https:\/\/shop\.example;/,
    );
  });
});

const CARD = { number: '4111 1111 1111 1111', expirationDate: '03/30', securityCode: '100' };
