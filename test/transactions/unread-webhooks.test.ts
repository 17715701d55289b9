import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import { retainUnreadOnce } from '../../src/modules/transactions/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { localKeyProvider } from '../../src/platform/vault/master-key/local-keys.ts';
import { rotateKeys } from '../../src/platform/vault/rotation/rotate.ts';
import { query } from '../support/database.ts';
import { applyAfter } from './inbox.ts';
import { refundOf, signed, startUnreadHarness, unreadAt, type UnreadHarness } from './unread-harness.ts';

const DAY_MS = 24 * 3_600_000;

/** A kind that the present reader does not know. */
const NEW_KIND = 'REFUND_BY_LETTER';

/** The next version of a connector knows the kind, as the refund that the kind is. */
const learned = (connector: Connector): Connector =>
  connector.webhooks
    ? {
        ...connector,
        webhooks: {
          ...connector.webhooks,
          read: (part, receiver) =>
            connector.webhooks?.read(part.replace(NEW_KIND, 'REFUND'), receiver) ?? unreachable(),
        },
      }
    : connector;

const unreachable = (): never => {
  throw new Error('The connector takes webhooks');
};

let play: UnreadHarness;
let own: ReturnType<typeof unreadAt>;
/** A process of the next version, on the same database. */
let newer: ReturnType<typeof unreadAt>;

beforeAll(async () => {
  play = await startUnreadHarness();
  own = unreadAt(play.harness.server);
  newer = unreadAt(await play.upgrade(learned));
});
afterAll(() => play.stop());
beforeEach(() => play.harness.server.app.db.prisma.unreadWebhook.deleteMany({}));

const stored = () => play.harness.server.app.db.prisma.unreadWebhook.findMany();

/** Returns the content that a row keeps. */
async function contentOf(id: string): Promise<string> {
  const { app } = play.harness.server;
  const row = await app.db.prisma.unreadWebhook.findFirstOrThrow({ where: { id } });
  const place = { merchantAccountId: 'default', table: 'unread_webhook', column: 'sealed_body' } as const;
  return app.vault.open({ ...place, rowId: id }, row.sealedBody);
}

const refunded = async (id: string): Promise<unknown> => (await play.harness.transaction(id))?.refundedAmount;

describe('a body with a readable and an unreadable item', () => {
  it('is answered with 200: the one is booked, the other is kept and counted', async () => {
    const { id, payment } = await play.pay('adyen');
    const before = await own.counted('adyen', 'unreadable_item');
    const odd = signed(refundOf(id, payment, { success: 'perhaps', pspReference: 'ODDREFUND0000001' }));

    expect(await play.post(signed(refundOf(id, payment)), odd)).toBe(200);

    expect(await refunded(id)).toBe(400);
    expect(await own.list()).toEqual([
      {
        ...{ id: expect.any(String), provider: 'adyen', reason: 'UNREADABLE_ITEM', times: 1 },
        ...{ receivedAt: expect.any(String), appliedAt: null, expiresAt: expect.any(String) },
        paymentService: { id: play.service.adyen.id },
      },
    ]);
    expect(await own.counted('adyen', 'unreadable_item')).toBe(before + 1);
    expect(play.harness.server.logs()).not.toContain('ODDREFUND0000001');
  });

  it('has one row when it comes again, which counts the times', async () => {
    const { id, payment } = await play.pay('adyen');
    const items = [
      signed(refundOf(id, payment)),
      signed(refundOf(id, payment, { eventCode: NEW_KIND, pspReference: 'LETTER0000000001' })),
    ];

    expect([await play.post(...items), await play.post(...items)]).toEqual([200, 200]);

    expect(await own.list()).toMatchObject([{ reason: 'UNKNOWN_KIND', times: 2 }]);
    expect(await refunded(id)).toBe(400);
  });

  it('keeps no unsigned item, and counts it', async () => {
    const { id, payment } = await play.pay('adyen');
    const before = [await own.counted('adyen', 'unsigned_item'), await own.counted('adyen', 'bad_signature')];
    const forged = refundOf(id, payment, { pspReference: 'FORGED0000000001' });

    expect(await play.post(signed(refundOf(id, payment)), forged, { eventCode: 7 })).toBe(200);
    expect(await play.post(forged)).toBe(401);

    expect(await stored()).toEqual([]);
    expect(await refunded(id)).toBe(400);
    const after = [await own.counted('adyen', 'unsigned_item'), await own.counted('adyen', 'bad_signature')];
    expect(after).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 1]);
  });

  it.each([
    ['the newest', ['unreadable_item', 'unreadable_item'], [0, 1]],
    ['those of a known kind, and of them the newest', ['unreadable_item', 'unknown_kind'], [0, 198]],
  ] as const)('leaves %s of 200 rows of a payment service', async (_, [reason, ofLast], gone) => {
    const { id, payment } = await play.pay('adyen');
    const service = { merchantAccountId: 'default', paymentServiceId: play.service.adyen.id };
    const older = Array.from({ length: 199 }, () => randomUUID().replace(/^../, '00')).toSorted();
    const row = { ...service, provider: 'adyen', sealedBody: '' };
    const receivedAt = play.harness.clock.now();
    const rows = older.map((each, at) => ({
      ...{ ...row, id: each, digest: each, receivedAt, reason: at === 198 ? ofLast : reason },
    }));
    await play.harness.server.app.db.prisma.unreadWebhook.createMany({ data: rows });
    const odd = (number: number) =>
      signed(refundOf(id, payment, { success: 'perhaps', pspReference: `ODD${number}` }));

    expect(await play.post(odd(1), odd(2), odd(3))).toBe(200);

    const left = await stored();
    expect(left).toHaveLength(200);
    expect(left.filter(({ sealedBody }) => sealedBody !== '')).toHaveLength(3);
    const removed = gone.map((at) => older[at] ?? '');
    expect(left.filter((each) => removed.includes(each.id))).toEqual([]);
  });
});

describe('an unreadable body', () => {
  const odd = (changes: object = {}) =>
    play.double.stripe.sign({
      ...{ id: `evt_${randomUUID()}`, type: 'refund.updated', object: 'event', created: 1_790_000_000 },
      ...{ data: { object: { id: 're_1', object: 'refund', status: 7 } }, livemode: false },
      ...changes,
    });
  const post = (...events: readonly ReturnType<typeof odd>[]) =>
    play.double.stripe.postTo(play.service.stripe.webhookUrl, events);

  it('of Stripe is answered with 200 and kept, if it is signed', async () => {
    const event = odd();

    expect(await post(event)).toEqual([200]);
    expect(await post({ ...event, headers: { 'stripe-signature': 't=1,v1=00' } })).toEqual([401]);
    expect(await post(odd({ type: 'refund.teleported' }))).toEqual([200]);

    const { id } = play.service.stripe;
    expect(await own.list({ paymentServiceId: id })).toMatchObject([
      { provider: 'stripe', reason: 'UNKNOWN_KIND' },
      { provider: 'stripe', reason: 'UNREADABLE_ITEM' },
    ]);
    expect(await own.list({ reason: ['UNKNOWN_KIND'], provider: 'stripe' })).toHaveLength(1);
    expect(await own.list({ provider: 'adyen' })).toEqual([]);
  });

  it('leaves no card number in the database, also not behind the seal', async () => {
    const cards = ['4242424242424242', '5555 5555 5555 4444', '3782-822463-10005'];
    const texts = { description: `Card ${cards[1]}`, note: cards[2], [`of ${cards[0]}`]: 'x' };

    await post(odd({ more: 4242424242424242, escaped: '\u0034242424242424242', ...texts }));

    const [row] = await stored();
    const content = await contentOf(row?.id ?? '');
    expect(content).toContain('"refund.updated"');
    expect(JSON.parse(content)).toMatchObject({ more: '…', escaped: '…', description: 'Card …', note: '…' });
    const rows = await query<{ row: string }>(
      play.database.url,
      'SELECT to_jsonb(u)::text AS row FROM unread_webhook u UNION ALL SELECT to_jsonb(a)::text FROM audit_entry a',
    );
    const all = [content, ...rows.map((each) => each.row)].join('\n');
    for (const card of [...cards, '378282246310005', '5555555555554444']) expect(all).not.toContain(card);
  });
});

/** Keeps a refund of a kind that only the next version reads. */
async function kept() {
  const paid = await play.pay('adyen');
  const item = signed(refundOf(paid.id, paid.payment, { eventCode: NEW_KIND }));
  expect(await play.post(item)).toBe(200);
  const [row] = await own.list();
  return { ...paid, item, unreadId: row?.id ?? '' };
}

describe('applyUnreadWebhook', () => {
  it('changes nothing before an upgrade, and records the attempt', async () => {
    const { id, unreadId } = await kept();

    const done = await own.apply(unreadId);

    expect(done).toMatchObject({ applied: 0, known: 0, userErrors: [] });
    expect(done.unreadWebhook).toMatchObject({ id: unreadId, appliedAt: expect.any(String), times: 1 });
    expect(await refunded(id)).toBe(0);
  });

  it('books the event once after an upgrade, and removes the row', async () => {
    const { id, unreadId, item } = await kept();

    const both = await Promise.all([newer.apply(unreadId), newer.apply(unreadId)]);
    const again = await newer.apply(unreadId);

    expect(both.reduce((sum, { applied }) => sum + applied, 0)).toBe(1);
    expect(again).toMatchObject({ applied: 0, unreadWebhook: null, userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await refunded(id)).toBe(400);
    expect(await stored()).toEqual([]);
    expect(await play.post(item)).toBe(200);
    const [row] = await own.list();
    expect(await newer.apply(row?.id ?? '')).toMatchObject({ applied: 0, known: 1, unreadWebhook: null });
    await applyAfter(play.harness, 1_000);
    expect(await refunded(id)).toBe(400);
  });

  it('goes on after a crash between the storing and the end, and applies the event once', async () => {
    const { id, unreadId } = await kept();
    const heal = setFailpoint('unread.stored', () => {
      throw new Error('killed');
    });
    await expect(newer.apply(unreadId)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    heal();

    expect(await newer.apply(unreadId)).toMatchObject({ applied: 0, known: 1, unreadWebhook: null });
    expect(await refunded(id)).toBe(0);
    await applyAfter(play.harness, 12_000);

    expect(await refunded(id)).toBe(400);
  });

  it('gives a refund above the captured amount an hour, days after the webhook came', async () => {
    const { id, payment } = await play.pay('adyen');
    const above = refundOf(id, payment, {
      ...{ eventCode: NEW_KIND, pspReference: 'REFUNDABOVE00001' },
      amount: { value: 1_400, currency: 'EUR' },
    });
    await play.post(signed(above));
    const [row] = await own.list();
    await play.harness.pass(2 * DAY_MS);

    await newer.apply(row?.id ?? '');

    expect(await refunded(id)).toBe(0);
    await applyAfter(play.harness, 2 * 3_600_000);
    expect(await refunded(id)).toBe(1_400);
  });

  it('leaves an entry in the audit log, without the content', async () => {
    const { unreadId } = await kept();
    await own.apply(unreadId);

    const { auditLog } = await own.ask<{ auditLog: { nodes: readonly unknown[] } }>(
      `query ($id: String!) { auditLog(first: 10, filter: { targetId: $id }) {
        nodes { action actor { kind } after } } }`,
      { id: unreadId },
    );
    expect(auditLog.nodes).toMatchObject([
      { action: 'unread-webhook.updated', actor: { kind: 'API_KEY' } },
      { action: 'unread-webhook.created', actor: { kind: 'PROVIDER' } },
    ]);
    expect(JSON.stringify(auditLog)).not.toContain('v1.');
  });

  it('does not apply an event whose id was masked as a possible card number', async () => {
    const { id, payment } = await play.pay('adyen');
    const pspReference = '4242424242424242';
    await play.post(signed(refundOf(id, payment, { eventCode: NEW_KIND, pspReference })));
    const [row] = await own.list();

    const done = await newer.apply(row?.id ?? '');

    expect(done).toMatchObject({ applied: 0, unreadWebhook: { reason: 'UNUSABLE_NOTICE' } });
    expect(await refunded(id)).toBe(0);
  });

  it('finds nothing of another merchant account, and changes nothing there', async () => {
    const { unreadId } = await kept();
    const { token } = await play.harness.server.createMerchantAccount();
    const other = unreadAt(play.harness.server, token);

    expect(await other.list()).toEqual([]);
    const { userErrors } = await other.apply(unreadId);
    expect(userErrors).toEqual([
      {
        ...{ code: 'NOT_FOUND', path: ['id'] },
        message: expect.stringMatching(/no unread webhook with this id\. .* after a week/),
      },
    ]);
    expect(await own.list()).toMatchObject([{ id: unreadId, appliedAt: null }]);
  });
});

it('an unread webhook is kept for a week, and cannot be applied after it', async () => {
  const { id, payment } = await play.pay('adyen');
  const { app } = play.harness.server;
  const bad = () => signed(refundOf(id, payment, { success: 'perhaps', pspReference: randomUUID() }));
  await play.post(bad());
  const [first] = await own.list();

  // The clock of the service moves on with real time, so a slow machine needs this minute.
  await play.harness.pass(7 * DAY_MS - 60_000);
  await play.post(bad());
  await retainUnreadOnce(app);
  expect(await stored()).toHaveLength(2);
  await play.harness.pass(60_000);
  expect((await own.apply(first?.id ?? '')).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
  await retainUnreadOnce(app);

  const left = await own.list();
  expect(left).toHaveLength(1);
  expect(left[0]?.id).not.toBe(first?.id);
});

// The running server keeps its data key for a minute, so the rotation comes last.
it('a rotation of keys seals the content anew, and the webhook can still be applied', async () => {
  const { id, unreadId } = await kept();
  const before = (await stored())[0]?.sealedBody;

  const rotated = await rotateKeys({
    ...{ db: play.harness.server.app.db, ids: systemIds, clock: systemClock, dryRun: false, batch: 10 },
    keys: localKeyProvider({ masterKeys: [Buffer.from(play.masterKey, 'base64')], ids: systemIds }),
    ...{ waitMs: 0, say: () => undefined },
  });

  expect(rotated.unreadable).toEqual([]);
  expect((await stored())[0]?.sealedBody).not.toBe(before);
  const restarted = unreadAt(await play.upgrade(learned));
  expect(await restarted.apply(unreadId)).toMatchObject({ applied: 1, unreadWebhook: null });
  expect(await refunded(id)).toBe(400);
});
