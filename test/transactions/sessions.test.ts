import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPEN, RETURN, startSessionHarness, type Opened, type SessionHarness } from './session-harness.ts';

const HOUR_MS = 3_600_000;

let harness: SessionHarness;
beforeAll(async () => {
  harness = await startSessionHarness();
});
afterAll(() => harness.stop());

const approvals = () => harness.server.app.db.prisma.approval.findMany({ orderBy: { createdAt: 'asc' } });

describe('a payment that a client completes', () => {
  it('waits without an address, is given a session, and is authorised once the client has completed it', async () => {
    const since = await harness.since();
    const waiting = await harness.wait();
    expect(await harness.show(waiting.id)).toMatchObject({
      status: 'BUYER_APPROVAL_PENDING',
      approvalUrl: null,
      integrationClient: 'WEB',
      authorizedAmount: 0,
    });

    const session = await harness.opened(waiting);
    const { paymentServiceTransactionId: orderId, approvalExpiresAt } = await harness.show(waiting.id);
    expect(session).toEqual({
      sessionData: {
        orderId,
        clientId: expect.stringMatching(/^client_[0-9a-f]{24}$/),
        merchantId: 'test',
        currency: 'USD',
        intent: 'AUTHORIZE',
        fundingSource: 'venmo',
        approvalUrl: expect.stringMatching(new RegExp(`^${harness.server.url}/approve/[0-9a-f]{32}$`)),
      },
      defaultCompletionUrl: expect.stringMatching(
        new RegExp(`^${harness.server.url}/complete/[0-9a-f]{32}$`),
      ),
      integrationClient: 'WEB',
      expiresAt: approvalExpiresAt,
    });

    const approved = await harness.say(session);
    expect([approved.status, await approved.text()]).toEqual([
      200,
      expect.stringContaining('Go back to the shop'),
    ]);
    expect((await harness.show(waiting.id)).status).toBe('BUYER_APPROVAL_PENDING');

    const completed = await harness.complete(session.defaultCompletionUrl);
    expect([completed.status, completed.headers.get('location')]).toEqual([
      303,
      `${RETURN}?transaction_id=${waiting.id}&transaction_status=authorization_succeeded`,
    ]);
    expect(await harness.show(waiting.id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      authorizedAmount: 1299,
    });
    expect(await since.eventNames()).toEqual([
      'transaction.authentication-pending',
      'transaction.authorized',
    ]);
    expect((await harness.capture(waiting.id)).userErrors).toEqual([]);
  });

  it('captures at once when that is the intent', async () => {
    const { id, url } = await harness.approved({ intent: 'CAPTURE' });
    await harness.complete(url);
    expect(await harness.show(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect((await harness.refund(id)).userErrors).toEqual([]);
  });

  it('is approved at a page like any redirect when no client is named', async () => {
    const { transaction } = await harness.create({
      paymentMethod: { redirect: { method: 'venmo' } },
      redirectUrl: RETURN,
    });
    const { status, approvalUrl } = await harness.show(transaction?.id ?? '');
    expect([status, approvalUrl]).toEqual(['BUYER_APPROVAL_PENDING', expect.stringContaining('/approve/')]);
  });

  it('is still declined by the provider after the approval', async () => {
    const { id, url } = await harness.approved({ amount: 200_011 });
    const { headers } = await harness.complete(url);
    expect(headers.get('location')).toContain('transaction_status=authorization_declined');
    expect((await harness.show(id)).errorCode).toBe('insufficient_funds');
  });

  it('fails when the buyer refuses in the wallet, and then redirects', async () => {
    const waiting = await harness.wait();
    const session = await harness.opened(waiting);
    const refused = await harness.say(session, 'refused');
    expect(refused.headers.get('location')).toContain('transaction_status=authorization_failed');
    const completed = await harness.complete(session.defaultCompletionUrl);
    expect(completed.headers.get('location')).toContain('transaction_status=authorization_failed');
    expect(await harness.show(waiting.id)).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
      errorCode: 'cancelled_buyer_approval',
    });
  });

  it('keeps the first decision of the buyer', async () => {
    const waiting = await harness.wait();
    const session = await harness.opened(waiting);
    await harness.say(session, 'approved');
    await harness.say(session, 'refused');
    await harness.complete(session.defaultCompletionUrl);
    expect((await harness.show(waiting.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });
});

describe('the session token', () => {
  it('is returned again for the same key while the payment waits, and in no other answer', async () => {
    const first = await harness.wait({}, 'session-once');
    const again = await harness.wait({}, 'session-once');
    expect(again).toEqual(first);
    const { body } = await harness.server.graphql(
      '{ __type(name: "Transaction") { fields { name } } }',
      {},
      { token: harness.server.token },
    );
    expect(JSON.stringify(body)).not.toContain('"sessionToken"');
    expect(JSON.stringify(body)).toContain('"approvalUrl"');
  });

  it('is not returned after the end of the payment', async () => {
    const key = 'session-over';
    const waiting = await harness.wait({}, key);
    await harness.cancel(waiting.id);
    await expect(harness.wait({}, key)).rejects.toThrow('"sessionToken":null');
  });

  it('is in the database as a digest only, like the completion token', async () => {
    const waiting = await harness.wait();
    const { defaultCompletionUrl } = await harness.opened(waiting);
    const stored = JSON.stringify(await approvals());
    expect(stored).toContain('"kind":"session"');
    expect(stored).not.toContain(waiting.token);
    expect(stored).not.toContain(defaultCompletionUrl.split('/').at(-1));
  });

  it('returns the same session each time, and calls the provider once', async () => {
    const waiting = await harness.wait();
    const before = harness.provider.sessionCalls.length;
    const first = await harness.opened(waiting);
    expect(await harness.opened(waiting)).toEqual(first);
    expect(harness.provider.sessionCalls.slice(before).map(({ operation }) => operation)).toEqual([
      'session',
    ]);
  });

  it('returns the same session to many at once', async () => {
    const waiting = await harness.wait();
    const all = await Promise.all(Array.from({ length: 10 }, () => harness.opened(waiting)));
    expect(new Set(all.map((session) => JSON.stringify(session))).size).toBe(1);
  });

  it('opens nothing for another payment, another merchant account or another token', async () => {
    const [mine, other] = [await harness.wait(), await harness.wait()];
    const session = await harness.opened(other);
    const approval = session.sessionData.approvalUrl.split('/').at(-1) ?? '';
    const completion = session.defaultCompletionUrl.split('/').at(-1) ?? '';
    const before = harness.provider.sessionCalls.length;
    const refused = [
      { id: mine.id, token: other.token },
      { id: mine.id, token: '0'.repeat(32) },
      { id: mine.id, token: '' },
      { id: other.id, token: completion },
      { id: other.id, token: approval },
      { id: other.id, token: `${other.token}0` },
      { id: 'nothing', token: other.token },
    ];
    for (const given of refused) {
      const { session: none, userErrors } = await harness.open(given);
      expect([none, userErrors.map(({ code, path }) => [code, path])]).toEqual([
        null,
        [['NOT_FOUND', ['id']]],
      ]);
    }
    const stranger = await harness.server.createMerchantAccount();
    const { body } = await harness.server.graphql<{ payload: Opened }>(OPEN, mine, { token: stranger.token });
    expect(body.data?.payload.userErrors[0]?.code).toBe('NOT_FOUND');
    expect(harness.provider.sessionCalls.length).toBe(before);
    expect((await harness.open(mine)).userErrors).toEqual([]);
  });

  it('needs transactions.write in the API', async () => {
    const waiting = await harness.wait();
    const token = await harness.server.mint({ scopes: ['transactions.read'] });
    const { body } = await harness.server.graphql(OPEN, waiting, { token });
    expect(body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('opens nothing at the deadline, to the millisecond, or after the payment has continued', async () => {
    const completed = await harness.approved();
    const done = await harness.wait();
    await harness.cancel(done.id);
    const late = await harness.wait({
      approvalExpiresAt: new Date(harness.clock.now().getTime() + HOUR_MS),
    });
    await harness.complete(completed.url);
    await harness.pass(HOUR_MS);
    const [ended, over] = [await harness.open(done), await harness.open(late)];
    expect([ended.userErrors, over.userErrors]).toMatchObject([
      [
        {
          __typename: 'TransactionSessionEnded',
          code: 'OPERATION_NOT_ALLOWED',
          status: 'AUTHORIZATION_FAILED',
        },
      ],
      [{ __typename: 'TransactionSessionEnded', status: 'BUYER_APPROVAL_PENDING' }],
    ]);
  });

  it.each(['lose_answer', 'nonsense', 'error_after_work'] as const)(
    'reports that the provider gave no answer (%s), and may be exchanged again',
    async (fault) => {
      const waiting = await harness.wait();
      harness.provider.failNext(fault);
      const { session, userErrors } = await harness.open(waiting);
      expect([session, userErrors[0]?.code]).toEqual([null, 'PROVIDER_UNAVAILABLE']);
      expect((await harness.open(waiting)).userErrors).toEqual([]);
      expect((await harness.show(waiting.id)).status).toBe('BUYER_APPROVAL_PENDING');
    },
  );
});
