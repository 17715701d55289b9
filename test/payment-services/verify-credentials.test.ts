import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restClient, type RestClient } from '../rest/client.ts';
import { startHarness, type Harness, type UserError } from './harness.ts';

let harness: Harness;
let send: RestClient;
beforeAll(async () => {
  harness = await startHarness();
  send = restClient(harness.server);
});
afterAll(() => harness.stop());

const field = (key: string, value: string) => ({ key, value });
const MERCHANT = field('merchant_id', 'm-1');
const verified = (fields: readonly object[], more: object = {}) =>
  verify({ paymentServiceDefinitionId: 'mock-card', fields, ...more });

type Answer = { readonly verified: object | null; readonly userErrors: readonly UserError[] };

async function verify(input: object): Promise<Answer> {
  const { body } = await harness.server.graphql<{ answer: Answer }>(
    `mutation ($input: VerifyCredentialsInput!) { answer: verifyCredentials(input: $input) {
      verified { paymentServiceDefinitionId checkedAt }
      userErrors { code message path ... on CredentialsRefused { reason } } } }`,
    { input },
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
}

/** Everything in the database but the key of the token, whose last use is written. */
const stored = async () => (await harness.dump()).split('\n').filter((line) => !line.includes('"First key"'));

const refused = (code: string, path: readonly string[], more: object = {}) => ({
  verified: null,
  userErrors: [expect.objectContaining({ code, path, ...more })],
});

describe('verifyCredentials', () => {
  it('tells accepted from refused and unanswered credentials, and stores nothing', async () => {
    const before = await stored();
    const [good, bad, silent] = [
      await verified([MERCHANT, field('api_key', 'a good key')]),
      await verified([MERCHANT, field('api_key', 'invalid key')]),
      await verified([MERCHANT, field('api_key', 'silent key')]),
    ];

    expect(good).toEqual({
      verified: { paymentServiceDefinitionId: 'mock-card', checkedAt: expect.stringMatching(/^20/) },
      userErrors: [],
    });
    expect(bad).toEqual(
      refused('CREDENTIALS_REFUSED', ['input', 'fields'], {
        reason: 'Simulated invalid_service_credentials',
      }),
    );
    expect(silent).toEqual(refused('PROVIDER_UNAVAILABLE', []));
    expect(await stored()).toEqual(before);
  });

  it('says that credentials without a key hold nothing to check', async () => {
    expect((await verified([MERCHANT])).verified).toMatchObject({ checkedAt: null });
  });

  it('merges the fields over those of a service, which stays as it is', async () => {
    const service = await harness.made({ fields: [MERCHANT, field('api_key', 'invalid key')] });
    const paymentServiceId = service.id;
    const [stored, renewed] = [
      await verified([], { paymentServiceId }),
      await verified([field('api_key', 'a good key')], { paymentServiceId }),
    ];

    expect(stored).toEqual(refused('CREDENTIALS_REFUSED', ['input', 'fields']));
    expect(renewed.userErrors).toEqual([]);
    expect(await harness.get(service.id)).toEqual(service);
  });

  it('refuses what an update would refuse, and finds no service of another account', async () => {
    const other = await (await harness.rival()).made();
    const gone = await harness.made();
    await harness.delete(gone.id);
    const definition = ['input', 'paymentServiceDefinitionId'];
    const id = ['input', 'paymentServiceId'];

    expect(await verified([])).toEqual(refused('INVALID_INPUT', ['input', 'fields']));
    expect(await verified([MERCHANT, field('pin', '1')])).toEqual(
      refused('INVALID_INPUT', ['input', 'fields', '1', 'key']),
    );
    expect(await verify({ paymentServiceDefinitionId: 'none', fields: [] })).toEqual(
      refused('INVALID_INPUT', definition),
    );
    expect(await verify({ paymentServiceDefinitionId: 'mock-push', fields: [] })).toEqual(
      refused('INVALID_INPUT', definition, { message: expect.stringMatching(/no check/) }),
    );
    for (const each of [other.id, gone.id, 'no id'])
      expect(await verified([], { paymentServiceId: each })).toEqual(refused('NOT_FOUND', id));
    const service = await harness.made();
    const foreign = { paymentServiceDefinitionId: 'mock-acquirer', paymentServiceId: service.id };
    expect(await verified([], foreign)).toEqual(refused('INVALID_INPUT', definition));
  });
});

describe('POST /payment-services/verify', () => {
  const body = (key: string) => ({
    payment_service_definition_id: 'mock-card',
    fields: [MERCHANT, field('api_key', key)],
  });

  it('answers 200 for accepted credentials, and 400 with invalid_credentials for others', async () => {
    const good = await send('POST /payment-services/verify', body('a good key'));
    const bad = await send('POST /payment-services/verify', body('invalid key'));
    const silent = await send('POST /payment-services/verify', body('silent key'));

    expect([good.status, bad.status, silent.status]).toEqual([200, 400, 502]);
    expect(bad.body).toMatchObject({
      ...{ type: 'error', code: 'invalid_credentials', status: 400, reason: 'credentials_refused' },
      details: [{ location: 'body', pointer: '/fields', type: 'credentials_refused' }],
    });
    expect(bad.text).not.toContain('invalid key');
  });
});
