import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listPublicKeys } from '../../src/modules/accounts/index.ts';
import { openAccounts, type Accounts, type Key } from './harness.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await openAccounts(['default']);
});
afterAll(() => accounts.stop());

const kids = async () => (await listPublicKeys(accounts.app)).keys.map(({ kid }) => kid);
const disable = ({ id }: Key) =>
  accounts.app.db.prisma.apiKeyPair.updateMany({ where: { id }, data: { active: false } });

describe('the public keys', () => {
  test('name the algorithm of each key and hold no private part', async () => {
    const { keys: before } = await listPublicKeys(accounts.app);
    for (const algorithm of ['es256', 'es512', 'eddsa', 'rs512'] as const)
      await accounts.createKey({ algorithm });
    accounts.clock.advance(5_000);

    const { keys } = await listPublicKeys(accounts.app);

    expect(before).toEqual([]);
    expect(keys.map((key) => [key.alg, Object.keys(key).toSorted().join()])).toEqual([
      ['ES256', 'alg,crv,kid,kty,use,x,y'],
      ['ES512', 'alg,crv,kid,kty,use,x,y'],
      ['EdDSA', 'alg,crv,kid,kty,use,x'],
      ['RS512', 'alg,e,kid,kty,n,use'],
    ]);
  });

  test('lack disabled and expired keys within five seconds', async () => {
    const [kept, disabled] = [await accounts.createKey(), await accounts.createKey()];
    const expiresAt = new Date(accounts.clock.now.getTime() + 6_000);
    const expiring = await accounts.createKey({ expiresAt });
    const thumbprints = [kept, disabled, expiring].map(({ thumbprint }) => thumbprint);
    const published = async () => (await kids()).filter((kid) => thumbprints.includes(kid ?? ''));
    accounts.clock.advance(5_000);
    const first = await published();
    await disable(disabled);

    accounts.clock.advance(4_999);
    const cached = await published();
    accounts.clock.advance(1);
    const fresh = await published();

    expect([first, cached, fresh]).toEqual([thumbprints, thumbprints, [kept.thumbprint]]);
  });
});
