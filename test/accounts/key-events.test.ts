import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAccountsApi, type AccountsApi } from './api.ts';
import { relayAll } from '../support/relay-all.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  for (const id of ['shop', 'other']) await api.createMerchantAccount({ id, displayName: id });
});
afterAll(() => api.server.stop());

/** The events about key pairs that every merchant account has, oldest first. */
async function events(after = 0n) {
  const rows = await api.server.app.db.prisma.event.findMany({
    where: { targetType: 'api-key-pair', position: { gt: after } },
    orderBy: { position: 'asc' },
  });
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as Record<string, unknown> }));
}
const end = async (): Promise<bigint> => (await events()).at(-1)?.position ?? 0n;

describe('an event about a key pair', () => {
  it('is published to each merchant account of a limited key, in its short form', async () => {
    const before = await end();
    const { node } = await api.createApiKeyPair({
      displayName: 'Till',
      scopes: ['transactions.read'],
      merchantAccountIds: ['shop', 'other'],
    });

    const notified = await events(before);

    expect(
      notified.map(({ merchantAccountId, name, targetId }) => [merchantAccountId, name, targetId]),
    ).toEqual([
      ['shop', 'api-key-pair.created', node?.id],
      ['other', 'api-key-pair.created', node?.id],
    ]);
    expect(notified[0]?.payload).toEqual({
      version: 1,
      type: 'event',
      id: notified[0]?.id,
      name: 'api-key-pair.created',
      created_at: node?.['createdAt'],
      merchant_account_id: 'shop',
      environment: 'sandbox',
      target: {
        type: 'api-key-pair',
        id: node?.id,
        display_name: 'Till',
        active: true,
        scopes: ['transactions.read'],
        expires_at: null,
        created_at: node?.['createdAt'],
        updated_at: node?.['createdAt'],
      },
    });
  });

  it('is published to the requesting account when the key is for every account, with no key in it', async () => {
    const before = await end();
    const made = await api.createApiKeyPair({ displayName: 'Everywhere' });
    await api.updateApiKeyPair(made.node?.id ?? '', { active: false });

    const notified = await events(before);

    expect(notified.map(({ merchantAccountId, name }) => [merchantAccountId, name])).toEqual([
      ['default', 'api-key-pair.created'],
      ['default', 'api-key-pair.updated'],
    ]);
    expect(notified[1]?.payload).toMatchObject({ target: { display_name: 'Everywhere', active: false } });
    const text = JSON.stringify(notified.map(({ payload }) => payload));
    expect(text).not.toContain(made.privateKey?.split('\n')[1] ?? '');
    expect(text).not.toContain(made.node?.thumbprint ?? '');
  });

  it('reaches the feed', async () => {
    await relayAll(api.server.app);
    const { data } = await api.ask<{ events: { nodes: { name: string; transaction: null }[] } }>(
      '{ events(types: ["api-key-pair.*"], first: 100) { nodes { name transaction { id } } } }',
    );
    expect(data?.events.nodes[0]).toEqual({ name: 'api-key-pair.created', transaction: null });
  });

  it('is not written for a refused request, or a repeat', async () => {
    const { node } = await api.createApiKeyPair({}, 'key-events');
    const before = await end();

    await api.createApiKeyPair({}, 'key-events');
    await api.createApiKeyPair({ scopes: ['nothing.read'] });
    await api.updateApiKeyPair(node?.id ?? '', { displayName: '' });
    await api.updateApiKeyPair('01900000-0000-7000-8000-000000000000', { active: false });

    expect(await events(before)).toEqual([]);
  });
});
