import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createApiKeyPair,
  digestToken,
  mintToken,
  updateApiKeyPair,
  verifyToken,
} from '../../src/modules/accounts/index.ts';
import { forge } from './forge.ts';
import { openAccounts, ROOT, type Accounts, type Key } from './harness.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await openAccounts(['default', 'shop', 'other']);
});
afterAll(() => accounts.stop());

const mint = (
  key: Key,
  scopes: readonly string[] = ['*.read'],
  merchantAccountId?: string,
): Promise<string> =>
  mintToken({
    privateKeyPem: key.privateKeyPem,
    algorithm: key.algorithm,
    kid: key.thumbprint,
    scopes,
    issuer: 'tests',
    expiresInSeconds: 3600,
    now: accounts.clock.now,
    jti: accounts.app.ids.uuid(),
    merchantAccountId,
  });
const verify = (token: string, merchantAccountId?: string) =>
  verifyToken(accounts.app, digestToken(token), merchantAccountId);
const keyRow = async ({ id }: Key) => accounts.app.db.prisma.apiKeyPair.findFirstOrThrow({ where: { id } });
/** Updates a key as another process would. */
const changeElsewhere = (key: Key, data: object) =>
  accounts.app.db.prisma.apiKeyPair.updateMany({ where: { id: key.id }, data });

describe('a token that was accepted before', () => {
  test('is refused after its expiry', async () => {
    const key = await accounts.createKey();
    const token = await mint(key);
    expect(await verify(token)).toMatchObject({ ok: true });
    accounts.clock.advance((3600 + 29) * 1000);
    expect(await verify(token)).toMatchObject({ ok: true });
    accounts.clock.advance(1000);
    expect(await verify(token)).toEqual({
      ok: false,
      refusals: [{ kind: 'Unauthenticated', reason: 'expired', keyId: key.thumbprint }],
    });
  });

  test('is refused at once when this process disables its key, and accepted again when it enables it', async () => {
    const key = await accounts.createKey();
    const token = await mint(key);
    await verify(token);
    await updateApiKeyPair(accounts.app, ROOT, key.id, { active: false });
    expect(await verify(token)).toMatchObject({ refusals: [{ reason: 'key disabled or expired' }] });
    await updateApiKeyPair(accounts.app, ROOT, key.id, { active: true });
    expect(await verify(token)).toMatchObject({ ok: true });
  });

  test('is refused within five seconds when another process disables its key', async () => {
    const key = await accounts.createKey();
    const token = await mint(key);
    await verify(token);
    await changeElsewhere(key, { active: false });
    accounts.clock.advance(5_000);
    expect(await verify(token)).toMatchObject({ refusals: [{ reason: 'key disabled or expired' }] });
  });

  test('is refused at once when this process revokes the tokens before now, unlike a later token', async () => {
    const key = await accounts.createKey();
    const before = await mint(key);
    await verify(before);
    accounts.clock.advance(1_000);
    const later = await mint(key);
    const moment = new Date(Math.floor(accounts.clock.now.getTime() / 1000) * 1000);

    const changed = await updateApiKeyPair(accounts.app, ROOT, key.id, { tokensNotBefore: moment });

    expect(changed).toMatchObject({ ok: true, value: { tokensNotBefore: moment, active: true } });
    expect(await verify(before)).toEqual({
      ok: false,
      refusals: [{ kind: 'Unauthenticated', reason: 'revoked', keyId: key.thumbprint }],
    });
    expect(await verify(later)).toMatchObject({ ok: true });
    await updateApiKeyPair(accounts.app, ROOT, key.id, { tokensNotBefore: null });
    expect(await verify(before)).toMatchObject({ ok: true });
  });

  test('is refused within five seconds when another process revokes the tokens before now', async () => {
    const key = await accounts.createKey();
    const token = await mint(key);
    await verify(token);

    await changeElsewhere(key, { tokensNotBefore: new Date(accounts.clock.now.getTime() + 1_000) });
    accounts.clock.advance(5_000);

    expect(await verify(token)).toMatchObject({ refusals: [{ reason: 'revoked' }] });
  });

  test('is refused without a moment of issue once its key revoked tokens', async () => {
    const key = await accounts.createKey({ algorithm: 'es512' });
    const nowS = Math.floor(accounts.clock.now.getTime() / 1000);
    const claims = { iss: 'tests', jti: 'one', nbf: nowS, exp: nowS + 60, scopes: ['*.read'] };
    const head = { alg: 'ES512', typ: 'JWT', kid: key.thumbprint };
    const token = forge('ES512', key.privateKeyPem, head, claims);
    expect(await verify(token)).toMatchObject({ ok: true });

    await updateApiKeyPair(accounts.app, ROOT, key.id, { tokensNotBefore: new Date(0) });

    expect(await verify(token)).toMatchObject({ refusals: [{ reason: 'revoked' }] });
  });

  test('is refused from the expiry of its key on', async () => {
    const key = await accounts.createKey({ expiresAt: new Date(accounts.clock.now.getTime() + 2_000) });
    const token = await mint(key);
    expect(await verify(token)).toMatchObject({ value: { tokenExpiresAt: key.expiresAt } });
    accounts.clock.advance(1_999);
    expect(await verify(token)).toMatchObject({ ok: true });
    accounts.clock.advance(1);
    expect(await verify(token)).toMatchObject({ refusals: [{ reason: 'key disabled or expired' }] });
  });

  test('has fewer rights within five seconds when its key has', async () => {
    const key = await accounts.createKey();
    const token = await mint(key, ['*.read', 'events.write']);
    expect(await verify(token, 'shop')).toMatchObject({ value: { scopes: ['*.read', 'events.write'] } });
    await changeElsewhere(key, { scopes: ['events.read'], merchantAccountIds: ['other'] });
    accounts.clock.advance(5_000);
    expect(await verify(token)).toMatchObject({
      value: { scopes: ['events.read'], merchantAccountId: 'other' },
    });
    expect(await verify(token, 'shop')).toMatchObject({ refusals: [{ kind: 'Forbidden' }] });
  });
});

test('a key that is created after a refusal of its token is known at once', async () => {
  const key = await accounts.createKey();
  await changeElsewhere(key, { thumbprint: 'another' });
  const token = await mint(key);
  accounts.clock.advance(5_000);
  expect(await verify(token)).toMatchObject({ refusals: [{ reason: 'unknown key' }] });
  const publicKey = createPublicKey(key.privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
  await createApiKeyPair(accounts.app, ROOT, { displayName: 'Back', publicKey, scopes: ['*.read'] }, null);
  expect(await verify(token)).toMatchObject({ ok: true });
});

describe('the last use of a key', () => {
  test('is recorded to the minute, once', async () => {
    const key = await accounts.createKey();
    const token = await mint(key);
    expect((await keyRow(key)).lastUsedAt).toBeNull();
    await Promise.all([verify(token), verify(token)]);
    const minute = new Date(Math.floor(accounts.clock.now.getTime() / 60_000) * 60_000);
    expect((await keyRow(key)).lastUsedAt).toEqual(minute);
    expect((await keyRow(key)).updatedAt).toEqual(key.updatedAt);

    await changeElsewhere(key, { lastUsedAt: null });
    await verify(token);
    expect((await keyRow(key)).lastUsedAt).toBeNull();

    accounts.clock.advance(60_000);
    await verify(token);
    expect((await keyRow(key)).lastUsedAt).toEqual(new Date(minute.getTime() + 60_000));
  });

  test('is not recorded when the token is refused', async () => {
    const key = await accounts.createKey({ merchantAccountIds: ['shop'] });
    await verify(await mint(key), 'other');
    await verify(`${await mint(key)}x`);
    expect((await keyRow(key)).lastUsedAt).toBeNull();
  });
});

describe('the merchant account', () => {
  const NOT_THIS_ONE = 'The token has no access to this merchant account.';
  const WHICH_ONE =
    'The token has access to several merchant accounts: name one in the header x-service-merchant-account-id.';
  test.each<
    [of: string, reach: string[], requested: string | undefined, claim: string | undefined, answer: object]
  >([
    ['default for a key without limits', [], undefined, undefined, { merchantAccountId: 'default' }],
    ['the one asked for by a key without limits', [], 'shop', undefined, { merchantAccountId: 'shop' }],
    ['the only one of a key', ['shop'], undefined, undefined, { merchantAccountId: 'shop' }],
    ['the only one of a key, asked for', ['shop'], 'shop', undefined, { merchantAccountId: 'shop' }],
    ['default of several', ['shop', 'default'], undefined, undefined, { merchantAccountId: 'default' }],
    ['the one asked for of several', ['shop', 'other'], 'other', undefined, { merchantAccountId: 'other' }],
    [
      'the one that the token is tied to',
      [],
      undefined,
      'shop',
      { merchantAccountId: 'shop', reachableMerchantAccountIds: ['shop'] },
    ],
    [
      'the one that the token is tied to of several',
      ['shop', 'other'],
      'other',
      'other',
      { merchantAccountId: 'other' },
    ],
    [
      'not one of several that are not asked for',
      ['shop', 'other'],
      undefined,
      undefined,
      { message: WHICH_ONE },
    ],
    ['not one beyond the key', ['shop'], 'other', undefined, { message: NOT_THIS_ONE }],
    ['not one beyond the token', [], 'other', 'shop', { message: NOT_THIS_ONE }],
    ['not one of the token beyond its key', ['shop'], undefined, 'other', { message: NOT_THIS_ONE }],
    ['not one that does not exist', [], 'nowhere', undefined, { message: NOT_THIS_ONE }],
    ['not one in other letters', [], 'SHOP', undefined, { message: NOT_THIS_ONE }],
    ['not an empty one', [], '', undefined, { message: NOT_THIS_ONE }],
    ['not one that is SQL', [], "' OR '1'='1", undefined, { message: NOT_THIS_ONE }],
    ['not one with U+0000', [], 'shop\0', undefined, { message: NOT_THIS_ONE }],
    ['not a list', ['shop', 'other'], 'shop, other', undefined, { message: NOT_THIS_ONE }],
  ])('is %s', async (_of, merchantAccountIds, requested, claim, answer) => {
    const token = await mint(await accounts.createKey({ merchantAccountIds }), ['*.read'], claim);
    const verified = await verify(token, requested);
    if (verified.ok) expect(verified.value).toMatchObject(answer);
    else expect(verified.refusals).toEqual([{ kind: 'Forbidden', ...answer }]);
  });
});

test.each<[requested: string[], granted: string[], effective: string[]]>([
  [['transactions.read'], ['*.read'], ['transactions.read']],
  [['*.read'], ['transactions.read', 'events.read'], ['transactions.read', 'events.read']],
  [['*.read', '*.write'], ['*.read'], ['*.read']],
  [['transactions.write'], ['transactions.read'], []],
  [['*.write'], ['transactions.read'], []],
  [['*'], ['*.read'], []],
  [['*.*'], ['*.read'], []],
  [[], ['*.read', '*.write'], []],
])('a token that requests %j of a key with %j has %j', async (requested, scopes, effective) => {
  const token = await mint(await accounts.createKey({ scopes }), requested);
  expect(await verify(token)).toMatchObject({ ok: true, value: { scopes: effective } });
});
