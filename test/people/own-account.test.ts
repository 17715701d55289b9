import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askAs, cookieOf, pageOf, signIn } from '../sessions/browser-fetch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { codeAt, join, PASSWORD, post, signInAs, type Joined } from './people.ts';

const PROXY = '127.0.0.1';
const OTHER = 'seven wooden boats sail west';

let clock: ShiftedClock;
let server: TestServer;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({
    ...{ clock, sharesToken: false },
    settings: { PAYGRAPH_TRUSTED_PROXIES: PROXY },
  });
});
afterAll(() => server.stop());

type Answer = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly errors?: readonly { message: string; extensions: { code: string; path?: readonly string[] } }[];
  };
};

/** Posts to a path of the own account, as the page of a person does. */
async function ask(
  { cookie }: Pick<Joined, 'cookie'>,
  path: string,
  body: object = {},
  more: Record<string, string> = {},
): Promise<Answer> {
  const response = await post(server, `account${path}`, body, { ...pageOf(server, cookie), ...more });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const changePassword = (
  person: Joined,
  password: string,
  newPassword = OTHER,
  more?: Record<string, string>,
) => ask(person, '/password', { proof: { password }, newPassword }, more);

/** A second session of a person, in another browser. */
async function secondSession(person: Joined): Promise<Record<string, string>> {
  clock.advance(31_000);
  return pageOf(server, cookieOf(await signInAs(server, person)));
}

const statusOf = async (headers: Record<string, string>): Promise<number> =>
  (await askAs(server, headers)).status;

async function entriesOf(id: string): Promise<readonly { action: string; actor: { subject: string } }[]> {
  const { body } = await server.graphql<{
    auditLog: { nodes: { action: string; actor: { subject: string }; target: { id: string } }[] };
  }>(
    '{ auditLog(first: 100) { nodes { action actor { subject } target { id } before after } } }',
    {},
    { token: await server.mint() },
  );
  return (body.data?.auditLog.nodes ?? []).filter(({ target }) => target.id === id);
}

describe('the own account', () => {
  it('shows the means to sign in, and no secret', async () => {
    const ada = await join(server, 'ada@example.com');
    const { body } = await ask(ada, '');

    expect(body).toEqual({
      ...{ email: 'ada@example.com', usesIdentityProvider: false, hasPassword: true },
      ...{ recoveryCodesLeft: 10, passkeys: [] },
    });
  });

  it('is nobody else’s: without a session, from a foreign page, and for the visitor of a sandbox', async () => {
    const bea = await join(server, 'bea@example.com');
    const sandbox = await startTestServer();
    const visitor = await post(sandbox, 'account', {}, pageOf(sandbox, await signIn(sandbox)));
    const foreign = { origin: 'https://shop.example' };

    expect((await post(server, 'account', {})).status).toBe(401);
    expect((await ask(bea, '', {}, foreign)).status).toBe(403);
    expect((await changePassword(bea, PASSWORD, OTHER, foreign)).status).toBe(403);
    expect(visitor.status).toBe(404);
    expect((await signInAs(server, bea, { code: bea.code })).status).toBe(401);
    clock.advance(31_000);
    expect((await signInAs(server, bea)).status).toBe(200);
    await sandbox.stop();
  });
});

describe('a change of the password', () => {
  it('counts at once, ends the other sessions, and has an entry of the person', async () => {
    const cid = await join(server, 'cid@example.com');
    const other = await secondSession(cid);
    const { status } = await changePassword(cid, PASSWORD);
    const [latest] = await entriesOf(cid.id);

    expect(status).toBe(200);
    expect([await statusOf(other), await statusOf(pageOf(server, cid.cookie))]).toEqual([401, 200]);
    clock.advance(31_000);
    expect((await signInAs(server, cid)).status).toBe(401);
    expect((await signInAs(server, cid, { password: OTHER })).status).toBe(200);
    expect(latest).toMatchObject({
      action: 'dashboard-person.updated',
      actor: { subject: 'cid@example.com' },
    });
    expect(JSON.stringify(await entriesOf(cid.id))).not.toContain('argon2id');
  });

  it.each([
    ['the present password is wrong', 'wrong horse battery staple', OTHER, ['password']],
    ['the new password is weak', PASSWORD, 'short', ['newPassword']],
  ])('is refused if %s, and changes nothing', async (name, present, next, path) => {
    const dan = await join(server, `dan${name.length}@example.com`);
    const other = await secondSession(dan);
    const { status, body } = await changePassword(dan, present, next);

    expect(status).toBe(400);
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', path });
    expect(await statusOf(other)).toBe(200);
    clock.advance(31_000);
    expect((await signInAs(server, dan)).status).toBe(200);
  });

  it('is refused after five wrong attempts, also with the right password, until the wait is over', async () => {
    const eva = await join(server, 'eva@example.com');
    for (let attempt = 0; attempt < 6; attempt += 1) await changePassword(eva, 'wrong horse battery staple');
    const tooSoon = await changePassword(eva, PASSWORD);
    clock.advance(16 * 60_000);
    const later = await changePassword(eva, PASSWORD);
    const refused = (await entriesOf(eva.id)).filter(({ action }) => action === 'dashboard-sign-in.refused');

    expect([tooSoon.status, later.status]).toEqual([400, 200]);
    expect(refused).toHaveLength(7);
  });

  it('happens once, of two at once', async () => {
    const fay = await join(server, 'fay@example.com');
    const both = await Promise.all([
      changePassword(fay, PASSWORD, OTHER),
      changePassword(fay, PASSWORD, 'nine green lamps glow softly'),
    ]);

    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe('a renewal of the codes', () => {
  const renew = async (person: Joined, changes: object = {}) => {
    const { body: offered } = await ask(person, '/codes/offer');
    const { totpSecret: secret, offer } = offered as { totpSecret: string; offer: string };
    const code = codeAt(secret, clock.now());
    const given = { proof: { password: PASSWORD }, offer, code, ...changes };
    return { secret, offer, ...(await ask(person, '/codes', given)) };
  };

  it('replaces the secret and the recovery codes, and ends the other sessions', async () => {
    const gus = await join(server, 'gus@example.com');
    const other = await secondSession(gus);
    const { status, body, secret } = await renew(gus);
    const codes = body['recoveryCodes'] as readonly string[];
    clock.advance(31_000);

    expect([status, codes.length, await statusOf(other)]).toEqual([200, 10, 401]);
    expect((await signInAs(server, gus)).status).toBe(401);
    expect((await signInAs(server, gus, { code: gus.recoveryCodes[0] ?? '' })).status).toBe(401);
    expect((await signInAs(server, { ...gus, secret })).status).toBe(200);
    expect((await signInAs(server, gus, { code: codes[0] ?? '' })).status).toBe(200);
  });

  it.each([
    ['a wrong password', { proof: { password: 'wrong horse battery staple' } }, ['password']],
    ['no password', { proof: {} }, ['password']],
    ['a wrong code', { code: '000000' }, ['code']],
    ['an offer that the server never made', { offer: 'x' }, ['code']],
  ])('is refused with %s, and the former codes stay', async (name, changes, path) => {
    const hal = await join(server, `hal${name.length}@example.com`);
    const { status, body } = await renew(hal, changes);
    clock.advance(31_000);

    expect(status).toBe(400);
    expect(body.errors?.[0]?.extensions.path).toEqual(path);
    expect((await signInAs(server, hal)).status).toBe(200);
  });

  it('takes no offer of another person', async () => {
    const [ida, jon] = [await join(server, 'ida@example.com'), await join(server, 'jon@example.com')];
    const { body } = await ask(ida, '/codes/offer');
    const { totpSecret, offer } = body as { totpSecret: string; offer: string };

    expect((await renew(jon, { offer, code: codeAt(totpSecret, clock.now()) })).status).toBe(400);
  });
});

describe('a passkey of the own account', () => {
  it('is offered after the right password alone', async () => {
    const kay = await join(server, 'kay@example.com');
    const offer = (password: string) => ask(kay, '/passkeys/challenge', { proof: { password } });
    const [wrong, right] = [await offer('wrong horse battery staple'), await offer(PASSWORD)];

    expect([wrong.status, right.status]).toEqual([400, 200]);
    expect(wrong.body['challenge']).toBeUndefined();
    expect(right.body['challenge']).toEqual(expect.any(String));
  });

  it('is neither named nor removed by another person', async () => {
    const [lea, max] = [await join(server, 'lea@example.com'), await join(server, 'max@example.com')];
    const { merchantAccountId } = server;
    const id = server.app.ids.uuid();
    await server.app.db.prisma.dashboardPasskey.create({
      data: {
        ...{ merchantAccountId, id, personId: lea.id, credentialId: 'x', publicKey: Buffer.from('x') },
        ...{ counter: 0n, transports: [], name: 'Phone', createdAt: clock.now(), lastUsedAt: null },
      },
    });
    const named = await ask(max, '/passkeys/name', { id, name: 'Mine' });
    const removed = await ask(max, '/passkeys/remove', { id, proof: { password: PASSWORD } });

    expect([named.status, removed.status]).toEqual([404, 404]);
    expect((await ask(lea, '')).body['passkeys']).toMatchObject([{ id, name: 'Phone' }]);
    expect((await ask(lea, '/passkeys/name', { id, name: ' Old phone ' })).status).toBe(200);
    expect((await ask(lea, '')).body['passkeys']).toMatchObject([{ id, name: 'Old phone' }]);
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual([
      'dashboard-passkey.updated',
      'dashboard-passkey.created',
    ]);
    expect((await ask(lea, '/passkeys/remove', { id, proof: { password: PASSWORD } })).status).toBe(200);
    expect((await ask(lea, '')).body['passkeys']).toEqual([]);
  });
});
