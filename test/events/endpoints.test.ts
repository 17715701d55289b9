import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_NAMES } from '../../src/modules/event-log/index.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventNames: readonly string[];
  readonly state: string;
};
type Refused = {
  readonly __typename: string;
  readonly code: string;
  readonly path: readonly string[];
  readonly message: string;
};
type Created = {
  readonly webhookEndpoint: Endpoint | null;
  readonly secret: string | null;
  readonly userErrors: readonly Refused[];
  readonly replayed: boolean;
};

const FIELDS = 'id merchantAccountId url description eventNames state createdAt updatedAt';
const ERRORS = 'userErrors { __typename code path message }';

let server: TestServer;
let account: { readonly id: string; readonly token: string };
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());
beforeEach(async () => void (account = await server.createMerchantAccount()));

async function ask<Data>(
  document: string,
  variables: Record<string, unknown>,
  token = account.token,
): Promise<Data> {
  const { body } = await server.graphql<Data>(document, variables, { token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

const create = async (input: Record<string, unknown>, key: string | null = null): Promise<Created> =>
  (
    await ask<{ payload: Created }>(
      `mutation ($input: CreateWebhookEndpointInput!, $key: String) {
        payload: createWebhookEndpoint(input: $input, idempotencyKey: $key) {
          webhookEndpoint { ${FIELDS} } secret replayed ${ERRORS} } }`,
      { input, key },
    )
  ).payload;

const update = async (
  id: string,
  input: Record<string, unknown>,
  token?: string,
): Promise<Omit<Created, 'secret'>> =>
  (
    await ask<{ payload: Created }>(
      `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
        payload: updateWebhookEndpoint(id: $id, input: $input) { webhookEndpoint { ${FIELDS} } ${ERRORS} } }`,
      { id, input },
      token,
    )
  ).payload;

const remove = async (
  id: string,
  token?: string,
): Promise<{ deletedId: string | null; userErrors: readonly Refused[] }> =>
  (
    await ask<{ payload: { deletedId: string | null; userErrors: readonly Refused[] } }>(
      `mutation ($id: ID!) { payload: deleteWebhookEndpoint(id: $id) { deletedId ${ERRORS} } }`,
      { id },
      token,
    )
  ).payload;

const find = async (id: string, token?: string): Promise<Endpoint | null> =>
  (
    await ask<{ webhookEndpoint: Endpoint | null }>(
      `query ($id: ID!) { webhookEndpoint(id: $id) { ${FIELDS} } }`,
      { id },
      token,
    )
  ).webhookEndpoint;

const URL = 'https://merchant.example/hooks';
const made = async (input: Record<string, unknown> = {}): Promise<Endpoint> => {
  const { webhookEndpoint } = await create({ url: URL, ...input });
  if (!webhookEndpoint) throw new Error('It was refused.');
  return webhookEndpoint;
};
const count = (): Promise<number> =>
  server.app.db.prisma.webhookEndpoint.count({ where: { merchantAccountId: account.id } });

describe('createWebhookEndpoint', () => {
  it('returns the endpoint and its secret, which is stored sealed only', async () => {
    const created = await create({
      url: URL,
      description: 'Shop',
      eventNames: ['transaction.*', 'refund.succeeded', 'transaction.*'],
    });

    expect(created).toEqual({
      webhookEndpoint: {
        id: expect.any(String),
        merchantAccountId: account.id,
        url: URL,
        description: 'Shop',
        eventNames: ['transaction.*', 'refund.succeeded'],
        state: 'ACTIVE',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      replayed: false,
      userErrors: [],
    });
    const [stored] = await server.app.db.prisma.webhookSecret.findMany({
      where: { merchantAccountId: account.id },
    });
    expect(stored?.sealed).not.toContain((created.secret ?? '').slice(6));
  });

  it('answers a repeated key from its record, without the secret, and refuses the key for other input', async () => {
    const first = await create({ url: URL }, 'key-1');

    const again = await create({ url: URL, description: null }, 'key-1');
    const other = await create({ url: `${URL}/other` }, 'key-1');

    expect(again).toEqual({ ...first, secret: null, replayed: true });
    expect(other).toMatchObject({
      webhookEndpoint: null,
      secret: null,
      userErrors: [{ __typename: 'IdempotencyKeyReused' }],
    });
    expect(await count()).toBe(1);
    const [record] = await server.app.db.prisma.idempotencyKey.findMany({
      where: { merchantAccountId: account.id },
    });
    expect(record?.result).not.toContain('whsec_');
  });

  it.each([
    [{ url: '' }, ['input', 'url'], 'Must be 1 to 2000 characters.'],
    [{ url: `https://a.example/${'a'.repeat(2_000)}` }, ['input', 'url'], 'Must be 1 to 2000 characters.'],
    [{ url: 'merchant.example' }, ['input', 'url'], 'Must be an absolute https URL.'],
    [{ url: 'ftp://merchant.example' }, ['input', 'url'], 'Must be an absolute https URL.'],
    [
      { url: 'https://a:b@merchant.example' },
      ['input', 'url'],
      'Must not contain a user name or a password.',
    ],
    [
      { url: 'https://169.254.169.254/' },
      ['input', 'url'],
      'Must not be an address of a private or reserved network.',
    ],
    [
      { url: 'https://[::ffff:10.0.0.1]/' },
      ['input', 'url'],
      'Must not be an address of a private or reserved network.',
    ],
    [
      { url: ' https://merchant.example/' },
      ['input', 'url'],
      'Must not contain spaces or control characters.',
    ],
    [
      { url: 'https://merchant.example/\u0000' },
      ['input', 'url'],
      'Must not contain spaces or control characters.',
    ],
    [
      { url: 'https://merchant.example/\ud800' },
      ['input', 'url'],
      'Must not contain spaces or control characters.',
    ],
    [{ description: '😀'.repeat(256) }, ['input', 'description'], 'Must be at most 255 characters.'],
    [{ description: 'a\u0000b' }, ['input', 'description'], 'Must not contain control characters.'],
    [
      { eventNames: ['transaction.*', 'transaction'] },
      ['input', 'eventNames', '1'],
      /^Must be an event name such as/,
    ],
    [
      { eventNames: ['transaction.captured', 'transaction.capturd'] },
      ['input', 'eventNames', '1'],
      'No event has such a name. Did you mean transaction.captured? The query eventTypes lists all names.',
    ],
    [
      { eventNames: ['transactions.*'] },
      ['input', 'eventNames', '0'],
      'No event has such a name. Did you mean transaction.*? The query eventTypes lists all names.',
    ],
    [{ eventNames: Array.from({ length: 51 }, () => '*') }, ['input', 'eventNames'], 'Give at most 50.'],
  ])('refuses %j', async (input, path, message) => {
    const refused = await create({ url: URL, ...input });

    expect(refused).toMatchObject({
      webhookEndpoint: null,
      secret: null,
      userErrors: [
        {
          __typename: 'InvalidInput',
          code: 'INVALID_INPUT',
          path,
          message: typeof message === 'string' ? message : expect.stringMatching(message),
        },
      ],
    });
    expect(await count()).toBe(0);
  });

  it('lists every fault in one answer and accepts values just within the limits', async () => {
    const { userErrors } = await create({
      url: 'x',
      description: 'a'.repeat(256),
      eventNames: ['x', '*', 'y'],
    });
    const fits = await made({
      description: '😀'.repeat(255),
      eventNames: EVENT_NAMES.slice(0, 50),
    });

    expect(userErrors.map(({ path }) => path.slice(1).join('.'))).toEqual([
      'url',
      'description',
      'eventNames.0',
      'eventNames.2',
    ]);
    expect(fits.eventNames).toHaveLength(50);
  });

  it('refuses a 51st endpoint, even among concurrent requests, and uses up no key for the refusal', async () => {
    for (let index = 0; index < 48; index += 1) await made();
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ url: URL })));
    const refused = await create({ url: URL }, 'late');

    expect(answers.filter(({ webhookEndpoint }) => webhookEndpoint)).toHaveLength(2);
    expect(refused.userErrors).toMatchObject([
      {
        code: 'INVALID_INPUT',
        path: ['input'],
        message: 'A merchant account has at most 50 webhook endpoints. Delete one first.',
      },
    ]);
    expect(await count()).toBe(50);

    const [one] = answers.flatMap(({ webhookEndpoint }) => webhookEndpoint ?? []);
    await remove(one?.id ?? '');
    expect(await create({ url: URL }, 'late')).toMatchObject({ replayed: false, userErrors: [] });
  });
});

describe('updateWebhookEndpoint', () => {
  it('changes the given fields only, and a null description clears the description', async () => {
    const { id } = await made({ description: 'Shop', eventNames: ['refund.*'] });

    await update(id, { url: `${URL}/new` });
    expect(await find(id)).toMatchObject({
      url: `${URL}/new`,
      description: 'Shop',
      eventNames: ['refund.*'],
      state: 'ACTIVE',
    });
    await update(id, { description: null, eventNames: null, url: null, active: null });
    expect(await find(id)).toMatchObject({
      url: `${URL}/new`,
      description: null,
      eventNames: ['refund.*'],
      state: 'ACTIVE',
    });
    await update(id, { eventNames: [] });
    expect(await find(id)).toMatchObject({ eventNames: [] });
  });

  it('stops and starts it', async () => {
    const { id } = await made();

    expect(await update(id, { active: false })).toMatchObject({
      webhookEndpoint: { state: 'DISABLED' },
      userErrors: [],
    });
    const stopped = await server.app.db.prisma.webhookEndpoint.findFirst({ where: { id } });
    expect(stopped).toMatchObject({
      stateReason: 'Stopped by the merchant.',
      disabledAt: expect.any(Date),
    });
    expect(await update(id, { active: true })).toMatchObject({ webhookEndpoint: { state: 'ACTIVE' } });
    expect(await server.app.db.prisma.webhookEndpoint.findFirst({ where: { id } })).toMatchObject({
      stateReason: null,
      disabledAt: null,
    });
  });

  it('refuses bad values and changes nothing', async () => {
    const { id } = await made();

    const refused = await update(id, {
      url: 'https://127.0.0.1.nip.io:x/',
      description: 'a\nb',
      active: false,
    });

    expect(refused.userErrors.map(({ path }) => path)).toEqual([
      ['input', 'url'],
      ['input', 'description'],
    ]);
    expect(await find(id)).toMatchObject({ url: URL, state: 'ACTIVE' });
  });
});

describe('deleteWebhookEndpoint', () => {
  it('deletes once, returns the same answer again, and destroys the secret', async () => {
    const { id } = await made();

    expect(await remove(id)).toEqual({ deletedId: id, userErrors: [] });
    expect(await remove(id)).toEqual({ deletedId: id, userErrors: [] });

    expect(await find(id)).toBeNull();
    expect((await update(id, { active: true })).userErrors).toMatchObject([
      { __typename: 'NotFound', path: ['id'] },
    ]);
    expect(await server.app.db.prisma.webhookSecret.count({ where: { endpointId: id } })).toBe(0);
  });
});

describe('another merchant account', () => {
  it('gets the same answers for a foreign id as for an unknown one', async () => {
    const { id } = await made();
    const { token } = await server.createMerchantAccount();

    for (const unknown of [id, id.toUpperCase(), server.app.ids.uuid(), 'no-uuid', '']) {
      expect(await find(unknown, token)).toBeNull();
      expect((await update(unknown, { active: false }, token)).userErrors).toMatchObject([
        { __typename: 'NotFound' },
      ]);
      expect((await remove(unknown, token)).userErrors).toMatchObject([{ __typename: 'NotFound' }]);
    }
    expect(await find(id)).toMatchObject({ state: 'ACTIVE' });
    expect(await find(id.toUpperCase())).toMatchObject({ id });
  });
});

describe('webhookEndpoints', () => {
  const list = async (args: string) =>
    (
      await ask<{
        webhookEndpoints: { nodes: Endpoint[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      }>(`{ webhookEndpoints(${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`, {})
    ).webhookEndpoints;

  it('lists those of the merchant account page by page, newest first', async () => {
    const ids = [(await made()).id, (await made()).id, (await made()).id];
    await remove((await made()).id);

    const first = await list('first: 2');
    const second = await list(`first: 2, after: "${first.pageInfo.endCursor}"`);
    const last = await list('last: 1');

    expect(first).toMatchObject({ nodes: [{ id: ids[2] }, { id: ids[1] }], pageInfo: { hasNextPage: true } });
    expect(second).toMatchObject({ nodes: [{ id: ids[0] }], pageInfo: { hasNextPage: false } });
    expect(last).toMatchObject({ nodes: [{ id: ids[0] }] });
  });
});
