import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { applyAfter, ended, inboundRows, inboxOf, until } from './inbox.ts';
import {
  APPROVED,
  REFUSED,
  RETURN,
  startReturnHarness,
  type Away,
  type ReturnHarness,
} from './return-harness.ts';

const SECOND = 1_000;
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;

let harness: ReturnHarness;
let removeFailpoint = (): void => undefined;
beforeAll(async () => {
  harness = await startReturnHarness({ settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) } });
});
afterAll(() => harness.stop());
afterEach(() => removeFailpoint());

async function reconcileAfter(ms: number): Promise<void> {
  await harness.pass(ms);
  await expireApprovals(harness.server.app.db, harness.clock.now());
  await reconcileDue(harness.server.app);
}

const ledgerOf = (transactionId: string) =>
  harness.server.app.db.prisma.ledgerEntry.findMany({
    where: { transactionId },
    select: { kind: true, amount: true },
  });
const rowsOf = async ({ id: transactionId }: Away) => {
  const { prisma } = harness.server.app.db;
  const operation = await prisma.operation.findFirstOrThrow({ where: { transactionId, kind: 'authorize' } });
  const approval = await prisma.approval.findFirstOrThrow({ where: { operationId: operation.id } });
  return { operation, approval };
};
const AUTHORIZED = [{ kind: 'authorize', amount: 1299 }];
const leadsTo = (response: Response): string | null => response.headers.get('location');
const addressAfter = ({ id }: Away, status: string): string =>
  `${RETURN}?transaction_id=${id}&transaction_status=${status}`;

describe('a buyer who comes back', () => {
  it.each(['back', 'postBack'] as const)(
    'lets the provider continue the payment, and returns to the merchant (%s)',
    async (way) => {
      const since = await harness.since();
      const away = await harness.leave();
      expect(away.approvalUrl).toMatch(new RegExp(`^${harness.server.url}/sandbox/redirect/[0-9a-f]{32}$`));
      expect((await harness.show(away.id)).status).toBe('BUYER_APPROVAL_PENDING');

      const returned = await harness[way](away);

      expect([returned.status, leadsTo(returned)]).toEqual([
        303,
        addressAfter(away, 'authorization_succeeded'),
      ]);
      expect(harness.provider.calls.at(-1)).toMatchObject({ operation: 'resume', returned: APPROVED });
      expect(await harness.show(away.id)).toMatchObject({
        status: 'AUTHORIZATION_SUCCEEDED',
        authorizedAmount: 1299,
      });
      expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
      expect(await since.eventNames()).toEqual([
        'transaction.authentication-pending',
        'transaction.authorized',
      ]);
      expect((await harness.capture(away.id)).userErrors).toEqual([]);
    },
  );

  it('captures at once when that is the intent', async () => {
    const away = await harness.leave({ intent: 'CAPTURE' });
    await harness.back(away);
    expect(await harness.show(away.id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
  });

  it.each<readonly [string, object, Readonly<Record<string, string>>, string, string]>([
    ['refused', {}, REFUSED, 'AUTHORIZATION_FAILED', 'cancelled_buyer_approval'],
    [
      'approved, and the issuer declines',
      { amount: 200_011 },
      APPROVED,
      'AUTHORIZATION_DECLINED',
      'insufficient_funds',
    ],
  ])('and %s, ends the payment', async (_, input, parameters, status, errorCode) => {
    const away = await harness.leave(input);
    const returned = await harness.back(away, parameters);
    expect(leadsTo(returned)).toBe(addressAfter(away, status.toLowerCase()));
    expect(await harness.show(away.id)).toMatchObject({ status, errorCode });
    expect(await ledgerOf(away.id)).toEqual([]);
  });

  it('without a decision leaves the payment waiting, and the next return counts', async () => {
    const away = await harness.leave();
    expect(leadsTo(await harness.back(away, {}))).toBe(addressAfter(away, 'buyer_approval_pending'));
    expect((await rowsOf(away)).approval.state).toBe('pending');
    expect((await rowsOf(away)).operation.sealedReturned).toBeNull();
    expect(leadsTo(await harness.back(away))).toBe(addressAfter(away, 'authorization_succeeded'));
    expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
  });

  it('sees a page when the payment has no address of return', async () => {
    const away = await harness.leave();
    await harness.server.app.db.prisma.transaction.updateMany({
      where: { id: away.id },
      data: { redirectUrl: null },
    });
    const returned = await harness.back(away);
    expect([returned.status, await returned.text()]).toEqual([
      200,
      expect.stringContaining('You can go back now'),
    ]);
  });
});

describe('the address of return', () => {
  it('is the same on each attempt of the authorisation, with all other values', async () => {
    const before = harness.provider.calls.length;
    harness.provider.failNext('lose_answer');
    await harness.create({
      paymentMethod: { redirect: { method: 'ideal' } },
      redirectUrl: RETURN,
      ipAddress: '192.0.2.7',
    });
    await reconcileAfter(61 * SECOND);
    const [first, again] = harness.provider.calls.slice(before);
    expect(first?.return_url).toMatch(/\/return\/[0-9a-f]{32}$/);
    expect(again).toEqual(first);
  });

  it('is not in the database, and another token is a page that says nothing', async () => {
    const away = await harness.leave();
    const token = away.returnUrl.split('/').at(-1) ?? '';
    const { approval } = await rowsOf(away);
    expect(JSON.stringify(approval)).not.toContain(token);
    const before = harness.resumes();
    for (const wrong of [approval.token, approval.returnDigest ?? '', '0'.repeat(32), `${token}0`, 'x']) {
      const address = { ...away, returnUrl: away.returnUrl.replace(token, wrong) };
      const answers = [await harness.back(address), await harness.postBack(address)];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect(await answers[0]?.text()).not.toContain(away.id);
    }
    expect([harness.resumes(), (await harness.show(away.id)).status]).toEqual([
      before,
      'BUYER_APPROVAL_PENDING',
    ]);
  });

  it('takes no decision at our own page of approval', async () => {
    const away = await harness.leave();
    const { approval } = await rowsOf(away);
    const page = `${harness.server.url}/approve/${approval.token}`;
    const posted = await fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'approved' }) });
    expect([(await fetch(page)).status, posted.status]).toEqual([404, 404]);
    expect((await rowsOf(away)).approval.state).toBe('pending');
  });

  it('continues nothing on HEAD or prefetch', async () => {
    const away = await harness.leave();
    const before = harness.resumes();
    const head = await fetch(away.returnUrl, { method: 'HEAD', redirect: 'manual' });
    const ahead = await fetch(away.returnUrl, { headers: { 'sec-purpose': 'prefetch' }, redirect: 'manual' });
    expect([head.status, ahead.status, harness.resumes()]).toEqual([404, 403, before]);
  });

  it.each([
    [
      'too many parameters',
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`name${index}`, 'x'])),
    ],
    ['too long parameters', { redirect_result: 'x'.repeat(20_000) }],
  ])('accepts no %s, and the next return counts', async (_, parameters) => {
    const away = await harness.leave();
    const before = harness.resumes();
    expect((await harness.postBack(away, parameters)).status).toBe(400);
    expect([harness.resumes(), (await rowsOf(away)).approval.state]).toEqual([before, 'pending']);
    expect(leadsTo(await harness.back(away))).toContain('authorization_succeeded');
  });

  it('gives the provider the first of equal names, and keeps the values sealed and only for a while', async () => {
    const away = await harness.leave();
    harness.provider.failNext('lose_request');
    await fetch(`${away.returnUrl}?redirect_result=approved&redirect_result=refused&secret=quite+long`, {
      redirect: 'manual',
    });
    const { operation } = await rowsOf(away);
    expect(operation.sealedReturned).not.toBeNull();
    expect(inspect(operation)).not.toContain('quite long');
    await harness.back(away, REFUSED);
    expect(harness.provider.calls.at(-1)?.returned).toEqual({ ...APPROVED, secret: 'quite long' });
    expect(await rowsOf(away)).toMatchObject({ operation: { status: 'succeeded', sealedReturned: null } });
  });
});

describe('a buyer who comes back more than once', () => {
  it('has one effect, and returns to the merchant each time: 20 tabs at once', async () => {
    const since = await harness.since();
    const away = await harness.leave();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? harness.postBack(away) : harness.back(away))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303));
    expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
    expect(await since.eventNames()).toEqual([
      'transaction.authentication-pending',
      'transaction.authorized',
    ]);
    const before = harness.resumes();
    expect(leadsTo(await harness.back(away, REFUSED))).toBe(addressAfter(away, 'authorization_succeeded'));
    expect(harness.resumes()).toBe(before);
  });

  it('counts the first return', async () => {
    const away = await harness.leave();
    await harness.back(away, REFUSED);
    await harness.back(away);
    expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_FAILED');
    expect(await ledgerOf(away.id)).toEqual([]);
  });
});

describe('a return at a bad moment', () => {
  it('after the time changes nothing, to the millisecond, and the payment fails', async () => {
    const away = await harness.leave({
      approvalExpiresAt: new Date(harness.clock.now().getTime() + HOUR_MS),
    });
    await harness.pass(HOUR_MS);
    const before = harness.resumes();
    expect(leadsTo(await harness.back(away))).toBe(addressAfter(away, 'buyer_approval_pending'));
    await reconcileAfter(0);
    expect(await harness.show(away.id)).toMatchObject({
      status: 'AUTHORIZATION_FAILED',
      errorCode: 'incomplete_buyer_approval',
    });
    expect(leadsTo(await harness.back(away))).toBe(addressAfter(away, 'authorization_failed'));
    expect(harness.resumes()).toBe(before);
  });

  it('never: the payment fails at the end of the time, without a request to continue it', async () => {
    const away = await harness.leave();
    const before = harness.resumes();
    await reconcileAfter(61 * SECOND);
    expect((await harness.show(away.id)).status).toBe('BUYER_APPROVAL_PENDING');
    await reconcileAfter(HOUR_MS);
    expect(await harness.show(away.id)).toMatchObject({ errorCode: 'incomplete_buyer_approval' });
    expect(harness.resumes()).toBe(before);
  });

  it('during or after a cancel changes nothing', async () => {
    const [done, doing] = [await harness.leave(), await harness.leave()];
    await harness.cancel(done.id);
    harness.provider.failNext('lose_request');
    await harness.cancel(doing.id);
    const before = harness.resumes();
    const answers = [await harness.back(done), await harness.back(doing)];
    expect(answers.map((each) => leadsTo(each)?.split('=').at(-1))).toEqual([
      'authorization_failed',
      'buyer_approval_pending',
    ]);
    expect(harness.resumes()).toBe(before);
  });

  it('together with a cancel leaves one end', async () => {
    for (let round = 0; round < 6; round += 1) {
      const away = await harness.leave();
      const [canceled] = await Promise.all([
        harness.cancel(away.id),
        harness.back(away),
        harness.postBack(away),
      ]);
      await reconcileAfter(61 * SECOND);
      const { status } = await harness.show(away.id);
      const moved = (await ledgerOf(away.id)).map(({ kind }) => kind).toSorted();
      const ends =
        canceled.userErrors.length > 0
          ? [['AUTHORIZATION_SUCCEEDED', ['authorize']]]
          : [
              ['AUTHORIZATION_FAILED', []],
              ['AUTHORIZATION_VOIDED', ['authorize', 'void']],
            ];
      expect(ends).toContainEqual([status, moved]);
    }
  });

  it('is not lost during a look-up', async () => {
    const away = await harness.leave();
    harness.provider.failNext('hang');
    const asking = harness.sync(away.id);
    await until(async () => (harness.provider.calls.at(-1)?.operation === 'status' ? true : null));
    expect(leadsTo(await harness.back(away))).toContain('buyer_approval_pending');
    harness.provider.release();
    await asking;
    await reconcileAfter(0);
    expect(await harness.show(away.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
  });
});

describe('a return beside a webhook', () => {
  const post = async (away: Away): Promise<void> => {
    const inbox = await inboxOf(harness);
    const { operation } = await rowsOf(away);
    expect(await inbox.tell({ event: 'authorization.succeeded', idempotency_key: operation.id })).toBe(200);
  };
  const tell = async (away: Away): Promise<void> => {
    const before = await inboundRows(harness);
    await post(away);
    await ended(harness, before.length + 1);
  };

  it('after the webhook continues nothing, and leads to the merchant', async () => {
    const away = await harness.leave();
    const before = harness.resumes();
    await tell(away);
    expect(leadsTo(await harness.back(away))).toBe(addressAfter(away, 'authorization_succeeded'));
    expect([harness.resumes(), await ledgerOf(away.id)]).toEqual([before, AUTHORIZED]);
  });

  it('before the webhook counts, and the webhook changes nothing', async () => {
    const away = await harness.leave();
    await harness.back(away);
    await tell(away);
    expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
    expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('together with the webhook has one effect', async () => {
    for (let round = 0; round < 5; round += 1) {
      const since = await harness.since();
      const away = await harness.leave();
      await Promise.all([harness.back(away), post(away), harness.postBack(away)]);
      await applyAfter(harness, 61 * SECOND);
      await reconcileAfter(61 * SECOND);
      expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
      expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
      expect(await since.eventNames()).toEqual([
        'transaction.authentication-pending',
        'transaction.authorized',
      ]);
    }
  });
});

describe('a redirect by POST', () => {
  it('leads over a page of ours, whose form goes to the provider alone', async () => {
    const away = await harness.leave({ amount: 660_001 });
    expect(away.approvalUrl).toMatch(new RegExp(`^${harness.server.url}/go/[0-9a-f]{32}$`));
    const page = await fetch(away.approvalUrl);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`form-action ${new URL(away.returnUrl).origin};`);
    expect(policy).toMatch(/script-src 'sha256-[^']+';/);
    const text = await page.text();
    expect(text).toMatch(/<form method="post" action="http:[^"]+\/sandbox\/redirect\/[0-9a-f]{32}">/);
    expect(text).toMatch(/<input type="hidden" name="session" value="\d{14}" \/>/);
    const { operation } = await rowsOf(away);
    expect(operation.sealedForm).not.toBeNull();
    expect(operation.sealedForm).not.toContain('session');
  });

  it('is over after the return, and the form is forgotten', async () => {
    const away = await harness.leave({ amount: 660_001 });
    await harness.back(away);
    expect(leadsTo(await fetch(away.approvalUrl, { redirect: 'manual' }))).toBe(
      addressAfter(away, 'authorization_succeeded'),
    );
    expect((await rowsOf(away)).operation.sealedForm).toBeNull();
  });

  it('has no page for another token, or for a payment without a form', async () => {
    const away = await harness.leave();
    const { approval } = await rowsOf(away);
    const wrong = [approval.token.replace(/^./, 'x'), away.returnUrl.split('/').at(-1)];
    const answers = await Promise.all(wrong.map((token) => fetch(`${harness.server.url}/go/${token}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('a provider without an answer to the return', () => {
  it.each(['lose_request', 'lose_answer', 'error_after_work', 'nonsense', 'other_money'] as const)(
    'leaves the payment waiting (%s), and gets the same request again',
    async (fault) => {
      const away = await harness.leave();
      harness.provider.failNext(fault);
      expect(leadsTo(await harness.back(away))).toBe(addressAfter(away, 'buyer_approval_pending'));
      expect(await ledgerOf(away.id)).toEqual([]);
      await reconcileAfter(61 * SECOND);
      const [first, again] = harness.provider.calls
        .filter(({ operation }) => operation === 'resume')
        .slice(-2);
      expect(again).toEqual(first);
      expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
      expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
    },
  );

  it('does not let the payment expire: the buyer was in time', async () => {
    const away = await harness.leave();
    harness.provider.failNext('lose_answer');
    await harness.back(away);
    await reconcileAfter(2 * HOUR_MS);
    expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
  });
});

describe('a process that dies', () => {
  it.each([
    'approval.returning',
    'approval.carrying_out',
    'approval.carried_out',
    'authorize.settling',
    'authorize.settled',
  ])('while the buyer comes back (%s) leaves one effect to reconciliation', async (point) => {
    const since = await harness.since();
    const away = await harness.leave();
    removeFailpoint = setFailpoint(point, () => {
      removeFailpoint();
      throw new Error('The process died.');
    });
    await harness.back(away);
    await reconcileAfter(LEASE_MS);
    expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(await ledgerOf(away.id)).toEqual(AUTHORIZED);
    expect(await since.eventNames()).toEqual([
      'transaction.authentication-pending',
      'transaction.authorized',
    ]);
    const resumed = harness.provider.calls.filter(({ operation }) => operation === 'resume');
    expect(resumed.at(-1)?.returned).toEqual(APPROVED);
  });
});

describe('a refusal that a process hears late', () => {
  it('ends nothing after another process has continued the payment', async () => {
    const away = await harness.leave();
    const late = Promise.withResolvers<undefined>();
    const heard = Promise.withResolvers<undefined>();
    let times = 0;
    removeFailpoint = setFailpoint('approval.carried_out', async () => {
      times += 1;
      if (times > 1) throw new Error('The process died.');
      heard.resolve(undefined);
      await late.promise;
    });
    const returned = harness.back(away, REFUSED);
    await heard.promise;
    await reconcileAfter(LEASE_MS);

    late.resolve(undefined);
    await returned;

    expect(times).toBe(2);
    expect((await rowsOf(away)).operation.status).toBe('pending');
    removeFailpoint();
    await reconcileAfter(LEASE_MS);
    expect((await harness.show(away.id)).status).toBe('AUTHORIZATION_FAILED');
  });
});
