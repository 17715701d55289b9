import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  digestToken,
  mintToken,
  provisionApiKey,
  verifyToken,
  type ProvisionedKey,
} from '../../src/modules/accounts/index.ts';
import { openAccounts, type Accounts } from './harness.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await openAccounts([]);
});
afterAll(() => accounts.stop());

const tokenOf = (key: ProvisionedKey): Promise<string> =>
  mintToken({
    ...key,
    scopes: ['*.read', '*.write'],
    issuer: 'tests',
    expiresInSeconds: 60,
    now: accounts.clock.now,
    jti: accounts.app.ids.uuid(),
  });
const isAccepted = async (key: ProvisionedKey): Promise<boolean> =>
  (await verifyToken(accounts.app, digestToken(await tokenOf(key)), undefined)).ok;
const keyPairs = () => accounts.app.db.prisma.apiKeyPair.findMany({ orderBy: { id: 'asc' } });

test('creates an account and a key with every right, once, and returns the stored key later', async () => {
  const { app } = accounts;
  const key = await provisionApiKey(app);
  expect(await verifyToken(app, digestToken(await tokenOf(key)), undefined)).toMatchObject({
    ok: true,
    value: { merchantAccountId: 'default', scopes: ['*.read', '*.write'], reachableMerchantAccountIds: [] },
  });

  expect(await provisionApiKey(app, key)).toEqual(key);
  expect(await keyPairs()).toMatchObject([
    { thumbprint: key.kid, algorithm: 'es512', active: true, expiresAt: null },
  ]);
  expect(await app.db.prisma.merchantAccount.count()).toBe(1);

  await app.db.prisma.apiKeyPair.deleteMany();
  expect(await provisionApiKey(app, key)).toEqual(key);
  expect(await isAccepted(key)).toBe(true);
});

test('replaces a key that was disabled', async () => {
  const { app } = accounts;
  const key = await provisionApiKey(app);
  await app.db.prisma.apiKeyPair.updateMany({ where: { thumbprint: key.kid }, data: { active: false } });
  const replacement = await provisionApiKey(app, key);
  expect(replacement.kid).not.toBe(key.kid);
  expect(await isAccepted(replacement)).toBe(true);
  expect(await isAccepted(key)).toBe(false);
});

test('leaves an existing account unchanged', async () => {
  const { app } = accounts;
  await app.db.prisma.merchantAccount.updateMany({ data: { displayName: 'Our shop' } });
  await provisionApiKey(app);
  expect(await app.db.prisma.merchantAccount.findMany()).toMatchObject([
    { id: 'default', displayName: 'Our shop' },
  ]);
});
