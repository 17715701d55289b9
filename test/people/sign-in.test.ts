import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askAs, cookieOf, pageOf } from '../sessions/browser-fetch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { codeAt, invite, join, PASSWORD, post, signInAs, ticketOf, type Joined } from './people.ts';

const PROXY = '127.0.0.1';

let clock: ShiftedClock;
let server: TestServer;
let ada: Joined;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({
    clock,
    sharesToken: false,
    settings: { PAYGRAPH_TRUSTED_PROXIES: PROXY },
  });
  ada = await join(server, 'ada@example.com');
});
afterAll(() => server.stop());

/** The next code of an app, because each code counts once. */
const later = (): void => clock.advance(31_000);

/** The headers of a page in another network. */
const from = (address: string) => ({ ...pageOf(server), 'x-forwarded-for': address });

const REFUSED = { errors: [{ extensions: { code: 'SIGN_IN_REFUSED' } }] };

const refusals = async (): Promise<readonly unknown[]> => {
  const { body } = await server.graphql<{ auditLog: { nodes: { after: unknown }[] } }>(
    '{ auditLog(first: 100, filter: { action: "dashboard-sign-in.refused" }) { nodes { target { id } actor { kind subject address } after } } }',
    {},
    { token: await server.mint() },
  );
  return body.data?.auditLog.nodes ?? [];
};

describe('a person with a password', () => {
  it('signs in with password and code, and has the scopes of the role', async () => {
    later();
    const response = await signInAs(server, { ...ada, email: ' ADA@example.com ' });
    const headers = pageOf(server, cookieOf(response));

    expect(await response.json()).toMatchObject({
      ...{ person: 'ada@example.com', personId: ada.id, role: 'support', merchantAccountId: 'default' },
    });
    expect((await askAs(server, headers)).body).toEqual({ data: { transactions: { nodes: [] } } });
    expect(
      (await askAs(server, headers, '{ apiKeyPairs { nodes { id } } }')).body.errors?.[0]?.extensions.code,
    ).toBe('FORBIDDEN');
  });

  it('uses each code once', async () => {
    later();
    const code = codeAt(ada.secret, clock.now());
    const statuses = [await signInAs(server, ada, { code }), await signInAs(server, ada, { code })].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([200, 401]);
  });

  it('uses each recovery code once, of two requests at once in one', async () => {
    later();
    const [first = '', second = ''] = ada.recoveryCodes;
    const both = await Promise.all([first, first].map((code) => signInAs(server, ada, { code })));
    const other = await signInAs(server, ada, { code: second.toUpperCase().replaceAll('-', ' ') });

    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(other.status).toBe(200);
    expect((await signInAs(server, ada, { code: first })).status).toBe(401);
  });

  it('gets a new session, and the former session of the browser ends', async () => {
    later();
    const former = pageOf(server, cookieOf(await signInAs(server, ada)));
    later();
    const response = await signInAs(server, ada, {}, former);

    expect(response.status).toBe(200);
    expect(cookieOf(response)).not.toBe(former['cookie']);
    expect((await askAs(server, former)).status).toBe(401);
    expect((await askAs(server, pageOf(server, cookieOf(response)))).status).toBe(200);
  });

  it.each([
    ['the password', { password: 'wrong horse battery staple' }],
    ['the code', { code: '000000' }],
    ['the recovery code', { code: 'aaaa-aaaa-aaaa-aaaa' }],
    ['the address', { email: 'nobody@example.com' }],
    ['the merchant account', { merchantAccountId: 'none' }],
    ['the form of the address', { email: "' OR 1=1 --" }],
  ])('is refused in the same words if %s is wrong', async (_, changes) => {
    later();
    const response = await signInAs(server, ada, changes, from('192.0.2.1'));

    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await response.json()).toMatchObject(REFUSED);
  });

  it('is refused from a page of another origin', async () => {
    later();
    const response = await signInAs(server, ada, {}, { ...pageOf(server), origin: 'https://shop.example' });

    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('leaves each refused attempt in the audit log, without what was typed', async () => {
    later();
    await signInAs(server, ada, { password: 'hunter2hunter2' }, from('192.0.2.9'));
    await signInAs(server, ada, { email: 'hunter3@example.com' }, from('192.0.2.9'));
    const [unknown, wrong] = await refusals();

    expect(wrong).toEqual({
      target: { id: ada.id },
      actor: { kind: 'PERSON', subject: 'ada@example.com', address: '192.0.2.9' },
      after: { reason: 'wrong password', signedInWith: 'password' },
    });
    expect(unknown).toMatchObject({ actor: { subject: 'unknown' }, after: { reason: 'unknown person' } });
    const stored = JSON.stringify([await refusals(), await server.app.db.prisma.dashboardPerson.findMany()]);
    for (const typed of ['hunter2', 'hunter3', PASSWORD, ada.secret, ada.recoveryCodes[5] ?? '?'])
      expect([typed, stored.includes(typed), server.logs().includes(typed)]).toEqual([typed, false, false]);
  });
});

describe('an invitation', () => {
  it('is accepted once, and stores no secret', async () => {
    const invited = await invite(server, 'eva@example.com', 'ANALYST');
    const ticket = ticketOf(invited);
    const opened = (await (await post(server, 'invitation', { ticket })).json()) as Record<string, string>;
    const again = (await (await post(server, 'invitation', { ticket })).json()) as Record<string, string>;
    const secret = opened['totpSecret'] ?? '';
    const accept = () =>
      post(server, 'invitation/password', { ticket, password: PASSWORD, code: codeAt(secret, clock.now()) });
    const statuses = (await Promise.all([accept(), accept()])).map(({ status }) => status);

    expect(opened).toMatchObject({ person: { email: 'eva@example.com', role: 'analyst' } });
    expect(opened['totpAddress']).toContain(`secret=${secret}`);
    expect(again).toEqual(opened);
    expect(statuses.toSorted()).toEqual([200, 404]);
    expect((await post(server, 'invitation', { ticket })).status).toBe(404);
    const rows = JSON.stringify(await server.app.db.prisma.dashboardPerson.findMany());
    for (const kept of [secret, ticket.split('.')[1] ?? '?']) expect(rows).not.toContain(kept);
  });

  it('expires after 72 hours', async () => {
    const ticket = ticketOf(await invite(server, 'fay@example.com'));
    clock.advance(72 * 3_600_000 - 1_000);
    const before = await post(server, 'invitation', { ticket });
    clock.advance(2_000);
    const after = await post(server, 'invitation', { ticket });

    expect([before.status, after.status]).toEqual([200, 404]);
  });

  it.each([
    ['a short password', { password: 'short' }, ['password']],
    ['a password with the own name', { password: 'gus-gus-gus-2026' }, ['password']],
    ['a wrong code', { code: '000000' }, ['code']],
  ])('refuses %s, and still counts', async (name, changes, path) => {
    const fresh = ticketOf(await invite(server, `gus@${name.length}.example.com`, 'ANALYST'));
    const { totpSecret = '' } = (await (await post(server, 'invitation', { ticket: fresh })).json()) as {
      totpSecret?: string;
    };
    const given = { ticket: fresh, password: PASSWORD, code: codeAt(totpSecret, clock.now()) };
    const response = await post(server, 'invitation/password', { ...given, ...changes });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_INPUT', path } }],
    });
    expect((await post(server, 'invitation/password', given)).status).toBe(200);
  });

  it.each([
    '',
    'x',
    'x.y',
    `${'0'.repeat(8)}-0000-0000-0000-000000000000.${'A'.repeat(43)}`,
    `%00.${'A'.repeat(43)}`,
  ])('is no text like %j', async (ticket) => {
    expect([400, 404]).toContain((await post(server, 'invitation', { ticket })).status);
  });
});
