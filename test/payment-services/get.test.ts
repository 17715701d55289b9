import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { findPaymentServices } from '../../src/modules/payment-services/index.ts';
import { SERVICE, startHarness, type Harness, type Service } from './harness.ts';
import { viewerOf } from './viewer.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

describe('paymentService', () => {
  test('is found by its id in either case', async () => {
    const service = await harness.made();

    expect(await harness.get(service.id)).toEqual(service);
    expect(await harness.get(service.id.toUpperCase())).toEqual(service);
  });

  test("is null for an unknown id, an invalid id, and another merchant account's", async () => {
    const service = await harness.made();
    const rival = await harness.rival();

    for (const id of [UNKNOWN, 'nothing', '', `${service.id} `]) expect(await harness.get(id)).toBeNull();
    expect(await rival.get(service.id)).toBeNull();
  });

  test('is found beside others in one query', async () => {
    const [one, two] = [
      await harness.made({ displayName: 'one' }),
      await harness.made({ displayName: 'two' }),
    ];

    const { body } = await harness.server.graphql<Record<string, Service | null>>(
      `query ($one: ID!, $two: ID!, $none: ID!) {
        two: paymentService(id: $two) ${SERVICE} none: paymentService(id: $none) ${SERVICE}
        one: paymentService(id: $one) ${SERVICE} again: paymentService(id: $two) ${SERVICE} }`,
      { one: one.id, two: two.id, none: UNKNOWN },
    );

    expect(body.data).toEqual({ two, none: null, one, again: two });
  });
});

test('look-ups of many merchant accounts in the same tick do not mix', async () => {
  const { app } = harness.server;
  const rivals = await Promise.all(Array.from({ length: 5 }, () => harness.rival()));
  const made = await Promise.all(rivals.map((rival) => rival.made()));
  const ids = made.map(({ id }) => id);

  const found = await Promise.all(
    rivals.map(({ merchantAccountId }) => findPaymentServices(app, viewerOf(merchantAccountId), ids)),
  );

  expect(found.map((services) => services.map((service) => service?.id ?? null))).toEqual(
    ids.map((own) => ids.map((id) => (id === own ? id : null))),
  );
});

describe('paymentServiceDefinitions', () => {
  const DEFINITION = `{ id displayName method fields { key displayName required format secret }
    reportingFields { key required format secret } supportedCurrencies supportedCountries
    supportedFeatures { name supported } approvalWindow { defaultSeconds maxSeconds } sandboxOnly
    package { name version } }`;

  const APPLE_PAY = [
    ['apple_pay_merchant_id', 'Merchant ID at Apple Pay', 'TEXT', false],
    ['apple_pay_country_code', 'Country of the merchant at Apple Pay', 'TEXT', false],
    ['apple_pay_certificate', 'Merchant identity certificate of Apple Pay', 'MULTILINE', true],
    ['apple_pay_private_key', 'Private key of the certificate of Apple Pay', 'MULTILINE', true],
  ].map(([key, displayName, format, secret]) => ({ key, displayName, required: false, format, secret }));

  test('is the catalogue', async () => {
    const { body } = await harness.server.graphql<{ paymentServiceDefinitions: { id: string }[] }>(
      `{ paymentServiceDefinitions ${DEFINITION} }`,
      {},
    );

    const named = (id: string) => body.data?.paymentServiceDefinitions.find((each) => each.id === id);
    const [mockAcquirer, mockCard, mockdsCard] = ['mock-acquirer', 'mock-card', 'mockds-card'].map(named);
    expect(mockAcquirer).toMatchObject({
      id: 'mock-acquirer',
      approvalWindow: { defaultSeconds: 3600, maxSeconds: 259_200 },
      package: { name: 'paygraph', version: packageJson.version },
    });
    expect(mockCard).toMatchObject({
      id: 'mock-card',
      displayName: 'Sandbox card',
      method: 'card',
      fields: [
        { key: 'merchant_id', displayName: 'Merchant ID', required: true, format: 'TEXT', secret: false },
        { key: 'api_key', displayName: 'API key', required: false, format: 'TEXT', secret: true },
        { key: 'api_url', displayName: 'API address', required: false, format: 'TEXT', secret: false },
        {
          key: 'webhook_secret',
          displayName: 'Webhook secret',
          required: false,
          format: 'TEXT',
          secret: true,
        },
        {
          key: 'google_pay_merchant_id',
          displayName: 'Merchant ID at Google Pay',
          required: false,
          format: 'TEXT',
          secret: false,
        },
        ...APPLE_PAY,
      ],
      reportingFields: [],
      supportedCurrencies: [],
      supportedCountries: [],
      sandboxOnly: true,
    });
    expect(mockCard).toHaveProperty(
      'supportedFeatures',
      expect.arrayContaining([
        { name: 'open_loop', supported: true },
        { name: 'three_d_secure_hosted', supported: false },
      ]),
    );
    expect(mockdsCard).toHaveProperty(
      'supportedFeatures',
      expect.arrayContaining([
        { name: 'open_loop', supported: false },
        { name: 'three_d_secure_hosted', supported: true },
      ]),
    );
  });

  test('has one of each id, and null for others', async () => {
    const { body } = await harness.server.graphql(
      `{ card: paymentServiceDefinition(id: "mock-card") { id } none: paymentServiceDefinition(id: "mock") { id } }`,
      {},
    );

    expect(body.data).toEqual({ card: { id: 'mock-card' }, none: null });
  });
});
