import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordToken, sandboxKeyFile, signFromFile, type TokenOptions } from '../../src/cli/run/token.ts';
import { recordMintedToken } from '../../src/modules/accounts/index.ts';
import { chainOnce, verifyAudit } from '../../src/modules/audit/index.ts';
import { sandboxKeyPath, writeApiKeyFile } from '../../src/platform/process/api-key-file.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { startAccountsApi, type AccountsApi } from '../accounts/api.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  await api.createMerchantAccount({ id: 'shop', displayName: 'Shop' });
  const scopes = ['*.read', '*.write'];
  const { node, privateKey } = await api.createApiKeyPair({ algorithm: 'ES256', scopes });
  const key = { kid: node?.thumbprint ?? '', algorithm: 'es256', privateKeyPem: privateKey ?? '' } as const;
  await writeApiKeyFile(sandboxKeyPath(api.server.app.config.PAYGRAPH_DATA_DIR), key);
});
afterAll(() => api.server.stop());

const sign = (options: TokenOptions) =>
  signFromFile(sandboxKeyFile(api.server.app.config.PAYGRAPH_DATA_DIR), options, systemClock);
const record = async (options: TokenOptions, command = 'token') => {
  const signed = await sign(options);
  await recordToken(api.server.app.config, command, signed.minted);
  return signed;
};
const entries = () =>
  api.server.app.db.prisma.auditEntry.findMany({ where: { action: 'token.minted' }, orderBy: { id: 'asc' } });

describe('a token that a command signs', () => {
  it('is in the audit log with its key, its claims and the person, in the chain', async () => {
    const { token, minted } = await record({ subject: 'ada', expires: '15m', scopes: 'audit.read' });

    const { data } = await api.ask<{ auditLog: { nodes: readonly { after: object }[] } }>(
      `{ auditLog(first: 1, filter: { action: "token.minted" }) { nodes {
        target { type } actor { kind id subject } before after } } }`,
      {},
      token,
    );
    expect(data?.auditLog.nodes).toEqual([
      {
        target: { type: 'api-key-pair' },
        actor: { kind: 'COMMAND', id: 'token', subject: 'ada' },
        before: null,
        after: {
          jti: minted.jti,
          scopes: ['audit.read'],
          expiresAt: minted.expiresAt.toISOString(),
          merchantAccountId: null,
          subject: 'ada',
          audience: null,
        },
      },
    ]);
    while (await chainOnce(api.server.app));
    expect(await verifyAudit(api.server.app, 'default')).toMatchObject({ faults: [] });
    expect(JSON.stringify(await entries(), (_, value: unknown) => String(value))).not.toContain(token);
  });

  it('is in the chain of its merchant account, under the name of the command', async () => {
    const before = (await entries()).length;

    await record({ merchantAccount: 'shop' }, 'demo');

    const [entry, ...more] = (await entries()).slice(before);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ merchantAccountId: 'shop', actorKind: 'command', actorId: 'demo' });
  });

  it('is refused, and leaves no entry, for a merchant account that does not exist', async () => {
    const before = await entries();

    await expect(record({ merchantAccount: 'nobody' })).rejects.toThrow(
      'The token would be refused. The key has no access to this merchant account.',
    );

    expect(await entries()).toEqual(before);
  });

  it('is refused, and leaves no entry, when the database does not have its key', async () => {
    const before = await entries();
    const { minted } = await sign({});

    const refusal = await recordMintedToken(api.server.app.db, 'token', { ...minted, kid: 'A'.repeat(43) });

    expect(refusal).toBe('The database does not have this key.');
    expect(await entries()).toEqual(before);
  });
});
