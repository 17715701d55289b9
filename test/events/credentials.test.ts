import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '../support/receiver.ts';
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

const HEADERS = [
  { name: 'X-Api-Key', value: 'key-secret-4711' },
  { name: 'x-route', value: 'a b;c="d"' },
];
const BASIC = { username: 'shop', password: 'pässword-secret:0815' };
const basicHeader = `Basic ${Buffer.from('shop:pässword-secret:0815').toString('base64')}`;

const endpointRow = (id: string) =>
  harness.server.app.db.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } });
const endpointCount = () =>
  harness.server.app.db.prisma.webhookEndpoint.count({ where: { merchantAccountId: tenant.id } });
/** Returns every row of the endpoints' tables as text. */
const written = async (): Promise<string> =>
  JSON.stringify(
    await harness.server.app.db.prisma.$queryRawUnsafe(
      `SELECT to_jsonb(w)::text FROM webhook_endpoint w UNION ALL SELECT to_jsonb(s)::text FROM webhook_secret s
       UNION ALL SELECT to_jsonb(k)::text FROM idempotency_key k UNION ALL SELECT to_jsonb(e)::text FROM event e
       UNION ALL SELECT to_jsonb(a)::text FROM delivery_attempt a`,
    ),
  );

describe('headers and basic authentication', () => {
  it('arrive with every delivery, and are never shown, stored or logged in clear text', async () => {
    const input = { url: receiver.url, headers: HEADERS, basicAuthentication: BASIC };

    const created = await tenant.run('createWebhookEndpoint', { input, key: 'with-secrets' });
    const again = await tenant.run('createWebhookEndpoint', { input, key: 'with-secrets' });
    await tenant.deliver();

    expect(created.webhookEndpoint).toMatchObject({
      headerNames: ['X-Api-Key', 'x-route'],
      basicAuthenticationUsername: 'shop',
    });
    expect(again).toEqual({ ...created, secret: null, replayed: true });
    expect(receiver.received.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({
        'x-api-key': 'key-secret-4711',
        'x-route': 'a b;c="d"',
        authorization: basicHeader,
        'content-type': 'application/json',
        'user-agent': 'Paygraph',
      }),
    ]);
    const everything = [JSON.stringify([created, again]), await written(), harness.server.logs()].join('\n');
    for (const secret of ['key-secret-4711', 'pässword-secret', 'sword-secret', basicHeader.slice(6)])
      expect(everything).not.toContain(secret);
    // The signing secret is in the first answer only.
    const signing = (created.secret ?? '').slice(6);
    expect([await written(), harness.server.logs(), JSON.stringify(again)].join('\n')).not.toContain(signing);
    const row = await endpointRow(created.webhookEndpoint?.id ?? '');
    expect([row.sealedHeaders, row.sealedBasicPassword]).toEqual([
      expect.stringMatching(/^v1\./),
      expect.stringMatching(/^v1\./),
    ]);
  });

  it('are distinguished by an idempotency key, whose record holds keyed digests of them', async () => {
    const input = { url: receiver.url, headers: HEADERS, basicAuthentication: BASIC };
    await tenant.run('createWebhookEndpoint', { input, key: 'k' });

    const refused = await tenant.run('createWebhookEndpoint', {
      input: { ...input, headers: [{ ...HEADERS[0], value: 'other' }, HEADERS[1]] },
      key: 'k',
    });

    expect(refused).toMatchObject({
      webhookEndpoint: null,
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    });
    expect(await endpointCount()).toBe(1);
  });

  it('stay when an update omits them, change when it sets them, and are cleared by null or an empty list', async () => {
    const { id } = await tenant.endpoint(receiver.url, { headers: HEADERS, basicAuthentication: BASIC });
    const update = async (input: Record<string, unknown>) => {
      await tenant.run('updateWebhookEndpoint', { id: id.toUpperCase(), input });
      await tenant.deliver();
      const { headers } = receiver.received.at(-1) ?? {};
      return [headers?.['x-api-key'], headers?.['x-route'], headers?.authorization];
    };

    expect(await update({ description: 'Shop' })).toEqual(['key-secret-4711', 'a b;c="d"', basicHeader]);
    expect(await update({ headers: [{ name: 'x-api-key', value: 'new' }] })).toEqual([
      'new',
      undefined,
      basicHeader,
    ]);
    expect(await update({ basicAuthentication: { username: 'other', password: '' } })).toEqual([
      'new',
      undefined,
      `Basic ${Buffer.from('other:').toString('base64')}`,
    ]);
    expect(await update({ basicAuthentication: null })).toEqual(['new', undefined, undefined]);
    expect(await update({ headers: null })).toEqual([undefined, undefined, undefined]);
    await update({ headers: HEADERS });
    expect(await update({ headers: [] })).toEqual([undefined, undefined, undefined]);
    expect(await endpointRow(id)).toMatchObject({
      headerNames: [],
      sealedHeaders: null,
      basicAuthUsername: null,
      sealedBasicPassword: null,
    });
  });

  it('are destroyed with the endpoint', async () => {
    const { id } = await tenant.endpoint(receiver.url, { headers: HEADERS, basicAuthentication: BASIC });

    await tenant.ask('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', { id });

    expect(await endpointRow(id)).toMatchObject({ sealedHeaders: null, sealedBasicPassword: null });
  });

  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'content-encoding',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'expect',
    'User-Agent',
    'webhook-id',
    'Webhook-Anything',
    'accept-encoding',
  ])('refuse the header %s, which no merchant may set', async (name) => {
    const refused = await tenant.run('createWebhookEndpoint', {
      input: { url: receiver.url, headers: [HEADERS[0], { name, value: 'x' }] },
    });

    expect(refused).toMatchObject({
      webhookEndpoint: null,
      userErrors: [
        {
          code: 'INVALID_INPUT',
          path: ['input', 'headers', '1', 'name'],
          message: 'Is set by Paygraph or belongs to the connection. Choose another name.',
        },
      ],
    });
    expect(await endpointCount()).toBe(0);
  });

  const one = (name: string, value: string) => ({ headers: [{ name, value }] });
  const NAME = ['input', 'headers', '0', 'name'];
  const VALUE = ['input', 'headers', '0', 'value'];
  const TOKEN = "Must be an HTTP header name: letters, digits and !#$%&'*+-.^_`|~ only.";
  it.each([
    [one('', 'x'), NAME, 'Must be 1 to 100 characters.'],
    [one('x'.repeat(101), 'x'), NAME, 'Must be 1 to 100 characters.'],
    [one('x-a:', 'x'), NAME, TOKEN],
    [one('x a', 'x'), NAME, TOKEN],
    [one('x-ä', 'x'), NAME, TOKEN],
    [one('x\r\nHost', 'x'), NAME, TOKEN],
    [one('x-a', ''), VALUE, 'Must be 1 to 1000 characters.'],
    [one('x-a', 'x'.repeat(1_001)), VALUE, 'Must be 1 to 1000 characters.'],
    [one('x-a', 'a\r\nwebhook-id: b'), VALUE, 'Must be ASCII without control characters.'],
    [one('x-a', 'a\u0000'), VALUE, 'Must be ASCII without control characters.'],
    [one('x-a', 'a\tb'), VALUE, 'Must be ASCII without control characters.'],
    [one('x-a', 'a\u007f'), VALUE, 'Must be ASCII without control characters.'],
    [one('x-a', 'ä'), VALUE, 'Must be ASCII without control characters.'],
    [one('x-a', ' a'), VALUE, 'Must not begin or end with a space.'],
    [
      { headers: [HEADERS[0], { name: 'x-API-key', value: 'b' }] },
      ['input', 'headers', '1', 'name'],
      'Give each name once.',
    ],
    [
      { headers: Array.from({ length: 21 }, (_, index) => ({ name: `x-${index}`, value: 'a' })) },
      ['input', 'headers'],
      'Give at most 20.',
    ],
    [
      { ...one('Authorization', 'Bearer a'), basicAuthentication: BASIC },
      ['input', 'headers'],
      'Must not contain authorization beside basicAuthentication, which sets it.',
    ],
    [
      { basicAuthentication: { ...BASIC, username: 'a:b' } },
      ['input', 'basicAuthentication', 'username'],
      'Must contain neither a colon nor control characters.',
    ],
    [
      { basicAuthentication: { ...BASIC, username: '' } },
      ['input', 'basicAuthentication', 'username'],
      'Must be 1 to 255 characters.',
    ],
    [
      { basicAuthentication: { ...BASIC, password: 'a\nb' } },
      ['input', 'basicAuthentication', 'password'],
      'Must not contain control characters.',
    ],
    [
      { basicAuthentication: { ...BASIC, password: 'x'.repeat(256) } },
      ['input', 'basicAuthentication', 'password'],
      'Must be 0 to 255 characters.',
    ],
  ])('refuse values beyond a limit or a pattern (%#)', async (input, path, message) => {
    const refused = await tenant.run('createWebhookEndpoint', { input: { url: receiver.url, ...input } });

    expect(refused).toMatchObject({
      webhookEndpoint: null,
      userErrors: [{ code: 'INVALID_INPUT', path, message }],
    });
    expect(await endpointCount()).toBe(0);
  });

  it('accept values just within the limits', async () => {
    const headers = Array.from({ length: 20 }, (_, index) => ({
      name: "!#$%&'*+-.^_`|~".padEnd(98, 'n') + String(index).padStart(2, '0'),
      value: index % 2 ? '~'.repeat(1_000) : 'a b',
    }));
    await tenant.endpoint(receiver.url, {
      headers: [...headers.slice(1), { name: 'authorization', value: 'Bearer a' }],
    });

    // Twenty headers of maximum length exceed Node's default limit of 16 kB for a receiver.
    await tenant.run('updateWebhookEndpoint', {
      id: (await tenant.endpoint(receiver.url, { headers: headers.slice(0, 10) })).id,
      input: { basicAuthentication: { username: 'x'.repeat(255), password: 'y'.repeat(255) } },
    });
    await tenant.deliver();

    expect(receiver.received).toHaveLength(2);
  });

  it('refuse a second authorization, whichever was there before, and change nothing', async () => {
    const bearer = { headers: [{ name: 'AUTHORIZATION', value: 'Bearer a' }] };
    const withBearer = await tenant.endpoint(receiver.url, bearer);
    const withBasic = await tenant.endpoint(receiver.url, { basicAuthentication: BASIC });

    for (const [{ id }, input] of [
      [withBearer, { basicAuthentication: BASIC, description: 'new' }],
      [withBasic, { ...bearer, description: 'new' }],
    ] as const) {
      const refused = await tenant.run('updateWebhookEndpoint', { id, input });
      expect(refused).toMatchObject({
        webhookEndpoint: null,
        userErrors: [
          {
            path: ['input'],
            message: 'Must not contain authorization beside basicAuthentication, which sets it.',
          },
        ],
      });
      expect(await endpointRow(id)).toMatchObject({ description: null });
    }
    const changed = await tenant.run('updateWebhookEndpoint', {
      id: withBearer.id,
      input: { headers: null, basicAuthentication: BASIC },
    });
    expect(changed).toMatchObject({ userErrors: [] });
  });
});

describe('autoDisable', () => {
  it('is off by default, and unchanged by an update without it', async () => {
    const shown = async (id: string) =>
      (
        await tenant.ask<{ webhookEndpoint: { autoDisable: boolean } }>(
          'query ($id: ID!) { webhookEndpoint(id: $id) { autoDisable } }',
          { id },
        )
      ).webhookEndpoint.autoDisable;
    const off = await tenant.endpoint(receiver.url);
    const on = await tenant.endpoint(receiver.url, { autoDisable: true });

    expect([await shown(off.id), await shown(on.id)]).toEqual([false, true]);
    await tenant.run('updateWebhookEndpoint', { id: on.id, input: { autoDisable: null } });
    await tenant.run('updateWebhookEndpoint', { id: off.id, input: { autoDisable: true } });
    expect([await shown(off.id), await shown(on.id)]).toEqual([true, true]);
    await tenant.run('updateWebhookEndpoint', { id: on.id, input: { autoDisable: false } });
    expect(await shown(on.id)).toBe(false);
  });
});

describe('the state', () => {
  it('shows the cause and the time of a stop, and a second stop changes neither', async () => {
    const { id } = await tenant.endpoint(receiver.url);
    const stop = () => tenant.run('updateWebhookEndpoint', { id, input: { active: false } });

    const stopped = (await stop()).webhookEndpoint;
    harness.clock.advance(60_000);
    const again = (await stop()).webhookEndpoint;
    const started = (await tenant.run('updateWebhookEndpoint', { id, input: { active: true } }))
      .webhookEndpoint;

    expect(stopped).toMatchObject({
      state: 'DISABLED',
      stateReason: 'Stopped by the merchant.',
      disabledAt: stopped?.['stateChangedAt'],
      ...{ failingSince: null, pausedUntil: null },
    });
    expect(again).toEqual(stopped);
    expect(started).toMatchObject({ state: 'ACTIVE', stateReason: null, disabledAt: null });
    const since = (endpoint: typeof started) => Date.parse(String(endpoint?.['stateChangedAt']));
    expect(since(started) - since(stopped)).toBeGreaterThanOrEqual(60_000);
  });
});
