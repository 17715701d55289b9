import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, type HttpClient } from '../../src/platform/http/http-client.ts';
import type { ResolvedAddress } from '../../src/platform/http/resolver.ts';
import { FORBIDDEN_URLS } from '../support/forbidden-urls.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startWebhooks, type WebhookHarness, type WebhookTenant } from './webhook-harness.ts';

/**
 * Stands for the public address of a merchant where names are tested. Every other address is private there, as in
 * production. The same listener has the IPv6 form of that address, so that a request past the guard would arrive.
 */
const PUBLIC = '127.0.0.1';
const PRIVATE = '::ffff:127.0.0.1';

/** The next DNS answers for each name. The last answer repeats. */
const answers = new Map<string, string[][]>();
const requested: string[] = [];

async function resolve(hostname: string): Promise<readonly ResolvedAddress[]> {
  requested.push(hostname);
  const all = answers.get(hostname) ?? [];
  const now = (all.length > 1 ? all.shift() : all[0]) ?? [];
  return now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

let harness: WebhookHarness;
let tenant: WebhookTenant;
let receiver: Receiver;
const production = createHttpClient({ allowedNetworks: [], allowInsecureHttp: false, resolve });
const reaching = createHttpClient({ allowedNetworks: [`${PUBLIC}/32`], allowInsecureHttp: true, resolve });
let client = reaching;
beforeAll(async () => {
  const http: HttpClient = {
    send: (request) => client.send(request),
    refuseUrl: (url) => client.refuseUrl(url),
    close: () => [production, reaching].forEach((one) => one.close()),
  };
  harness = await startWebhooks({ http });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  tenant = await harness.tenant();
  receiver = await startReceiver();
  // StoredRows connections have checked addresses. Here each delivery must resolve its name.
  receiver.answer((response) => response.writeHead(204, { connection: 'close' }).end());
  requested.length = 0;
});
afterEach(async () => {
  // Leaves no delivery of one test to be retried during the next.
  await harness.server.app.db.prisma.webhookEndpoint.updateMany({ data: { deletedAt: harness.clock.now() } });
  await receiver.close();
});

const attempts = (endpointId: string) =>
  harness.server.app.db.prisma.deliveryAttempt.findMany({
    where: { endpointId },
    orderBy: { startedAt: 'asc' },
    select: { statusCode: true, error: true },
  });
const endpoints = () =>
  harness.server.app.db.prisma.webhookEndpoint.findMany({
    where: { merchantAccountId: tenant.id },
    select: { url: true },
  });
const atName = (name: string): string => receiver.url.replace('127.0.0.1', name);
const MERCHANT = 'https://merchant.example/hooks';
const FORBIDDEN = { statusCode: null, error: 'forbidden_address' };
const DELIVERED = { statusCode: 204, error: null };

describe('addresses of private and reserved networks', () => {
  beforeAll(() => void (client = production));
  afterAll(() => void (client = reaching));

  it.each([
    ['https://user@169.254.169.254/', 'Must not contain a user name or a password.'],
    ['https://merchant.example@127.0.0.1/', 'Must not contain a user name or a password.'],
    ['https://merchant.example:x@[::1]/', 'Must not contain a user name or a password.'],
    ['https://[fe80::1%25eth0]/', 'Must be an absolute https URL.'],
    ['https://256.256.256.256/', 'Must be an absolute https URL.'],
    ['gopher://169.254.169.254/', 'Must be an absolute https URL.'],
    ['https://10.0.0.1\\@merchant.example/', 'Must not be an address of a private or reserved network.'],
  ])('%s is refused, independent of its other parts', async (url, message) => {
    const refused = await tenant.run('createWebhookEndpoint', { input: { url } });

    expect(refused.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'url'], message }]);
    expect(await endpoints()).toEqual([]);
  });

  it('are not called for an existing endpoint, as after the operator removed a network from the allowed ones', async () => {
    const ids = [];
    for (const url of FORBIDDEN_URLS) {
      const { id } = await tenant.endpoint(MERCHANT);
      await harness.server.app.db.prisma.webhookEndpoint.updateMany({ where: { id }, data: { url } });
      ids.push(id);
    }

    await tenant.deliver();

    for (const id of ids) expect(await attempts(id)).toEqual([FORBIDDEN]);
    expect(requested).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['the IPv4-mapped form of an address', [PRIVATE]],
    ['this machine', ['::1']],
    ['another address of this machine', ['127.0.0.2']],
    ['a private network', ['10.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['a carrier network', ['100.64.0.1']],
    ['a network for benchmarks', ['198.18.0.1']],
    ['a unique local address', ['fd00:ec2::254']],
    ['a link-local address', ['fe80::1']],
    ['an address behind NAT64', ['64:ff9b::7f00:1']],
    ['an address inside 6to4', ['2002:7f00:1::']],
    ['an address inside Teredo', ['2001:0:7f00:1::']],
    ['no address in particular', ['0.0.0.0']],
    ['a public address and a private one', [PUBLIC, PRIVATE]],
    ['a private address and a public one', ['10.0.0.1', PUBLIC]],
  ])('that resolve to %s are not called', async (_, addresses) => {
    const name = `merchant-${tenant.id}.test`;
    answers.set(name, [[PUBLIC], addresses]);
    const { id } = await tenant.endpoint(atName(name));

    await tenant.deliver();
    expect(receiver.received).toHaveLength(1);
    await tenant.deliver();

    expect(await attempts(id)).toEqual([DELIVERED, FORBIDDEN]);
    expect(receiver.received).toHaveLength(1);
    // Once for each attempt: the call goes to the checked address.
    expect(requested).toEqual([name, name]);
  });

  it('that change to a private address between two look-ups are resolved once, so no second look-up happens', async () => {
    const name = `rebinding-${tenant.id}.test`;
    answers.set(name, [[PUBLIC], [PRIVATE], [PUBLIC]]);
    const { id } = await tenant.endpoint(atName(name));

    for (let count = 0; count < 3; count += 1) await tenant.deliver();

    expect(await attempts(id)).toEqual([DELIVERED, FORBIDDEN, DELIVERED]);
    expect(receiver.received).toHaveLength(2);
  });

  it('are checked for a test event, too', async () => {
    const name = `test-${tenant.id}.test`;
    answers.set(name, [[PRIVATE]]);
    const { id } = await tenant.endpoint(atName(name));

    const { payload } = await tenant.ask<{ payload: unknown }>(
      'mutation ($id: ID!) { payload: sendTestEvent(id: $id) { attempt { statusCode error } } }',
      { id },
    );

    expect(payload).toEqual({ attempt: FORBIDDEN });
    expect(receiver.received).toHaveLength(0);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('%d to a private address fails and is not followed', async (status) => {
    const target = await startReceiver();
    receiver.answer((response) => response.writeHead(status, { location: target.url }).end());
    const { id } = await tenant.endpoint(receiver.url);

    await tenant.deliver();

    expect(await attempts(id)).toEqual([{ statusCode: status, error: null }]);
    expect(receiver.received).toHaveLength(1);
    expect(target.received).toHaveLength(0);
    await target.close();
  });
});
