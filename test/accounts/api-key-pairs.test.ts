import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KEY_PAIR, startAccountsApi, type AccountsApi, type ApiKeyPair, type PageInfo } from './api.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  await api.createMerchantAccount({ id: 'shop', displayName: 'Shop' });
  await api.createMerchantAccount({ id: 'other', displayName: 'Other' });
});
afterAll(() => api.server.stop());

const find = async (id: string, token?: string): Promise<ApiKeyPair | null> => {
  const document = `query ($id: ID!) { apiKeyPair(id: $id) ${KEY_PAIR} }`;
  const { data } = await api.ask<{ apiKeyPair: ApiKeyPair | null }>(document, { id }, token);
  return data?.apiKeyPair ?? null;
};
const page = async (args: string, token?: string) => {
  const { data } = await api.ask<{
    apiKeyPairs: { nodes: { id: string }[]; pageInfo: PageInfo };
  }>(
    `{ apiKeyPairs(${args}) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    {},
    token,
  );
  if (!data) throw new Error('No page was answered.');
  return { ids: data.apiKeyPairs.nodes.map(({ id }) => id), ...data.apiKeyPairs.pageInfo };
};
const made = async (input: object = {}): Promise<ApiKeyPair> => {
  const { node } = await api.createApiKeyPair(input);
  if (!node) throw new Error('No key pair was made.');
  return node;
};

describe('reading', () => {
  test('shows a key only pairs with no more rights than its own', async () => {
    const { token, pair } = await api.createUser({ merchantAccountIds: ['shop', 'default'] });
    const narrower = await made({ merchantAccountIds: ['shop'] });
    const foreign = await made({ merchantAccountIds: ['other'] });
    const wider = await made({ merchantAccountIds: ['shop', 'other'] });
    const unlimited = await made();

    expect(await find(narrower.id, token)).toEqual(narrower);
    expect(await find(narrower.id.toUpperCase(), token)).toEqual(narrower);
    expect(await find(pair.id, token)).toMatchObject({ id: pair.id, lastUsedAt: expect.any(String) });
    for (const { id } of [foreign, wider, unlimited]) expect(await find(id, token)).toBeNull();
    for (const id of ['', 'nonsense', "' OR true --", 'a\0b', api.server.app.ids.uuid()]) {
      expect(await find(id, token)).toBeNull();
    }
    expect((await page('first: 100', token)).ids).toEqual([narrower.id, pair.id]);
    expect(await find(foreign.id)).toEqual(foreign);
  });

  test('pages through the list both ways, newest first', async () => {
    const { token, pair } = await api.createUser({ merchantAccountIds: ['other'] });
    const ids = [pair.id];
    for (let count = 0; count < 4; count += 1)
      ids.unshift((await made({ merchantAccountIds: ['other'] })).id);
    const first = await page('first: 2', token);
    expect(first).toMatchObject({ ids: ids.slice(0, 2), hasNextPage: true, hasPreviousPage: false });
    const second = await page(`first: 2, after: "${first.endCursor}"`, token);
    expect(second).toMatchObject({ ids: ids.slice(2, 4), hasNextPage: true, hasPreviousPage: true });
    const back = await page(`last: 1, before: "${second.startCursor}"`, token);
    expect(back).toMatchObject({ ids: ids.slice(1, 2), hasNextPage: true, hasPreviousPage: true });
  });

  test.each([
    ['first: 101', 'first'],
    ['last: 1, first: 1', 'first'],
    ['after: "nonsense"', 'after'],
    [`before: "c1.${Buffer.from('nonsense').toString('base64url')}"`, 'before'],
  ])('refuses the page %s', async (args, path) => {
    const { errors } = await api.ask(`{ apiKeyPairs(${args}) { nodes { id } } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', refusals: [{ path: [path] }] } }]);
  });

  test('needs its scope', async () => {
    const token = await api.server.mint({ scopes: ['*.write', 'merchant-accounts.read'] });
    const { errors } = await api.ask('{ apiKeyPairs { nodes { id } } }', {}, token);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(errors[0]?.message).toContain('api-key-pairs.read');
  });
});

describe('updating', () => {
  test('changes the given fields only', async () => {
    const pair = await made();
    const renamed = await api.updateApiKeyPair(pair.id, { displayName: 'Renamed', active: null });
    expect(renamed.userErrors).toEqual([]);
    expect(renamed.node).toEqual({ ...pair, displayName: 'Renamed', updatedAt: expect.any(String) });
    const expiring = await api.updateApiKeyPair(pair.id, { expiresAt: '2099-01-31T09:30:00+01:00' });
    expect(expiring.node).toMatchObject({ displayName: 'Renamed', expiresAt: '2099-01-31T08:30:00.000Z' });
    const endless = await api.updateApiKeyPair(pair.id, { expiresAt: null });
    expect(endless.node).toMatchObject({ expiresAt: null });
  });

  test.each([
    ['disabled', { active: false }],
    ['expired', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('invalidates the tokens of a key that is %s at once', async (_how, input) => {
    const { token, pair } = await api.createUser({});
    expect((await api.ask('{ apiKeyPairs { nodes { id } } }', {}, token)).errors).toEqual([]);
    await api.updateApiKeyPair(pair.id, input);
    const { status, headers, body } = await api.server.graphql(
      '{ apiKeyPairs { nodes { id } } }',
      {},
      { token },
    );
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(body.errors).toEqual([
      {
        message: 'The access token is missing, expired or not valid.',
        extensions: { code: 'UNAUTHENTICATED' },
      },
    ]);
  });

  test('accepts revoked tokens again only for a token with every scope of the key', async () => {
    const pair = await made({ scopes: ['*.read', '*.write'] });
    const token = await api.server.mint({ scopes: ['api-key-pairs.write', 'api-key-pairs.read'] });
    const moment = '2026-01-01T00:00:00.000Z';
    const stopped = await api.updateApiKeyPair(pair.id, { tokensNotBefore: moment }, token);
    expect(stopped).toMatchObject({ node: { tokensNotBefore: moment }, userErrors: [] });

    for (const tokensNotBefore of [null, '2025-12-31T23:59:59Z']) {
      const { userErrors } = await api.updateApiKeyPair(pair.id, { tokensNotBefore }, token);
      expect(userErrors.map(({ path }) => path)).toEqual([['input', 'tokensNotBefore']]);
    }
    expect(await find(pair.id)).toEqual(stopped.node);
    const restored = await api.updateApiKeyPair(pair.id, { tokensNotBefore: null });
    expect(restored).toMatchObject({ node: { tokensNotBefore: null }, userErrors: [] });
  });

  test('refuses to revoke the tokens of the future', async () => {
    const pair = await made();

    const { node, userErrors } = await api.updateApiKeyPair(pair.id, {
      tokensNotBefore: '2099-01-01T00:00:00Z',
    });

    expect(node).toBeNull();
    expect(userErrors).toMatchObject([
      { path: ['input', 'tokensNotBefore'], message: 'Must not be in the future.' },
    ]);
    expect(await find(pair.id)).toEqual(pair);
  });

  test('lists every fault and changes nothing', async () => {
    const pair = await made();
    const input = { displayName: '', expiresAt: '1969-12-31T23:59:59Z' };
    const { node, userErrors } = await api.updateApiKeyPair(pair.id, input);
    expect(node).toBeNull();
    expect(userErrors.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['input.displayName', 'Must be 1 to 200 characters.'],
      ['input.expiresAt', 'Must not be before 1970.'],
    ]);
    expect(await find(pair.id)).toEqual(pair);
  });

  test('answers a pair with more rights like an unknown one', async () => {
    const pair = await made();
    const { token } = await api.createUser({ merchantAccountIds: ['shop'] });
    const foreign = await api.updateApiKeyPair(pair.id, { active: false }, token);
    const unknown = await api.updateApiKeyPair(api.server.app.ids.uuid(), { active: false }, token);
    expect(foreign).toEqual(unknown);
    expect(foreign).toMatchObject({ node: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] });
    expect(await find(pair.id)).toEqual(pair);
  });

  test('lets a token with few scopes disable a key, and not enable it', async () => {
    const pair = await made({ scopes: ['*.read', '*.write'], expiresAt: '2099-01-01T00:00:00Z' });
    const token = await api.server.mint({ scopes: ['api-key-pairs.write', 'api-key-pairs.read'] });
    const sooner = { active: false, expiresAt: '2098-01-01T00:00:00Z' };
    const stopped = await api.updateApiKeyPair(pair.id, sooner, token);
    expect(stopped).toMatchObject({ node: { active: false }, userErrors: [] });

    const message = 'Your token lacks a scope of this key pair. Use a token with all of its scopes.';
    for (const expiresAt of ['2099-01-01T00:00:00Z', null]) {
      const { userErrors } = await api.updateApiKeyPair(pair.id, { active: true, expiresAt }, token);
      expect(userErrors).toMatchObject([
        { code: 'INVALID_INPUT', message, path: ['input', 'active'] },
        { code: 'INVALID_INPUT', message, path: ['input', 'expiresAt'] },
      ]);
    }
    expect(await find(pair.id)).toEqual(stopped.node);
    const back = await api.updateApiKeyPair(pair.id, { active: true, expiresAt: null });
    expect(back).toMatchObject({ node: { active: true, expiresAt: null } });
  });
});
