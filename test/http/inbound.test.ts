import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import { createTestServerService, type WebhookService } from './inbound-service.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { inboxAt, type Inbox } from '../transactions/inbox.ts';
import { withoutRandom } from '../support/without-random.ts';

const SECRET = 'whs_0123456789abcdef';

let server: TestServer;
/** The address of a service without a webhook secret, and that of a service with one. */
let open: Inbox;
let signed: Inbox;
let service: WebhookService;

beforeAll(async () => {
  server = await startTestServer();
  service = await createTestServerService(server, null);
  open = inboxAt(service.webhookUrl);
  signed = inboxAt((await createTestServerService(server, SECRET)).webhookUrl);
});
afterAll(() => server.stop());

const rows = () => server.app.db.prisma.inboundWebhook.findMany();
let before: number;
beforeEach(async () => {
  before = (await rows()).length;
});
const stored = async (): Promise<number> => (await rows()).length - before;

const reported = () => ({
  id: randomUUID(),
  payment_service_transaction_id: 'pay_1',
  event: 'capture.succeeded',
});

describe('the webhook address of a payment service', () => {
  it('is exactly the one that the service shows', () => {
    expect(service.webhookUrl).toMatch(new RegExp(`^${server.url}/webhooks/[\\w-]{32}$`));
  });

  it('answers 200 to a new webhook, to a repeated one, and to one about an unknown operation', async () => {
    const one = reported();

    expect([await open.tell(one), await open.tell(one), await signed.tell(reported(), SECRET)]).toEqual([
      200, 200, 200,
    ]);
    expect(await stored()).toBe(2);
  });

  it('answers 200 to events of other kinds, and stores nothing', async () => {
    expect(await open.tell({ ...reported(), event: 'dispute.opened' })).toBe(200);
    expect(await stored()).toBe(0);
  });

  it('reads the bytes, whatever the content type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
    ])
      expect((await open.post(JSON.stringify(reported()), { 'content-type': type })).status).toBe(200);
    const bytes = new TextEncoder().encode(JSON.stringify(reported()));
    expect((await open.post(bytes)).status).toBe(200);
    expect(await stored()).toBe(4);
  });

  it('answers 503 without the connector of its service, and stores nothing', async () => {
    const { id, webhookUrl } = await createTestServerService(server, null);
    await server.app.db.prisma.paymentService.updateMany({
      where: { id },
      data: { definitionId: 'gone-card' },
    });

    expect(await inboxAt(webhookUrl).tell(reported())).toBe(503);
    expect(await stored()).toBe(0);
  });

  it('answers 401 without a signature or with another secret, and stores nothing', async () => {
    expect([await signed.tell(reported()), await signed.tell(reported(), `${SECRET} `)]).toEqual([401, 401]);
    for (const signature of [
      '',
      'sha256=',
      `sha256=${'0'.repeat(64)}`,
      'sha256=' + 'é'.repeat(64),
      `sha1=${'0'.repeat(40)}`,
    ])
      expect(
        (await signed.post(JSON.stringify(reported()), { [SIGNATURE_HEADER]: encodeURI(signature) })).status,
      ).toBe(401);
    expect(await stored()).toBe(0);
  });

  it.each<readonly [string, string | Uint8Array]>([
    ['nothing', ''],
    ['no JSON', 'capture.succeeded'],
    ['no UTF-8', Uint8Array.of(0xff, 0xfe, 0, 0x80)],
    ['a list', '[]'],
    ['lists in lists', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['wrong types', JSON.stringify({ ...reported(), payment_service_transaction_id: 7 })],
    ['money that is none', JSON.stringify({ ...reported(), amount: 1e21, currency: 'USD' })],
    ['a NUL in a reference', JSON.stringify({ ...reported(), payment_service_transaction_id: 'pay\u0000' })],
    [
      'half a character in a reference',
      '{"event":"capture.succeeded","payment_service_transaction_id":"\\ud800"}',
    ],
  ])('answers 400 to %s, and stores nothing', async (_, body) => {
    expect((await open.post(body as NonNullable<RequestInit['body']>)).status).toBe(400);
    expect(await stored()).toBe(0);
  });

  it('answers 413 to more than 256 KB, and accepts 256 KB', async () => {
    const body = (bytes: number): string => {
      const empty = JSON.stringify({ ...reported(), more: '' });
      return empty.replace('"more":""', `"more":"${'x'.repeat(bytes - empty.length)}"`);
    };
    expect((await open.post(body(256 * 1024 + 1))).status).toBe(413);
    expect(await stored()).toBe(0);
    expect((await open.post(body(256 * 1024))).status).toBe(200);
    expect(await stored()).toBe(1);
  });

  it('answers 404 to every other address, as to any unknown path', async () => {
    const nowhere = await (
      await fetch(`${server.url}/nowhere`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
    ).text();
    const token = open.url.split('/').at(-1) ?? '';
    const wrong = [
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase() + token,
      '%00',
      '%ff',
      'a%20b',
      '..%2f',
      "'",
      'x'.repeat(5_000),
    ];
    for (const other of wrong) {
      const response = await fetch(`${server.url}/webhooks/${other}`, {
        method: 'POST',
        body: JSON.stringify(reported()),
      });
      expect([other, response.status >= 400 && response.status < 500]).toEqual([other, true]);
    }
    const unknown = await fetch(`${server.url}/webhooks/${'A'.repeat(32)}`, {
      method: 'POST',
      body: JSON.stringify(reported()),
    });
    expect([unknown.status, await unknown.text()]).toEqual([404, nowhere]);
    expect((await fetch(open.url)).status).toBe(404);
    expect(await stored()).toBe(0);
  });

  it('answers 503 when it cannot store, and accepts a repeat later', async () => {
    const one = reported();
    const rename = (from: string, to: string) =>
      server.app.db.query({ name: null, text: `ALTER TABLE ${from} RENAME TO ${to}`, values: [] });
    await rename('inbound_webhook', 'inbound_webhook_away');
    try {
      expect(await open.tell(one)).toBe(503);
    } finally {
      await rename('inbound_webhook_away', 'inbound_webhook');
    }
    expect(await stored()).toBe(0);
    expect(await open.tell(one)).toBe(200);
    expect(await stored()).toBe(1);
  });

  it('still accepts webhooks for pending operations after the deletion of the service', async () => {
    const gone = await createTestServerService(server, null);
    await server.graphql('mutation ($id: ID!) { deletePaymentService(id: $id) { userErrors { message } } }', {
      id: gone.id,
    });

    expect(await inboxAt(gone.webhookUrl).tell(reported())).toBe(200);
    expect(await stored()).toBe(1);
  });
});

it('stores and logs no secret and no card number', async () => {
  const card = '4111 1111 1111 1111';
  const body = {
    ...reported(),
    id: `evt ${card}`,
    code: '4111111111111111',
    message: `${card}, ${SECRET}`,
    card: { number: card, cvv: '737' },
  };

  expect(await signed.tell({ ...body, event: 'capture.declined' }, SECRET)).toBe(200);
  expect(await signed.tell({ ...body, event: 'capture.declined' }, 'another secret')).toBe(401);
  expect((await signed.post(`{"card":"${card}"`)).status).toBe(401);

  expect(await stored()).toBe(1);
  const tokens = [open.url, signed.url].map((url) => url.split('/').at(-1) ?? '');
  const kept = JSON.stringify(await rows()) + server.logs();
  for (const secret of [SECRET, ...tokens]) expect(kept).not.toContain(secret);
  expect(withoutRandom(kept)).not.toContain('4111');
});
