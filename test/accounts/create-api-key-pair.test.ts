import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { mintFor, startAccountsApi, type AccountsApi } from './api.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  await api.createMerchantAccount({ id: 'shop', displayName: 'Shop' });
  await api.createMerchantAccount({ id: 'other', displayName: 'Other' });
});
afterAll(() => api.server.stop());

const spki = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const newPublicKey = (): string => spki(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
const WRITER = { displayName: 'Writer', scopes: ['transactions.write'] };
const reach = (token: string) => api.ask('{ merchantAccounts { nodes { id } } }', {}, token);

describe('a generated key pair', () => {
  test('is returned with its private half, once, which is stored nowhere', async () => {
    const made = await api.createApiKeyPair({ scopes: ['merchant-accounts.read'] }, 'key-once');
    expect(made).toMatchObject({ userErrors: [], replayed: false });
    expect(made.node).toMatchObject({
      displayName: 'Key',
      algorithm: 'ES256',
      scopes: ['merchant-accounts.read'],
      merchantAccountIds: [],
      active: true,
      expiresAt: null,
      lastUsedAt: null,
    });
    const { node, privateKey } = made;
    if (!node || !privateKey) throw new Error('No key pair was made.');
    expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(await calculateJwkThumbprint(createPublicKey(privateKey).export({ format: 'jwk' }))).toBe(
      node.thumbprint,
    );
    const { data } = await reach(await mintFor(api.server, node, privateKey));
    expect(data).toMatchObject({
      merchantAccounts: { nodes: [{ id: 'default' }, { id: 'other' }, { id: 'shop' }] },
    });

    const again = await api.createApiKeyPair({ scopes: ['merchant-accounts.read'] }, 'key-once');
    expect(again).toEqual({ ...made, node, privateKey: null, replayed: true });

    const middle = privateKey.split('\n')[1] ?? '';
    expect(await everythingStored()).not.toContain(middle);
    expect(await everythingStored()).not.toContain('PRIVATE KEY');
    expect(api.server.logs()).not.toContain(middle);
  });

  test('is for ES512 by default', async () => {
    const { node } = await api.createApiKeyPair({ algorithm: undefined });
    expect(node).toMatchObject({ algorithm: 'ES512' });
  });

  test.each(['ES256', 'ES512', 'EDDSA', 'RS512'])('can be for %s', async (algorithm) => {
    const { node, privateKey } = await api.createApiKeyPair({ algorithm });
    expect(node).toMatchObject({ algorithm });
    expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  test('is not made again with other input under the same key', async () => {
    await api.createApiKeyPair(WRITER, 'key-reused');
    const before = await api.rows();
    const { userErrors } = await api.createApiKeyPair({ ...WRITER, displayName: 'Another' }, 'key-reused');
    expect(userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.displayName'] },
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test('has each scope and merchant account once', async () => {
    const { node } = await api.createApiKeyPair({
      scopes: ['*.read', '*.read', 'events.write'],
      merchantAccountIds: ['shop', 'shop'],
    });
    expect(node).toMatchObject({ scopes: ['*.read', 'events.write'], merchantAccountIds: ['shop'] });
  });
});

describe("the caller's public key", () => {
  test('is accepted, and so are its tokens', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = await api.createApiKeyPair({ algorithm: undefined, publicKey: spki(publicKey) });
    expect(made).toMatchObject({ node: { algorithm: 'ES256' }, privateKey: null, userErrors: [] });
    if (!made.node) throw new Error('No key pair was made.');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect((await reach(await mintFor(api.server, made.node, pem))).errors).toEqual([]);
  });

  test('is refused when it is known already, naming the pair', async () => {
    const publicKey = newPublicKey();
    const first = await api.createApiKeyPair({ publicKey });
    const before = await api.rows();
    const { node, userErrors } = await api.createApiKeyPair({ publicKey }, 'key-of-second');
    expect(node).toBeNull();
    expect(userErrors).toEqual([
      {
        __typename: 'DuplicateRecord',
        code: 'DUPLICATE',
        message: 'Another API key pair has this public key: see resourceId.',
        path: ['input', 'publicKey'],
        resourceId: first.node?.id,
      },
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test('is refused without a name when its pair has more rights', async () => {
    const publicKey = newPublicKey();
    await api.createApiKeyPair({ publicKey });
    const { token } = await api.createUser({ merchantAccountIds: ['shop'] });
    const { userErrors } = await api.createApiKeyPair({ publicKey }, undefined, token);
    expect(userErrors).toEqual([
      {
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: 'Another API key pair has this public key: see resourceId.',
        path: ['input', 'publicKey'],
      },
    ]);
  });

  test.each<[string, () => string, string]>([
    [
      'weak',
      () => spki(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
      'An RSA key must have 2048 to 8192 bits.',
    ],
    [
      'on another curve',
      () => spki(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
      'The curve must be P-256 or P-521.',
    ],
    [
      'of another algorithm',
      () => spki(generateKeyPairSync('ed25519').publicKey),
      'The public key does not match the algorithm.',
    ],
    ['no key', () => 'secret', 'Must be a public key as PEM (SPKI): -----BEGIN PUBLIC KEY-----.'],
  ])('is refused when it is %s', async (_what, publicKey, message) => {
    const before = await api.rows();
    const { userErrors } = await api.createApiKeyPair({ publicKey: publicKey() });
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', message, path: ['input', 'publicKey'] }]);
    expect(await api.rows()).toEqual(before);
  });

  test('is not repeated when it turns out to be the private one', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { userErrors } = await api.createApiKeyPair({ publicKey: pem });
    expect(userErrors).toMatchObject([{ path: ['input', 'publicKey'] }]);
    expect(userErrors[0]?.message).toContain('This is a private key.');
    expect(api.server.logs() + (await everythingStored())).not.toContain(pem.split('\n')[1]);
  });
});

describe('refuses', () => {
  test('all faults, in one answer, and stores nothing', async () => {
    const before = await api.rows();
    const input = {
      displayName: '',
      publicKey: 'nonsense',
      scopes: ['transactions.read', 'transactions.delete', ''],
      merchantAccountIds: ['shop', 'nowhere', 'a\0b'],
      expiresAt: '2020-01-01T00:00:00Z',
    };
    const { node, privateKey, userErrors } = await api.createApiKeyPair(input, 'key-of-a-mistake');
    expect({ node, privateKey }).toEqual({ node: null, privateKey: null });
    expect(userErrors.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['input.displayName', 'Must be 1 to 200 characters.'],
      ['input.publicKey', 'Must be a public key as PEM (SPKI): -----BEGIN PUBLIC KEY-----.'],
      ['input.scopes.1', 'This scope does not exist.'],
      ['input.scopes.2', 'This scope does not exist.'],
      ['input.merchantAccountIds.1', 'Your token has no access to this merchant account.'],
      ['input.merchantAccountIds.2', 'Your token has no access to this merchant account.'],
      ['input.expiresAt', 'Must be in the future.'],
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test.each([
    [{ displayName: 'x'.repeat(201) }, 'input.displayName'],
    [{ scopes: [] }, 'input.scopes'],
    [{ scopes: Array.from({ length: 101 }, () => '*.read') }, 'input.scopes'],
    [{ merchantAccountIds: Array.from({ length: 101 }, () => 'shop') }, 'input.merchantAccountIds'],
    [{ expiresAt: '9999-12-31T23:59:59-10:00' }, 'input.expiresAt'],
  ])('%j', async (wrong, path) => {
    const { node, userErrors } = await api.createApiKeyPair(wrong);
    expect(node).toBeNull();
    expect([...new Set(userErrors.map((error) => error.path.slice(0, 2).join('.')))]).toEqual([path]);
  });
});

describe('a token cannot grant more than it has', () => {
  test.each([
    [['api-key-pairs.write', 'transactions.read'], ['transactions.read', 'transactions.write'], [1]],
    [['api-key-pairs.write', 'transactions.read'], ['*.read'], [0]],
    [['api-key-pairs.write'], ['*.write'], [0]],
    [['*.write'], ['*.read', 'transactions.read', '*.write'], [0, 1]],
  ])('%j refuses %j', async (held, scopes, refused) => {
    const token = await api.server.mint({ scopes: ['api-key-pairs.read', ...held] });
    const before = await api.rows();
    const { node, userErrors } = await api.createApiKeyPair({ scopes }, undefined, token);
    expect(node).toBeNull();
    expect(userErrors).toEqual(
      refused.map((index) => ({
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: 'Your token lacks this scope.',
        path: ['input', 'scopes', String(index)],
      })),
    );
    expect(await api.rows()).toEqual(before);
  });

  test('even when its key has more', async () => {
    const { pair } = await api.createUser({});
    expect(pair.scopes).toEqual(['*.read', '*.write']);
    const token = await api.server.mint({ scopes: ['api-key-pairs.write', 'api-key-pairs.read'] });
    const { userErrors } = await api.createApiKeyPair({ scopes: ['transactions.write'] }, undefined, token);
    expect(userErrors).toHaveLength(1);
  });

  test('may grant its own rights', async () => {
    const token = await api.server.mint({ scopes: ['api-key-pairs.write', '*.read'] });
    const { node } = await api.createApiKeyPair(
      { scopes: ['transactions.read', '*.read'] },
      undefined,
      token,
    );
    expect(node).toMatchObject({ scopes: ['transactions.read', '*.read'] });
  });

  test('refuses merchant accounts beyond its key, and unknown ones, alike', async () => {
    const { token } = await api.createUser({ merchantAccountIds: ['shop'] });
    const before = await api.rows();
    const { userErrors } = await api.createApiKeyPair(
      { merchantAccountIds: ['shop', 'other', 'nowhere'] },
      undefined,
      token,
    );
    const message = 'Your token has no access to this merchant account.';
    expect(userErrors).toMatchObject([
      { message, path: ['input', 'merchantAccountIds', '1'] },
      { message, path: ['input', 'merchantAccountIds', '2'] },
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test.each([[undefined], [null], [[]]])(
    'creates keys for its own merchant accounts when given %j',
    async (merchantAccountIds) => {
      const { token } = await api.createUser({ merchantAccountIds: ['shop'] });
      const { node } = await api.createApiKeyPair({ merchantAccountIds }, undefined, token);
      expect(node).toMatchObject({ merchantAccountIds: ['shop'] });
    },
  );

  test('limits keys to its own single merchant account', async () => {
    const token = await api.server.mint({ merchantAccountId: 'shop' });
    const { node } = await api.createApiKeyPair({}, undefined, token);
    expect(node).toMatchObject({ merchantAccountIds: ['shop'] });
  });

  test('does not get the answer to a caller with more rights', async () => {
    await api.createApiKeyPair(WRITER, 'key-of-two');
    const { token } = await api.createUser({ merchantAccountIds: ['default'] });
    const { node, userErrors } = await api.createApiKeyPair(WRITER, 'key-of-two', token);
    expect(node).toBeNull();
    expect(userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.merchantAccountIds.0'] },
    ]);
  });

  test('needs its scope', async () => {
    const before = await api.rows();
    const { errors } = await api.ask(
      'mutation { createApiKeyPair(input: { displayName: "x", scopes: ["*.read"] }) { privateKey } }',
      {},
      await api.server.mint({ scopes: ['*.read', 'merchant-accounts.write'] }),
    );
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(errors[0]?.message).toContain('api-key-pairs.write');
    expect(await api.rows()).toEqual(before);
  });
});

/** Reads every row of a key pair as text. */
async function everythingStored(): Promise<string> {
  const { prisma } = api.server.app.db;
  return JSON.stringify([
    await prisma.apiKeyPair.findMany(),
    await prisma.idempotencyKey.findMany(),
    (await prisma.event.findMany()).map(({ payload }) => payload),
  ]);
}
