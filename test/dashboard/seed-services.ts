import type { TestServer } from '../support/server.ts';

type Server = Pick<TestServer, 'graphql'>;

/** Creates a payment service of the sandbox. Returns its id. */
export async function connect(
  server: Server,
  values: { readonly displayName: string; readonly definition: string } & Readonly<Record<string, unknown>>,
): Promise<string> {
  const { definition, ...rest } = values;
  type Data = { readonly createPaymentService: { readonly paymentServiceId: string | null } };
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreatePaymentServiceInput!) { createPaymentService(input: $input) {
      paymentServiceId userErrors { message path } } }`,
    {
      input: {
        ...{ paymentServiceDefinitionId: definition, fields: [{ key: 'merchant_id', value: 'shop' }] },
        ...{ acceptedCurrencies: ['EUR', 'USD'], acceptedCountries: ['DE', 'FR', 'US'], ...rest },
      },
    },
  );
  const id = body.data?.createPaymentService.paymentServiceId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}

/** Creates services of several methods and states. Returns the id of one whose provider accepted the credentials. */
export async function seedServices(server: Server): Promise<string> {
  const withKey = (key: string) => [
    { key: 'merchant_id', value: 'shop-eu' },
    { key: 'api_key', value: key },
  ];
  const id = await connect(server, {
    ...{ displayName: 'Northwind acquiring', definition: 'mockds-card', threeDSecureEnabled: true },
    fields: withKey('a-key'),
  });
  await connect(server, {
    ...{ displayName: 'Fallback acquirer', definition: 'mock-acquirer', fields: withKey('invalid') },
    ...{ acceptedCurrencies: ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK'] },
  });
  await connect(server, { displayName: 'PayPal', definition: 'mock-paypal' });
  await connect(server, { displayName: 'iDEAL', definition: 'mock-redirect', active: false });
  return id;
}

/** Creates a rule of 3-D Secure. Returns its id. */
export async function createRule(
  server: Server,
  conditions: Readonly<Record<string, string | number>>,
  outcome: Readonly<Record<string, string>>,
): Promise<string> {
  type Data = { readonly createThreeDSScenario: { readonly threeDSScenarioId: string | null } };
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreateThreeDSScenarioInput!) { createThreeDSScenario(input: $input) {
      threeDSScenarioId userErrors { message path } } }`,
    { input: { conditions, outcome } },
  );
  const id = body.data?.createThreeDSScenario.threeDSScenarioId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}

/** Creates rules with several conditions and outcomes. */
export async function seedRules(server: Server): Promise<void> {
  await createRule(server, { emailAddress: 'ada@example.com', amount: 1299 }, { authentication: 'Y' });
  await createRule(
    server,
    { cardNumber: '4111 1111 1111 1111', lastName: 'Doe' },
    { authentication: 'C', challengeResult: 'N' },
  );
  await createRule(server, { amount: 5000 }, { authentication: 'TIMEOUT' });
  await createRule(
    server,
    { cardNumber: '520000', externalIdentifier: 'order-7' },
    { authentication: 'C', challengeResult: 'Y' },
  );
}

/** Creates an anti-fraud service of the sandbox. Returns its id. */
export async function createAntiFraud(
  server: Server,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  type Data = { readonly createAntiFraudService: { readonly antiFraudServiceId: string | null } };
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreateAntiFraudServiceInput!) { createAntiFraudService(input: $input) {
      antiFraudServiceId userErrors { message path } } }`,
    {
      input: {
        ...{ displayName: 'Risk desk', antiFraudServiceDefinitionId: 'mock-anti-fraud' },
        ...{ fields: [{ key: 'merchant_id', value: 'shop' }], ...values },
      },
    },
  );
  const id = body.data?.createAntiFraudService.antiFraudServiceId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}
