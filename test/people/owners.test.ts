import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askAs, pageOf } from '../sessions/browser-fetch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { invite, join, type Joined } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ sharesToken: false });
});
afterAll(() => server.stop());

type Refused = { readonly code: string; readonly path: readonly string[]; readonly message: string };
type Payload = { readonly userErrors: readonly Refused[] };
type Change = { readonly role?: string; readonly active?: boolean };

const UPDATE = `mutation ($id: ID!, $input: UpdateDashboardPersonInput!) {
  updateDashboardPerson(id: $id, input: $input) { userErrors { code path message } } }`;

async function update(
  id: string,
  input: Change,
  options: Parameters<TestServer['graphql']>[2],
): Promise<readonly Refused[]> {
  const { body } = await server.graphql<{ updateDashboardPerson: Payload }>(UPDATE, { id, input }, options);
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.updateDashboardPerson.userErrors;
}

const tokenOf = async (...scopes: string[]) => ({ token: await server.mint({ scopes }) });
const asPerson = ({ cookie }: Joined) => ({ token: null, headers: pageOf(server, cookie) });

const stateOf = async (id: string): Promise<string> => {
  const { role, state } = await server.app.db.prisma.dashboardPerson.findFirstOrThrow({ where: { id } });
  return `${state} ${role}`;
};

const suspendAll = () =>
  server.app.db.prisma.dashboardPerson.updateMany({
    data: { state: 'suspended' },
    where: { state: 'active' },
  });

const LAST = 'This person is the last active owner.';

describe('an owner', () => {
  it.each([
    ['suspended', { active: false }],
    ['demoted', { role: 'ANALYST' }],
    ['suspended and demoted', { active: false, role: 'ANALYST' }],
  ])('is not %s by a token that lacks a scope of the owner', async (name, input) => {
    const owner = await join(server, `${name.replaceAll(' ', '')}@example.com`, 'OWNER');
    const token = await tokenOf('dashboard-people.write', '*.read', 'transactions.write');
    const [refused] = await update(owner.id, input, token);

    expect(refused).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await stateOf(owner.id)).toBe('active owner');
    expect((await askAs(server, pageOf(server, owner.cookie))).status).toBe(200);
  });

  it('is not invited again by such a token', async () => {
    const owner = await join(server, 'renewed@example.com', 'OWNER');
    const { body } = await server.graphql<{ renewDashboardInvitation: Payload }>(
      `mutation ($id: ID!) { renewDashboardInvitation(id: $id) { userErrors { code path } } }`,
      { id: owner.id },
      await tokenOf('dashboard-people.write'),
    );

    expect(body.data?.renewDashboardInvitation.userErrors).toEqual([{ code: 'INVALID_INPUT', path: ['id'] }]);
    expect(await stateOf(owner.id)).toBe('active owner');
  });

  it('is suspended and demoted by another owner', async () => {
    const [one, other] = [
      await join(server, 'one@example.com', 'OWNER'),
      await join(server, 'other@example.com', 'OWNER'),
    ];

    expect(await update(other.id, { role: 'SUPPORT' }, asPerson(one))).toEqual([]);
    expect(await stateOf(other.id)).toBe('active support');
    expect(await update(other.id, { active: false }, asPerson(one))).toEqual([]);
    expect(await stateOf(other.id)).toBe('suspended support');
    expect((await askAs(server, pageOf(server, other.cookie))).status).toBe(401);
  });

  it('is changed by a token with all scopes', async () => {
    await join(server, 'stays@example.com', 'OWNER');
    const leaves = await join(server, 'leaves@example.com', 'OWNER');

    expect(await update(leaves.id, { active: false }, { token: await server.mint() })).toEqual([]);
    expect(await stateOf(leaves.id)).toBe('suspended owner');
  });
});

describe('the last active owner', () => {
  it.each([
    ['suspended', { active: false }, 'active'],
    ['demoted', { role: 'DEVELOPER' }, 'role'],
  ])('is not %s, not even with all scopes', async (name, input, field) => {
    await suspendAll();
    const last = await join(server, `last-${name}@example.com`, 'OWNER');
    // An invited owner may never accept.
    await invite(server, `invited-${name}@example.com`, 'OWNER');
    const refused = await update(last.id, input, { token: await server.mint() });

    expect(refused).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', field] }]);
    expect(refused[0]?.message).toContain(LAST);
    expect(await stateOf(last.id)).toBe('active owner');
    expect((await askAs(server, pageOf(server, last.cookie))).status).toBe(200);
  });

  it('may be named an owner again, which changes nothing', async () => {
    await suspendAll();
    const last = await join(server, 'again@example.com', 'OWNER');

    expect(await update(last.id, { role: 'OWNER', active: true }, { token: await server.mint() })).toEqual(
      [],
    );
    expect(await stateOf(last.id)).toBe('active owner');
  });

  it('stays if owners suspend one another at once', async () => {
    await suspendAll();
    const owners = [];
    for (const name of ['ann', 'bea', 'cyd']) owners.push(await join(server, `${name}@example.com`, 'OWNER'));
    const token = await server.mint();
    const answers = await Promise.all(owners.map(({ id }) => update(id, { active: false }, { token })));
    const states = await Promise.all(owners.map(({ id }) => stateOf(id)));

    expect(answers.map((refused) => refused.length).toSorted()).toEqual([0, 0, 1]);
    expect(states.toSorted()).toEqual(['active owner', 'suspended owner', 'suspended owner']);
  });
});

describe('a person with a smaller role', () => {
  it('is changed by a token with the scopes of that role alone', async () => {
    const analyst = await join(server, 'analyst@example.com', 'ANALYST');
    const enough = await tokenOf('dashboard-people.write', '*.read', 'exports.write');

    const [refused] = await update(analyst.id, { active: false }, await tokenOf('dashboard-people.write'));
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', path: ['id'] });
    expect(await update(analyst.id, { active: false }, enough)).toEqual([]);
    expect(await stateOf(analyst.id)).toBe('suspended analyst');
  });
});
