import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startWebhooks, type Refused, type WebhookHarness, type WebhookTenant } from './webhook-harness.ts';

/** the dispatcher's deadline of 5 s. One test shortens the deadline, because a shorter one has the same effect. */
let deadlineMs = 5_000;
const client = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });

let harness: WebhookHarness;
let tenant: WebhookTenant;
let receiver: Receiver;
beforeAll(async () => {
  harness = await startWebhooks({
    http: { ...client, send: (request) => client.send({ ...request, deadlineMs }) },
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  tenant = await harness.tenant();
  receiver = await startReceiver();
});
afterEach(async () => {
  deadlineMs = 5_000;
  await receiver.close();
});

type Attempt = {
  readonly webhookId: string;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly replyStart: string | null;
};
const send = async (id: string, name?: string | null) =>
  (
    await tenant.ask<{ payload: { attempt: Attempt | null; userErrors: readonly Refused[] } }>(
      `mutation ($id: ID!, $name: String = "webhook-endpoint.test") { payload: sendTestEvent(id: $id, name: $name) {
        attempt { webhookId statusCode error durationMs replyStart } userErrors { code path message } } }`,
      { id, name },
    )
  ).payload;

/** Reads the rows that a test event could have left. */
const traces = async (id: string): Promise<unknown> => {
  const { prisma } = harness.server.app.db;
  const where = { merchantAccountId: tenant.id };
  return {
    events: await prisma.event.count({ where }),
    deliveries: await prisma.delivery.count({ where }),
    attempts: await prisma.deliveryAttempt.count({ where }),
    endpoint: await prisma.webhookEndpoint.findFirst({ where: { id } }),
  };
};

describe('sendTestEvent', () => {
  it('posts one signed event about the endpoint, like a delivery, and leaves no trace', async () => {
    const headers = [{ name: 'x-api-key', value: 'k' }];
    const basicAuthentication = { username: 'shop', password: 'p' };
    const { id, secret } = await tenant.endpoint(receiver.url, { headers, basicAuthentication });
    const { secret: second } = await tenant.run('rotateWebhookSecret', { id });
    receiver.answer((response) => response.writeHead(202).end('taken'));
    const before = await traces(id);

    const { attempt, userErrors } = await send(id);

    expect(userErrors).toEqual([]);
    expect(attempt).toEqual({
      webhookId: expect.any(String),
      statusCode: 202,
      error: null,
      durationMs: expect.any(Number),
      replyStart: 'taken',
    });
    const [received, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(JSON.parse(received?.body ?? '')).toEqual({
      version: 1,
      type: 'event',
      id: attempt?.webhookId,
      name: 'webhook-endpoint.test',
      created_at: expect.any(String),
      merchant_account_id: tenant.id,
      environment: 'sandbox',
      target: { type: 'webhook-endpoint', id },
    });
    expect(received?.headers).toMatchObject({
      'webhook-id': attempt?.webhookId,
      'x-api-key': 'k',
      authorization: `Basic ${Buffer.from('shop:p').toString('base64')}`,
    });
    for (const each of [secret, second ?? ''])
      expect(
        new Webhook(each).verify(received?.body ?? '', received?.headers as Record<string, string>),
      ).toMatchObject({ id: attempt?.webhookId });
    expect(await traces(id)).toEqual(before);
  });

  it('carries the requested name', async () => {
    const { id } = await tenant.endpoint(receiver.url, { eventNames: ['refund.*'] });

    await send(id, 'transaction.captured');
    await send(id, null);

    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { name: string }).name)).toEqual([
      'transaction.captured',
      'webhook-endpoint.test',
    ]);
  });

  it.each(['paused', 'failing', 'disabled'])(
    'reaches an endpoint that is %s, and changes nothing',
    async (state) => {
      const { id } = await tenant.endpoint(receiver.url);
      await harness.server.app.db.prisma.webhookEndpoint.updateMany({
        where: { id },
        data: { state, pausedUntil: new Date('2099-01-01T00:00:00Z') },
      });
      const before = await traces(id);

      expect(await send(id)).toMatchObject({ attempt: { statusCode: 204 } });

      expect(receiver.received).toHaveLength(1);
      expect(await traces(id)).toEqual(before);
    },
  );

  it.each([
    [404, { statusCode: 404, error: null, replyStart: 'no' }],
    [410, { statusCode: 410, error: null, replyStart: 'no' }],
    [307, { statusCode: 307, error: null, replyStart: 'no' }],
  ])('returns a refusal of %d and does not count it', async (status, expected) => {
    const { id } = await tenant.endpoint(receiver.url);
    receiver.answer((response) => response.writeHead(status, { location: `${receiver.url}x` }).end('no'));
    const before = await traces(id);

    expect((await send(id)).attempt).toMatchObject(expected);

    expect(receiver.received).toHaveLength(1);
    expect(await traces(id)).toEqual(before);
  });

  it('reports the cause of a missing answer', async () => {
    const { id } = await tenant.endpoint(receiver.url);
    receiver.answer(() => undefined);
    deadlineMs = 200;
    const late = (await send(id)).attempt;
    deadlineMs = 5_000;
    await receiver.close();
    const closed = (await send(id)).attempt;

    expect(late).toMatchObject({ statusCode: null, error: 'timeout', replyStart: null });
    expect(late?.durationMs).toBeGreaterThanOrEqual(190);
    expect(closed).toMatchObject({ statusCode: null, error: 'connection_refused' });
  });

  it('refuses an invalid name, and unknown ids', async () => {
    const { id } = await tenant.endpoint(receiver.url);
    const foreign = await (await harness.tenant()).endpoint(receiver.url);

    for (const name of ['', 'test', 'a.*', '*', 'A.b', 'a..b', `a.${'b'.repeat(99)}`])
      expect(await send(id, name)).toMatchObject({
        attempt: null,
        userErrors: [{ code: 'INVALID_INPUT', path: ['name'] }],
      });
    for (const unknown of [foreign.id, harness.server.app.ids.uuid(), 'no-uuid'])
      expect(await send(unknown)).toMatchObject({
        attempt: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
      });
    expect(receiver.received).toHaveLength(0);
  });

  it('requires the scope to write', async () => {
    const { id } = await tenant.endpoint(receiver.url);
    const scopes = ['webhook-subscriptions.read'];
    const token = await harness.server.mint({ scopes, merchantAccountId: tenant.id });

    for (const mutation of ['sendTestEvent', 'rotateWebhookSecret'])
      expect(
        (
          await harness.server.graphql(
            `mutation ($id: ID!) { ${mutation}(id: $id) { userErrors { code } } }`,
            { id },
            { token },
          )
        ).body.errors,
      ).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(receiver.received).toHaveLength(0);
  });
});
