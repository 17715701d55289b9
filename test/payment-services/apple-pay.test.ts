import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENDED, startAppleGateway, type AppleFields, type AppleGateway } from '../support/apple-gateway.ts';
import { CARDS, startHarness, type Harness } from './harness.ts';

let harness: Harness;
let gateway: AppleGateway;
let merchant: AppleFields;
beforeAll(async () => {
  [harness, gateway] = await Promise.all([startHarness(), startAppleGateway()]);
  merchant = gateway.merchant();
});
afterAll(() => Promise.all([harness.stop(), gateway.stop()]));

const listOf = (fields: Partial<AppleFields>) =>
  Object.entries(fields).map(([key, value]) => ({ key, value }));
const withFields = (fields: Partial<AppleFields>) => ({ fields: [...CARDS.fields, ...listOf(fields)] });

describe('the merchant at Apple of a payment service', () => {
  it('shows id and country, and seals certificate and key', async () => {
    const { fields } = await harness.made(withFields(merchant));

    expect(fields).toEqual([
      { key: 'merchant_id', value: 'm-1' },
      { key: 'apple_pay_merchant_id', value: 'merchant.com.example' },
      { key: 'apple_pay_country_code', value: 'DE' },
    ]);
    const database = await harness.dump();
    const line = (pem: string): string => pem.split('\n')[3] ?? '';
    for (const secret of [merchant.apple_pay_certificate, merchant.apple_pay_private_key])
      expect([line(secret).length > 60, database.includes(line(secret))]).toEqual([true, false]);
  });

  it('is refused with an ended certificate and another key, at their fields, without their text', async () => {
    const { apple_pay_private_key } = merchant;
    const wrong = { ...gateway.merchant(ENDED), apple_pay_country_code: 'de' };
    const { paymentService, userErrors } = await harness.create(withFields(wrong));
    const stranger = { ...gateway.stranger(), apple_pay_private_key };
    const other = await harness.create(withFields(stranger));

    expect([paymentService, other.paymentService]).toEqual([null, null]);
    expect(userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'fields', '2', 'value'] },
      {
        path: ['input', 'fields', '3', 'value'],
        message: expect.stringMatching(/^The certificate ended on /),
      },
    ]);
    expect(other.userErrors).toMatchObject([
      {
        path: ['input', 'fields', '4', 'value'],
        message: 'Must be the private key of the certificate in apple_pay_certificate.',
      },
    ]);
    expect(JSON.stringify([userErrors, other.userErrors])).not.toMatch(/MII/);
  });

  it('is refused in parts, by a new service, an update and a check of credentials', async () => {
    const { apple_pay_merchant_id } = merchant;
    const part = { apple_pay_merchant_id };
    const created = await harness.create(withFields(part));
    const { id } = await harness.made();
    const updated = await harness.update(id, { fields: listOf(part) });
    const { body } = await harness.server.graphql<{ answer: { userErrors: object[] } }>(
      `mutation ($input: VerifyCredentialsInput!) {
        answer: verifyCredentials(input: $input) { userErrors { code path message } } }`,
      { input: { paymentServiceDefinitionId: 'mock-card', ...withFields(part) } },
    );

    const refused = ['country_code', 'certificate', 'private_key'].map((name) => ({
      ...{ code: 'INVALID_INPUT', path: ['input', 'fields'] },
      message: expect.stringContaining(`Apple Pay needs apple_pay_${name} too.`),
    }));
    expect(created.userErrors).toMatchObject(refused);
    expect(updated.userErrors).toMatchObject(refused);
    expect(body.data?.answer.userErrors).toMatchObject(refused);
  });

  it('can change its certificate and key together, and is judged with the stored values', async () => {
    const { id } = await harness.made(withFields(merchant));
    const { apple_pay_certificate, apple_pay_private_key } = gateway.stranger();
    const half = await harness.update(id, { fields: listOf({ apple_pay_certificate }) });
    const whole = await harness.update(id, {
      fields: listOf({ apple_pay_certificate, apple_pay_private_key }),
    });

    expect(half.userErrors).toMatchObject([
      { path: ['input', 'fields'], message: expect.stringContaining('Must be the private key') },
    ]);
    expect([whole.userErrors, whole.paymentService?.id]).toEqual([[], id]);
  });

  it('can be cleared, in whole alone', async () => {
    const { id } = await harness.made(withFields(merchant));
    const cleared = listOf(merchant).map(({ key }) => ({ key, value: '' }));
    const part = await harness.update(id, { fields: cleared.slice(2) });
    const whole = await harness.update(id, { fields: cleared });

    expect(part.userErrors).toMatchObject([
      { path: ['input', 'fields', '0', 'value'] },
      { path: ['input', 'fields', '1', 'value'] },
    ]);
    expect(whole.paymentService?.['fields']).toEqual(CARDS.fields);
  });
});
