import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_SCOPES, isKnownScope } from '../../src/modules/accounts/index.ts';
import { openSession, ROLES, type Role } from '../../src/modules/sessions/index.ts';
import { openRawSocket } from '../http/raw-socket.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { askAs, cookieOf, pageOf, postSession, signIn } from './browser-fetch.ts';

let clock: ShiftedClock;
let server: TestServer;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({ clock, settings: { PAYGRAPH_ALLOWED_ORIGINS: 'https://shop.example' } });
});
afterAll(() => server.stop());

const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

const VISITOR = { personId: null, signedInWith: 'sandbox', address: null, userAgent: null } as const;

/** Opens a session of a person, and returns its cookie. */
async function openAs(person: string, role: Role): Promise<string> {
  const { ticket } = await openSession(server.app, {
    ...{ person, role, merchantAccountId: 'default' },
    ...VISITOR,
  });
  return `paygraph_session_${new URL(server.url).port}=${ticket}`;
}

describe('the sandbox', () => {
  it('signs its visitor in with a cookie that scripts and other sites cannot use', async () => {
    const response = await postSession(server, pageOf(server));

    const port = new URL(server.url).port;
    expect(response.headers.get('set-cookie')).toMatch(
      new RegExp(`^paygraph_session_${port}=[\\w-]{36}\\.[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(await response.json()).toMatchObject({
      person: 'sandbox',
      role: 'owner',
      scopes: ALL_SCOPES,
      merchantAccountId: 'default',
      environment: 'sandbox',
    });
  });

  it('stores no secret', async () => {
    const secret = (await signIn(server)).split('.').at(-1) ?? '';
    const rows = await server.app.db.prisma.dashboardSession.findMany();

    expect(secret).toHaveLength(43);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(server.logs()).not.toContain(secret);
  });

  it('signs nobody in where others may reach it', async () => {
    const open = await startTestServer({ sharesToken: false });
    const response = await postSession(open, pageOf(open));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'SIGN_IN_REQUIRED' } }],
    });
    expect(await open.app.db.prisma.dashboardSession.count()).toBe(0);
    await open.stop();
  });

  it.each([
    ['of a foreign origin', (own: Record<string, string>) => ({ ...own, origin: 'https://shop.example' })],
    ['without an origin', (own: Record<string, string>) => without(own, 'origin')],
    ['without the header', (own: Record<string, string>) => without(own, 'x-paygraph-dashboard')],
  ])('gives no session to a page %s', async (_, change) => {
    const before = await server.app.db.prisma.dashboardSession.count();
    const response = await postSession(server, change(pageOf(server)));

    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await server.app.db.prisma.dashboardSession.count()).toBe(before);
  });
});

describe('a session', () => {
  it('reads the API without a token', async () => {
    const answer = await askAs(server, pageOf(server, await signIn(server)));

    expect(answer.body).toEqual({ data: { transactions: { nodes: [] } } });
  });

  it.each([
    ['of a foreign origin', (own: Record<string, string>) => ({ ...own, origin: 'https://shop.example' })],
    ['without an origin', (own: Record<string, string>) => without(own, 'origin')],
    ['without the header', (own: Record<string, string>) => without(own, 'x-paygraph-dashboard')],
    [
      'of another merchant account',
      (own: Record<string, string>) => ({ ...own, 'x-service-merchant-account-id': 'x' }),
    ],
  ])('is not accepted from a request %s', async (_, change) => {
    const { status, body } = await askAs(server, change(pageOf(server, await signIn(server))));

    expect([401, 403]).toContain(status);
    expect(body.data).toBeUndefined();
  });

  it('opens no REST path', async () => {
    const headers = pageOf(server, await signIn(server));

    expect((await fetch(`${server.url}/transactions`, { headers })).status).toBe(401);
  });

  it('opens a websocket from an own page alone', async () => {
    const cookie = await signIn(server);
    const acknowledged = async (headers: Record<string, string>) => {
      const socket = await openRawSocket(server.url, { headers });
      socket.send({ type: 'connection_init' });
      const first = await Promise.race([socket.next(), socket.closed]);
      socket.close();
      return first;
    };

    expect(await acknowledged({ cookie, origin: server.url })).toEqual({ type: 'connection_ack' });
    for (const headers of [{ cookie, origin: 'https://shop.example' }, { cookie }])
      expect(await acknowledged(headers as Record<string, string>)).toMatchObject({ code: 4401 });
  });

  it('names its person in the audit log', async () => {
    const headers = pageOf(server, await signIn(server));
    const changed = 'mutation { createBuyer(input: { displayName: "Jane" }) { userErrors { code } } }';
    await askAs(server, headers, changed);
    const { body } = await askAs(
      server,
      headers,
      '{ auditLog(first: 1, filter: { action: "buyer.created" }) { nodes { actor { kind subject } } } }',
    );

    expect(body).toEqual({
      data: { auditLog: { nodes: [{ actor: { kind: 'PERSON', subject: 'sandbox' } }] } },
    });
  });

  it('gets another secret after 15 minutes, and keeps the former for a minute', async () => {
    const first = await signIn(server);
    const soon = cookieOf(await postSession(server, pageOf(server, first)));
    clock.advance(16 * 60_000);
    const second = cookieOf(await postSession(server, pageOf(server, first)));
    const late = cookieOf(await postSession(server, pageOf(server, first)));

    expect([soon, late]).toEqual([first, first]);
    expect(second).not.toBe(first);
    expect(second.split('.')[0]).toBe(first.split('.')[0]);
    clock.advance(61_000);
    const statuses = [first, second].map(
      async (cookie) => (await askAs(server, pageOf(server, cookie))).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });

  it('ends after twelve hours, whatever happens', async () => {
    let cookie = await signIn(server);
    for (let quarter = 0; quarter < 47; quarter += 1) {
      clock.advance(15 * 60_000);
      cookie = cookieOf(await postSession(server, pageOf(server, cookie)));
    }
    expect((await askAs(server, pageOf(server, cookie))).status).toBe(200);
    clock.advance(15 * 60_000);

    expect((await askAs(server, pageOf(server, cookie))).status).toBe(401);
  });

  it('ends at once when its person signs out', async () => {
    const cookie = await signIn(server);
    const headers = pageOf(server, cookie);
    const response = await fetch(`${server.url}/dashboard/session`, { method: 'DELETE', headers });

    expect(response.headers.get('set-cookie')).toMatch(/^paygraph_session_\d+=; Path=\/; Max-Age=0;/);
    expect((await askAs(server, headers)).status).toBe(401);
  });

  it('ends with all of its person, and with nobody else, when the person signs out everywhere', async () => {
    const names = ['ana@example.com', 'ana@example.com', 'ben@example.com'];
    const pages = await Promise.all(names.map(async (name) => pageOf(server, await openAs(name, 'support'))));
    const headers = pages[0] ?? {};
    const response = await fetch(`${server.url}/dashboard/sessions`, { method: 'DELETE', headers });

    expect(response.headers.get('set-cookie')).toMatch(/^paygraph_session_\d+=; Path=\/; Max-Age=0;/);
    const statuses = pages.map(async (page) => (await askAs(server, page)).status);
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  it('names in the audit log the person who signs out', async () => {
    const headers = pageOf(server, await openAs('ana@example.com', 'support'));
    await fetch(`${server.url}/dashboard/session`, { method: 'DELETE', headers });
    const { body } = await askAs(
      server,
      pageOf(server, await signIn(server)),
      '{ auditLog(first: 1, filter: { action: "dashboard-session.updated" }) { nodes { actor { kind subject } } } }',
    );

    expect(body).toEqual({
      data: { auditLog: { nodes: [{ actor: { kind: 'PERSON', subject: 'ana@example.com' } }] } },
    });
  });

  it('has the scopes of its role alone', async () => {
    const cookie = await openAs('ana@example.com', 'analyst');
    const { body } = await askAs(server, pageOf(server, cookie), '{ buyers { nodes { id } } }');

    expect(body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

describe('the dashboard', () => {
  it('accepts no session when it is off', async () => {
    const off = await startTestServer({ settings: { PAYGRAPH_DASHBOARD: 'off' } });
    const response = await postSession(off, pageOf(off));
    const { ticket } = await openSession(off.app, {
      person: 'x',
      role: 'owner',
      merchantAccountId: 'default',
      ...VISITOR,
    });
    const cookie = `paygraph_session_${new URL(off.url).port}=${ticket}`;

    expect(response.status).toBe(404);
    expect((await askAs(off, pageOf(off, cookie))).status).toBe(401);
    await off.stop();
  });

  it('has only its API and the probes beside it when it is alone', async () => {
    const alone = await startTestServer({ settings: { PAYGRAPH_DASHBOARD: 'alone' } });
    const statusOf = async (path: string) => (await fetch(`${alone.url}${path}`)).status;

    expect((await askAs(alone, pageOf(alone, await signIn(alone)))).status).toBe(200);
    expect(await statusOf('/ready')).toBe(200);
    for (const path of ['/docs', '/transactions', '/graphiql/in-browser.js', '/openapi.json'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    await alone.stop();
  });
});

it('each role has scopes that exist', () => {
  for (const scopes of Object.values(ROLES)) {
    expect(scopes.length).toBeGreaterThan(0);
    expect(scopes.filter((scope) => !isKnownScope(scope))).toEqual([]);
  }
});
