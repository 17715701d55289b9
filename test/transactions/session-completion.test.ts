import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { until } from './inbox.ts';
import { startSessionHarness, type SessionHarness } from './session-harness.ts';

const SECOND = 1_000;
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;

let harness: SessionHarness;
let removeFailpoint = (): void => undefined;
beforeAll(async () => {
  harness = await startSessionHarness({ settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) } });
});
afterAll(() => harness.stop());
afterEach(() => removeFailpoint());

async function reconcileAfter(ms: number): Promise<void> {
  await harness.pass(ms);
  await expireApprovals(harness.server.app.db, harness.clock.now());
  await reconcileDue(harness.server.app);
}

const completions = (): number =>
  harness.provider.calls.filter(({ operation }) => operation === 'resume').length;

const ledgerOf = (transactionId: string) =>
  harness.server.app.db.prisma.ledgerEntry.findMany({
    where: { transactionId },
    select: { kind: true, amount: true },
  });

async function eventsOf(targetId: string): Promise<readonly string[]> {
  const { prisma } = harness.server.app.db;
  const events = await prisma.event.findMany({ where: { targetId }, orderBy: { position: 'asc' } });
  return events.map(({ name }) => name);
}

const AUTHORIZED_ALONE = ['AUTHORIZATION_SUCCEEDED', ['authorize']];
const ENDS_OF_A_CANCEL = [
  ['AUTHORIZATION_FAILED', []],
  ['AUTHORIZATION_VOIDED', ['authorize', 'void']],
];
const AUTHORIZED = [{ kind: 'authorize', amount: 1299 }];

describe('the address that completes a payment', () => {
  it('does nothing before the approval of the buyer, and says so', async () => {
    const waiting = await harness.wait();
    const session = await harness.opened(waiting);
    const before = completions();
    const early = await harness.complete(session.defaultCompletionUrl);
    expect([early.status, early.headers.get('location')]).toEqual([409, null]);
    expect(await early.text()).toContain('The payment is not approved yet');
    await reconcileAfter(61 * SECOND);
    expect([(await harness.show(waiting.id)).status, completions()]).toEqual([
      'BUYER_APPROVAL_PENDING',
      before,
    ]);
    await harness.say(session);
    expect((await harness.complete(session.defaultCompletionUrl)).status).toBe(303);
    expect((await harness.show(waiting.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('does not complete by an approval alone: neither a sync nor reconciliation completes the payment', async () => {
    const { id } = await harness.approved();
    const before = completions();
    await harness.sync(id);
    await reconcileAfter(61 * SECOND);
    expect([(await harness.show(id)).status, completions()]).toEqual(['BUYER_APPROVAL_PENDING', before]);
  });

  it('completes nothing on HEAD, prefetch or a POST without results', async () => {
    const { id, url } = await harness.approved();
    const head = await fetch(url, { method: 'HEAD', redirect: 'manual' });
    const post = await fetch(url, { method: 'POST', redirect: 'manual' });
    const ahead = await harness.complete(url, { 'sec-purpose': 'prefetch;prerender' });
    expect([head.status, post.status, ahead.status]).toEqual([404, 400, 403]);
    expect((await harness.show(id)).status).toBe('BUYER_APPROVAL_PENDING');
  });

  it('settles once when it is requested 20 times at once, and redirects each time', async () => {
    const since = await harness.since();
    const { id, url } = await harness.approved();
    const answers = await Promise.all(Array.from({ length: 20 }, () => harness.complete(url)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303));
    expect((await harness.show(id)).status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(await ledgerOf(id)).toEqual(AUTHORIZED);
    expect(await since.eventNames()).toEqual([
      'transaction.authentication-pending',
      'transaction.authorized',
    ]);
    const before = completions();
    const again = await harness.complete(url);
    expect(again.headers.get('location')).toContain('transaction_status=authorization_succeeded');
    expect(completions()).toBe(before);
  });

  it('rejects a session token, the token of a page, and any other', async () => {
    const waiting = await harness.wait();
    const session = await harness.opened(waiting);
    await harness.say(session);
    const page = session.sessionData.approvalUrl.split('/').at(-1) ?? '';
    const addresses = [waiting.token, page, '0'.repeat(32), 'x'].map((token) =>
      session.defaultCompletionUrl.replace(/[^/]+$/, token),
    );
    for (const address of addresses) expect((await harness.complete(address)).status).toBe(404);
    const opening = session.sessionData.approvalUrl.replace(/[^/]+$/, waiting.token);
    expect((await fetch(opening)).status).toBe(404);
    expect((await harness.show(waiting.id)).status).toBe('BUYER_APPROVAL_PENDING');
  });

  it('completes nothing at the deadline, to the millisecond, and the payment fails then', async () => {
    const { id, url } = await harness.approved({
      approvalExpiresAt: new Date(harness.clock.now().getTime() + HOUR_MS),
    });
    await harness.pass(HOUR_MS);
    const late = await harness.complete(url);
    expect(late.headers.get('location')).toContain('transaction_status=buyer_approval_pending');
    await reconcileAfter(0);
    expect(await harness.show(id)).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
      errorCode: 'incomplete_buyer_approval',
    });
    expect((await harness.complete(url)).headers.get('location')).toContain('authorization_failed');
    expect(await eventsOf(id)).toEqual(['transaction.authentication-pending', 'transaction.failed']);
  });

  it('completes nothing that is cancelled, or has a pending cancel', async () => {
    const [done, doing] = [await harness.approved(), await harness.approved()];
    await harness.cancel(done.id);
    harness.provider.failNext('lose_request');
    await harness.cancel(doing.id);
    const before = completions();
    const answers = [await harness.complete(done.url), await harness.complete(doing.url)];
    expect(answers.map(({ headers }) => headers.get('location')?.split('=').at(-1))).toEqual([
      'authorization_failed',
      'buyer_approval_pending',
    ]);
    expect(completions()).toBe(before);
  });

  it('repeats no operation of a payment with a pending cancel', async () => {
    const { id, url } = await harness.approved();
    harness.provider.failNext('lose_request');
    await harness.complete(url);
    harness.provider.failNext('lose_request', 'lose_request');
    await harness.cancel(id);
    const before = completions();
    await harness.complete(url);
    expect(completions()).toBe(before);
    await reconcileAfter(61 * SECOND);
    expect(await harness.show(id)).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
    expect([completions(), await ledgerOf(id)]).toEqual([before, []]);
  });

  it('and a cancel at once leave one end, and no authorisation on a cancelled payment', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id, url } = await harness.approved();
      const [canceled] = await Promise.all([
        harness.cancel(id),
        harness.complete(url),
        harness.complete(url),
        harness.complete(url),
      ]);
      await harness.complete(url);
      await reconcileAfter(61 * SECOND);
      const { status } = await harness.show(id);
      const moved = (await ledgerOf(id)).map(({ kind }) => kind).toSorted();
      // A cancel that comes after the authorisation is refused, and changes nothing.
      const ends = canceled.userErrors.length > 0 ? [AUTHORIZED_ALONE] : ENDS_OF_A_CANCEL;
      expect(ends).toContainEqual([status, moved]);
    }
  });

  it('is not lost during a look-up of the payment', async () => {
    const { id, url } = await harness.approved();
    harness.provider.failNext('hang');
    const asking = harness.sync(id);
    await until(async () => (harness.provider.calls.at(-1)?.operation === 'status' ? true : null));
    const early = await harness.complete(url);
    expect(early.headers.get('location')).toContain('transaction_status=buyer_approval_pending');
    harness.provider.release();
    await asking;
    await reconcileAfter(0);
    expect((await harness.show(id)).status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(await ledgerOf(id)).toEqual(AUTHORIZED);
  });
});

describe('a provider that gives no answer to the completion', () => {
  it.each(['lose_request', 'lose_answer', 'error_after_work', 'nonsense', 'other_money'] as const)(
    'leaves the payment waiting (%s), and is called again under the same key',
    async (fault) => {
      const { id, url } = await harness.approved();
      harness.provider.failNext(fault);
      const first = await harness.complete(url);
      expect(first.headers.get('location')).toContain('transaction_status=buyer_approval_pending');
      expect(await ledgerOf(id)).toEqual([]);
      const second = await harness.complete(url);
      expect(second.headers.get('location')).toContain('transaction_status=authorization_succeeded');
      const keys = harness.provider.calls.flatMap((call) =>
        call.operation === 'resume' ? [call.idempotency_key] : [],
      );
      expect(new Set(keys.slice(-2)).size).toBe(1);
      expect(await ledgerOf(id)).toEqual(AUTHORIZED);
    },
  );

  it('leaves it to reconciliation when the buyer does not return', async () => {
    const { id, url } = await harness.approved();
    harness.provider.failNext('lose_answer');
    await harness.complete(url);
    await reconcileAfter(61 * SECOND);
    expect((await harness.show(id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('is called again within half a minute, however old the payment is', async () => {
    const approvalExpiresAt = new Date(harness.clock.now().getTime() + 48 * HOUR_MS);
    const { id, url } = await harness.approved({ approvalExpiresAt });
    await harness.pass(25 * HOUR_MS);
    harness.provider.failNext('lose_answer');
    await harness.complete(url);
    await reconcileAfter(30 * SECOND);
    expect((await harness.show(id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('does not let the payment expire: it was completed in time', async () => {
    const { id, url } = await harness.approved();
    harness.provider.failNext('lose_answer');
    await harness.complete(url);
    await reconcileAfter(2 * HOUR_MS);
    expect((await harness.show(id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });
});

describe('a process that dies', () => {
  it.each([
    'approval.completing',
    'approval.carrying_out',
    'approval.carried_out',
    'authorize.settling',
    'authorize.settled',
  ])(
    'while it completes a payment (%s) leaves one effect, published once, to reconciliation',
    async (point) => {
      const since = await harness.since();
      const { id, url } = await harness.approved();
      removeFailpoint = setFailpoint(point, () => {
        removeFailpoint();
        throw new Error('The process died.');
      });
      await harness.complete(url);
      await reconcileAfter(LEASE_MS);
      expect((await harness.show(id)).status).toBe('AUTHORIZATION_SUCCEEDED');
      expect(await ledgerOf(id)).toEqual(AUTHORIZED);
      expect(await since.eventNames()).toEqual([
        'transaction.authentication-pending',
        'transaction.authorized',
      ]);
      expect((await harness.complete(url)).headers.get('location')).toContain('authorization_succeeded');
    },
  );

  it.each(['approval.session_opened', 'approval.session_stored'])(
    'while it opens a session (%s) leaves the session to be opened again',
    async (point) => {
      const waiting = await harness.wait();
      removeFailpoint = setFailpoint(point, () => {
        removeFailpoint();
        throw new Error('The process died.');
      });
      await expect(harness.open(waiting)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      const session = await harness.opened(waiting);
      await harness.say(session);
      await harness.complete(session.defaultCompletionUrl);
      expect((await harness.show(waiting.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
    },
  );

  it('before the answer of the wallet leaves a payment that waits for its client with the same token', async () => {
    const key = 'died-before-session';
    removeFailpoint = setFailpoint('authorize.called', () => {
      removeFailpoint();
      throw new Error('The process died.');
    });
    await expect(harness.wait({}, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await reconcileAfter(LEASE_MS);
    const waiting = await harness.wait({}, key);
    const session = await harness.opened(waiting);
    await harness.say(session);
    await harness.complete(session.defaultCompletionUrl);
    expect((await harness.show(waiting.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });
});
