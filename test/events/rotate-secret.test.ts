import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { startReceiver, type ReceivedWebhook, type Receiver } from '../support/receiver.ts';
import { startWebhooks, type WebhookHarness, type WebhookTenant } from './webhook-harness.ts';

let harness: WebhookHarness;
let tenant: WebhookTenant;
let receiver: Receiver;
beforeAll(async () => void (harness = await startWebhooks()));
afterAll(() => harness.stop());
beforeEach(async () => {
  tenant = await harness.tenant();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const MINUTE = 60_000;
const secretsOf = (endpointId: string) =>
  harness.server.app.db.prisma.webhookSecret.findMany({
    where: { endpointId },
    orderBy: { createdAt: 'asc' },
  });
const rotate = (id: string, overlapMinutes?: number, key?: string) =>
  tenant.run('rotateWebhookSecret', { id, overlapMinutes, key });
const rotated = async (id: string, overlapMinutes?: number): Promise<string> => {
  const { secret, userErrors } = await rotate(id, overlapMinutes);
  if (!secret) throw new Error(JSON.stringify(userErrors));
  return secret;
};

/**
 * Tells whether a consumer with this secret accepts the webhook, according to both packages of consumers. The
 * packages compare the timestamp with real time. The shifted clock is ahead, so the function corrects the timestamp
 * and leaves the signature alone.
 */
function takes(secret: string, webhook: ReceivedWebhook | undefined): boolean {
  if (!webhook) throw new Error('Nothing was received.');
  const headers = Object.fromEntries(
    Object.entries(webhook.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  const real = Date.now;
  Date.now = () => Number(headers['webhook-timestamp']) * 1_000;
  try {
    const answers = [Webhook, SvixWebhook].map((Verifier) =>
      verifies(new Verifier(secret), webhook, headers),
    );
    expect(answers[0]).toBe(answers[1]);
    return answers[0] ?? false;
  } finally {
    Date.now = real;
  }
}

function verifies(
  verifier: { verify(body: string, headers: Record<string, string>): unknown },
  { body }: ReceivedWebhook,
  headers: Record<string, string>,
): boolean {
  try {
    verifier.verify(body, headers);
    return true;
  } catch (error) {
    expect(String(error)).toContain('No matching signature found');
    return false;
  }
}

const latest = (): ReceivedWebhook | undefined => receiver.received.at(-1);
const signatures = (): number => String(latest()?.headers['webhook-signature']).split(' ').length;

describe('rotateWebhookSecret', () => {
  it('signs with both secrets during the overlap, and only with the new one afterwards', async () => {
    const { id, secret: old } = await tenant.endpoint(receiver.url);
    await tenant.deliver();
    expect([signatures(), takes(old, latest())]).toEqual([1, true]);

    const fresh = await rotated(id, 60);
    await tenant.deliver();
    expect([signatures(), takes(old, latest()), takes(fresh, latest())]).toEqual([2, true, true]);

    harness.clock.advance(59 * MINUTE);
    await tenant.deliver();
    expect([signatures(), takes(old, latest()), takes(fresh, latest())]).toEqual([2, true, true]);

    harness.clock.advance(MINUTE);
    await tenant.deliver();
    expect([signatures(), takes(old, latest()), takes(fresh, latest())]).toEqual([1, false, true]);
    expect(receiver.received).toHaveLength(4);
  });

  it('shows the new secret once and keeps it sealed', async () => {
    const { id, secret: old } = await tenant.endpoint(receiver.url);

    const first = await rotate(id, 60, 'key');
    const again = await rotate(id, 60, 'key');
    const other = await rotate(id, 61, 'key');

    expect(first).toMatchObject({
      webhookEndpoint: { id, state: 'ACTIVE' },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      replayed: false,
      userErrors: [],
    });
    expect(first.secret).not.toBe(old);
    expect(again).toEqual({ ...first, secret: null, replayed: true });
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(await secretsOf(id)).toHaveLength(2);
    const kept = JSON.stringify([
      await secretsOf(id),
      await harness.server.app.db.prisma.idempotencyKey.findMany({ where: { merchantAccountId: tenant.id } }),
      harness.server.logs(),
    ]);
    for (const secret of [old, first.secret ?? '']) expect(kept).not.toContain(secret.slice(6));
  });

  it('takes a day by default, and does not postpone an earlier end', async () => {
    const { id } = await tenant.endpoint(receiver.url);
    await rotated(id, 10);

    await rotated(id);

    const [first, second, third] = await secretsOf(id);
    const minutes = (from: Date | undefined, to: Date | null | undefined): number =>
      Math.round((Number(to) - Number(from)) / MINUTE);
    expect(minutes(second?.createdAt, first?.expiresAt)).toBe(10);
    expect(minutes(third?.createdAt, second?.expiresAt)).toBe(1440);
    expect(third?.expiresAt).toBeNull();
  });

  it('ends all other secrets at once with an overlap of 0, and removes them', async () => {
    const { id, secret: first } = await tenant.endpoint(receiver.url);
    const second = await rotated(id, 60);

    const third = await rotated(id, 0);
    await tenant.deliver();

    expect([first, second, third].map((secret) => takes(secret, latest()))).toEqual([false, false, true]);
    expect(await secretsOf(id)).toHaveLength(1);
  });

  it('removes secrets that have ended with the next rotation', async () => {
    const { id } = await tenant.endpoint(receiver.url);
    await rotated(id, 5);
    harness.clock.advance(5 * MINUTE);
    expect(await secretsOf(id)).toHaveLength(2);

    await rotated(id, 5);

    expect(await secretsOf(id)).toHaveLength(2);
  });

  it('refuses a sixth live secret and changes nothing, even among concurrent requests', async () => {
    const { id } = await tenant.endpoint(receiver.url);

    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(id, 60)));
    const before = await secretsOf(id);
    const refused = await rotate(id, 30, 'late');

    expect(answers.filter(({ secret }) => secret)).toHaveLength(4);
    expect(refused).toMatchObject({
      webhookEndpoint: null,
      secret: null,
      replayed: false,
      userErrors: [
        {
          code: 'INVALID_INPUT',
          path: ['id'],
          message:
            'A webhook endpoint has at most 5 live secrets. Wait until one ends, or rotate with an overlap of 0.',
        },
      ],
    });
    expect(await secretsOf(id)).toEqual(before);
    // The key is not used up, and an overlap of 0 frees the places.
    expect(await rotate(id, 0, 'late')).toMatchObject({ replayed: false, userErrors: [] });
    expect(await secretsOf(id)).toHaveLength(1);
  });

  it.each([-1, 10_081])('refuses an overlap of %d minutes', async (overlapMinutes) => {
    const { id } = await tenant.endpoint(receiver.url);

    const { userErrors, secret } = await rotate(id, overlapMinutes);

    expect({ userErrors, secret }).toEqual({
      userErrors: [{ code: 'INVALID_INPUT', path: ['overlapMinutes'], message: 'Must be 0 to 10080.' }],
      secret: null,
    });
    expect(await secretsOf(id)).toMatchObject([{ expiresAt: null }]);
  });

  it('answers a foreign, a deleted and an unknown id alike', async () => {
    const { id } = await (await harness.tenant()).endpoint(receiver.url);
    const gone = await tenant.endpoint(receiver.url);
    await tenant.ask('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', { id: gone.id });

    for (const unknown of [id, gone.id, harness.server.app.ids.uuid(), 'no-uuid', ''])
      expect(await rotate(unknown)).toMatchObject({
        secret: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
      });
    expect(await secretsOf(id)).toMatchObject([{ expiresAt: null }]);
    expect(await secretsOf(gone.id)).toEqual([]);
  });
});
