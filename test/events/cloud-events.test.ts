import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '../../src/client/index.ts';
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

const CLOUD_EVENTS = { bodyFormat: 'CLOUD_EVENTS' };

function only(requests: readonly ReceivedWebhook[]): ReceivedWebhook {
  const [request, ...others] = requests;
  if (!request || others.length > 0) throw new Error(`${requests.length} requests`);
  return request;
}

describe('a webhook as a CloudEvent', () => {
  it('has the required attributes, and the event itself in data, byte for byte', async () => {
    const plain = await startReceiver();
    await tenant.endpoint(receiver.url, CLOUD_EVENTS);
    await tenant.endpoint(plain.url);

    await tenant.deliver('transaction.captured');

    const { body, headers } = only(receiver.received);
    const text = only(plain.received).body;
    const event = JSON.parse(text) as {
      id: string;
      created_at: string;
      target: { type: string; id: string };
    };
    await plain.close();
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({
      specversion: '1.0',
      id: event.id,
      type: 'transaction.captured',
      source: `/merchant-accounts/${tenant.id}`,
      subject: `${event.target.type}/${event.target.id}`,
      time: event.created_at,
      datacontenttype: 'application/json',
      sequence: '00000000000000000001',
      data: event,
    });
    expect(body.endsWith(`,"data":${text}}`)).toBe(true);
  });

  it('is signed, and the client returns the same event in both formats', async () => {
    const { id, secret } = await tenant.endpoint(receiver.url, CLOUD_EVENTS);
    await tenant.deliver();
    await tenant.run('updateWebhookEndpoint', { id, input: { bodyFormat: 'PAYGRAPH' } });
    await tenant.deliver('test.b');

    const events = receiver.received.map(({ headers, body }) =>
      verifyWebhook({ headers, body, secrets: [secret], now: harness.clock.now() }),
    );
    expect(receiver.received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/cloudevents+json; charset=utf-8',
      'application/json',
    ]);
    expect(events.map(({ name }) => name)).toEqual(['test.a', 'test.b']);
    for (const event of events) expect(event).toMatchObject({ type: 'event', version: 1 });
  });

  it('is sent as a test event too, without a sequence', async () => {
    const { id } = await tenant.endpoint(receiver.url, CLOUD_EVENTS);

    await tenant.ask('mutation ($id: ID!) { sendTestEvent(id: $id) { attempt { webhookId statusCode } } }', {
      id,
    });

    const event = JSON.parse(only(receiver.received).body) as Readonly<Record<string, unknown>>;
    expect(event).toMatchObject({ specversion: '1.0', type: 'webhook-endpoint.test' });
    expect(event).not.toHaveProperty('sequence');
    expect(event['data']).not.toHaveProperty('sequence');
  });
});

describe('the format of an endpoint', () => {
  it('is that of the event itself by default, and stays when an update does not name it', async () => {
    const { webhookEndpoint } = await tenant.run('createWebhookEndpoint', { input: { url: receiver.url } });
    const id = webhookEndpoint?.id;
    const changed = await tenant.run('updateWebhookEndpoint', { id, input: CLOUD_EVENTS });
    const kept = await tenant.run('updateWebhookEndpoint', { id, input: { bodyFormat: null } });

    expect(webhookEndpoint).toMatchObject({ bodyFormat: 'PAYGRAPH' });
    expect(changed.webhookEndpoint).toMatchObject(CLOUD_EVENTS);
    expect(kept.webhookEndpoint).toMatchObject(CLOUD_EVENTS);
  });

  it('comes back from the record of an idempotency key', async () => {
    const input = { url: receiver.url, ...CLOUD_EVENTS };
    await tenant.run('createWebhookEndpoint', { input, key: 'format' });

    const again = await tenant.run('createWebhookEndpoint', { input, key: 'format' });
    const other = await tenant.run('createWebhookEndpoint', {
      input: { ...input, bodyFormat: 'PAYGRAPH' },
      key: 'format',
    });

    expect(again).toMatchObject({ replayed: true, webhookEndpoint: CLOUD_EVENTS });
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
  });
});
