import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintToken } from '../../src/modules/accounts/index.ts';
import { startAccountsApi, type AccountsApi } from '../accounts/api.ts';
import { query } from '../support/database.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  await api.createMerchantAccount({ id: 'shop', displayName: 'Shop' });
});
afterAll(() => api.server.stop());

const databaseUrl = (): string => api.server.app.config.DATABASE_URL ?? '';

type Entry = {
  readonly id: string;
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly actor: Readonly<Record<string, string | null>>;
  readonly before: object | null;
  readonly after: object | null;
  readonly createdAt: string;
};

const ENTRIES = `query ($first: Int, $after: String, $filter: AuditLogFilter) {
  auditLog(first: $first, after: $after, filter: $filter) {
    nodes { id action target { type id } actor { kind id subject act address requestId } before after createdAt }
    pageInfo { endCursor hasNextPage } } }`;

async function entries(variables: object = {}, token?: string): Promise<readonly Entry[]> {
  const { data, errors } = await api.ask<{ auditLog: { nodes: readonly Entry[] } }>(
    ENTRIES,
    variables,
    token,
  );
  expect(errors).toEqual([]);
  return data?.auditLog.nodes ?? [];
}

const createBuyer = (input: object, token?: string) =>
  api.ask<{ createBuyer: { buyer: { id: string } } }>(
    'mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyer { id } userErrors { message } } }',
    { input },
    token,
  );

describe('an audit entry', () => {
  it('names the key pair, the claims, the address and the request, and shows the fields before and after', async () => {
    const { node, privateKey } = await api.createApiKeyPair({
      displayName: 'Office',
      algorithm: 'ES256',
      scopes: ['merchant-accounts.write', 'merchant-accounts.read'],
    });
    const token = await mintToken({
      kid: node?.thumbprint ?? '',
      algorithm: 'es256',
      privateKeyPem: privateKey ?? '',
      scopes: ['merchant-accounts.write', 'merchant-accounts.read'],
      issuer: 'office',
      expiresInSeconds: 60,
      now: new Date(),
      jti: 'one',
      subject: 'ada@example.com',
      act: { sub: 'assistant' },
    });

    await api.updateMerchantAccount('shop', { displayName: 'Corner shop' }, token);

    const shop = await api.server.mint({ merchantAccountId: 'shop' });
    const [entry] = await entries({ first: 1 }, shop);
    expect(entry).toMatchObject({
      action: 'merchant-account.updated',
      target: { type: 'merchant-account', id: 'shop' },
      before: { displayName: 'Shop' },
      after: { displayName: 'Corner shop' },
      actor: {
        kind: 'API_KEY',
        id: node?.id,
        subject: 'ada@example.com',
        act: '{"sub":"assistant"}',
        address: '127.0.0.1',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });

  it('hides personal data, and stays after the deletion of a buyer', async () => {
    const created = await createBuyer({ displayName: 'Jane Roe', externalIdentifier: 'b-1' });
    const id = created.data?.createBuyer.buyer.id;
    await api.ask('mutation ($id: ID!) { deleteBuyer(id: $id) { userErrors { message } } }', { id });

    const found = await entries({ filter: { targetId: id } });

    expect(found.map(({ action }) => action)).toEqual(['buyer.deleted', 'buyer.created']);
    expect(found[1]).toMatchObject({
      before: null,
      after: { displayName: '(hidden)', externalIdentifier: 'b-1' },
    });
    expect(JSON.stringify(found)).not.toContain('Jane');
  });

  it('is found by the subject of its actor, in any case and in its own merchant account alone', async () => {
    const [shop, other] = await Promise.all(
      ['shop', 'default'].map((merchantAccountId) =>
        api.server.mint({ merchantAccountId, subject: 'Ann Example' }),
      ),
    );
    await createBuyer({ displayName: 'One' }, shop);
    await createBuyer({ displayName: 'Two' }, shop);
    await createBuyer({ displayName: 'Foreign' }, other);
    const actionsOf = async (filter: object, page: object = {}) =>
      (await entries({ ...page, filter: { actorSubject: 'ANN example', ...filter } }, shop)).map(
        ({ action }) => action,
      );

    expect(await actionsOf({})).toEqual(['buyer.created', 'buyer.created']);
    expect(await actionsOf({ action: 'buyer.*', from: new Date(0).toISOString() })).toHaveLength(2);
    expect(await actionsOf({ action: 'buyer.deleted' })).toEqual([]);
    expect(await actionsOf({ action: 'payment-service.*' })).toEqual([]);
    expect(await actionsOf({ targetId: 'none' })).toEqual([]);
    expect(await actionsOf({ actor: 'none' })).toEqual([]);
    expect(await actionsOf({ to: new Date(0).toISOString() })).toEqual([]);
    expect(await actionsOf({ actorSubject: 'Ann' })).toEqual([]);
    const first = await api.ask<{ auditLog: { pageInfo: { endCursor: string } } }>(
      ENTRIES,
      { first: 1, filter: { actorSubject: 'ann example' } },
      shop,
    );
    expect(await actionsOf({}, { after: first.data?.auditLog.pageInfo.endCursor })).toEqual([
      'buyer.created',
    ]);
  });

  it('is not written for a refused mutation, nor for a repeat of the same request', async () => {
    const before = await entries();
    await createBuyer({ displayName: '' });
    const document = `mutation { createBuyer(input: { displayName: "Once" }, idempotencyKey: "audit-once") { replayed } }`;
    await api.ask(document);
    await api.ask(document);

    expect(await entries()).toHaveLength(before.length + 1);
  });

  it('names the database user behind a statement that Paygraph did not send', async () => {
    await query(databaseUrl(), `UPDATE merchant_account SET display_name = 'By hand' WHERE id = 'default'`);

    const [entry] = await entries({ first: 1 });

    expect(entry).toMatchObject({ actor: { kind: 'DATABASE' }, after: { displayName: 'By hand' } });
  });

  it('tells that a secret changed, and not of a rotation that seals the same secret again', async () => {
    const fields = [
      { key: 'merchant_id', value: 'shop' },
      { key: 'api_key', value: 'audited-secret' },
    ];
    const input = { displayName: 'Cards', paymentServiceDefinitionId: 'mock-card', fields };
    const { data } = await api.ask<{ createPaymentService: { paymentService: { id: string } } }>(
      `mutation ($input: CreatePaymentServiceInput!) { createPaymentService(input: $input) {
         paymentService { id } userErrors { message } } }`,
      { input: { ...input, acceptedCurrencies: ['USD'], acceptedCountries: ['US'] } },
    );
    const id = data?.createPaymentService.paymentService.id;
    await api.ask(
      `mutation ($id: ID!) { updatePaymentService(id: $id, input: { fields: [{ key: "api_key", value: "audited-other" }] }) {
         userErrors { message } } }`,
      { id },
    );
    const rotating = new URL(databaseUrl());
    rotating.searchParams.set('application_name', 'paygraph rotate-keys');
    await query(rotating.href, `UPDATE payment_service SET sealed_fields = 'sealed again' WHERE id = $1`, [
      id,
    ]);
    await query(rotating.href, `UPDATE data_key SET retired_at = now() WHERE purpose = 'data'`);

    const found = await entries({ filter: { targetId: id } });
    expect(found.map(({ action }) => action)).toEqual(['payment-service.updated', 'payment-service.created']);
    expect(found[0]).toMatchObject({
      before: { sealedFields: '(hidden)' },
      after: { sealedFields: '(hidden)' },
    });
    expect(JSON.stringify(found)).not.toContain('audited-');
    const [rotated] = await entries({ filter: { action: 'data-key.updated' } });
    expect(rotated).toMatchObject({ actor: { kind: 'COMMAND', id: 'rotate-keys' } });
  });

  it.each([`UPDATE audit_entry SET action = 'nothing'`, 'DELETE FROM audit_entry', 'TRUNCATE audit_entry'])(
    'cannot be changed or removed: %s',
    async (statement) => {
      await expect(query(databaseUrl(), statement)).rejects.toThrow('append-only');
    },
  );
});
