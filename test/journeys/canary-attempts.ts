import type { Secrets } from './secrets.ts';

/** A request that holds secrets: an operation, or a body without a valid operation. */
export type Attempt = {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
};

export type Services = {
  /** A payment service at the test's provider. */
  readonly paymentServiceId: string;
};

const PAY = `mutation ($input: CreateTransactionInput!, $key: String) { createTransaction(input: $input, idempotencyKey: $key) {
  transaction { id status card { scheme bin lastFour expirationDate fingerprint } errorCode rawResponseCode
    rawResponseDescription authResponseCode cvvResponseCode paymentServiceTransactionId metadata }
  userErrors { __typename code message path ... on IdempotencyKeyReused { differingPaths } } replayed } }`;

const CREATE_SERVICE = `mutation ($input: CreatePaymentServiceInput!, $key: String) { createPaymentService(input: $input, idempotencyKey: $key) {
  paymentService { id fields { key value } reportingFields { key value } webhookUrl }
  userErrors { __typename code message path ... on IdempotencyKeyReused { differingPaths } } replayed } }`;

const UPDATE_SERVICE = `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) { updatePaymentService(id: $id, input: $input) {
  paymentService { fields { key value } } userErrors { code message path } } }`;

/** Lists attempts. Each has secrets of its own. */
export function createAttempts(
  secrets: Secrets,
  { paymentServiceId }: Services,
): Readonly<Record<string, Attempt>> {
  return {
    ...payments(secrets, paymentServiceId),
    ...wronglyTyped(secrets),
    ...written(secrets),
    ...credentials(secrets, paymentServiceId),
    ...others(secrets),
  };
}

type Attempts = Readonly<Record<string, Attempt>>;

const cardOf = (secrets: Secrets, more: object = {}) => ({
  number: secrets.card(),
  expirationDate: '12/40',
  securityCode: secrets.securityCode(),
  ...more,
});

const pay = (card: unknown, more: object = {}, key: string | null = null): Attempt => ({
  query: PAY,
  variables: { input: { amount: 1299, currency: 'USD', paymentMethod: { card }, ...more }, key },
});

/** Valid cards, and cards that the input check refuses. */
function payments(secrets: Secrets, paymentServiceId: string): Attempts {
  const card = (more?: object) => cardOf(secrets, more);
  const apart = secrets.card().replace(/(\d{4})(?=\d)/g, '$1 ');
  return {
    approved: pay(card(), { paymentServiceId }),
    'approved with a key': pay(card(), { paymentServiceId }, 'canary'),
    'another card with the same key': pay(card(), { paymentServiceId }, 'canary'),
    'captured at once': pay(card(), { intent: 'CAPTURE' }),
    declined: pay(card(), { amount: 200_011 }),
    failed: pay(card(), { amount: 300_013, paymentServiceId }),
    'written apart': pay(card({ number: apart })),
    'no service': pay(card(), { currency: 'JPY' }),
    'a service that does not exist': pay(card(), {
      paymentServiceId: '01900000-0000-7000-8000-000000000000',
    }),
    expired: pay(card({ expirationDate: '01/20' })),
    'too long a number': pay(card({ number: `${secrets.card()}0000` })),
    'a number with hyphens': pay(card({ number: apart.replaceAll(' ', '-') })),
    'a number with U+0000': pay(card({ number: `${secrets.card()}\u0000` })),
    'too long a code': pay(card({ securityCode: secrets.text() })),
    'a number for a date': pay(card({ expirationDate: secrets.card() })),
    'a number for a currency': pay(card(), { currency: secrets.card() }),
    'a number for a service': pay(card(), { paymentServiceId: secrets.card() }),
    'too long a key': pay(card(), {}, secrets.card().repeat(16)),
  };
}

/** Variables of the wrong type. */
function wronglyTyped(secrets: Secrets): Attempts {
  const card = (more?: object) => cardOf(secrets, more);
  return {
    'number as Int': pay(card({ number: Number(secrets.card()) })),
    'number as list': pay(card({ number: [secrets.card()] })),
    'number as object': pay(card({ number: { pan: secrets.card() } })),
    'code as Int': pay(card({ securityCode: Number(secrets.securityCode()) })),
    'amount as string': pay(card(), { amount: secrets.card() }),
    'amount as Int': pay(card(), { amount: Number(secrets.card()) }),
    'intent as number': pay(card(), { intent: Number(secrets.card()) }),
    'metadata as number': pay(card(), { metadata: { pan: Number(secrets.card()) } }),
    'card as string': pay(secrets.card()),
    'unknown field': pay(card({ pan: secrets.card() })),
    'unknown field that is a number': pay(card({ [secrets.card()]: secrets.text() })),
    'two methods': pay(card(), { paymentMethod: { card: card(), bank: secrets.text() } }),
    'key as number': { ...pay(card()), variables: { input: {}, key: Number(secrets.card()) } },
    'no input': { query: PAY, variables: { card: card() } },
    'variables as string': { query: PAY, variables: secrets.card() },
  };
}

/** Secrets in the text of the document: valid, invalid and impossible to parse. */
function written(secrets: Secrets): Attempts {
  const document = (number: string, code = `"${secrets.securityCode()}"`): Attempt => ({
    query: `mutation { createTransaction(input: { amount: 1299, currency: "USD", paymentMethod: { card: {
      number: ${number}, expirationDate: "12/40", securityCode: ${code} } } }) { transaction { id } userErrors { message } } }`,
  });
  const broken = (text: string): Attempt => ({ query: text });
  return {
    'a string in the text': document(`"${secrets.card()}"`),
    'a block string in the text': document(`"""${secrets.card()}"""`),
    'an Int in the text': document(secrets.card(), secrets.securityCode()),
    'a Float in the text': document(`${secrets.card()}.5`),
    'an enum in the text': document(`_${secrets.card()}`),
    'a list in the text': document(`["${secrets.card()}", "${secrets.card()}"]`),
    'an object in the text': document(`{ n${secrets.card()}: "${secrets.text()}" }`),
    'a variable in the text': document(`$n${secrets.card()}`),
    'an argument': broken(`{ transaction(id: ${secrets.card()}, pan: "${secrets.text()}") { id } }`),
    'a field': broken(`{ n${secrets.card()} }`),
    'a comment': broken(`{ # ${secrets.card()}\n transaction(id: ${secrets.card()}abc) { id } }`),
    'a string that does not end': document(`"${secrets.card()}`),
    'an escape that is none': document(`"${secrets.card()}\\x"`),
    'no document': broken(secrets.card()),
    'a name in the wrong place': broken(`{ a(b: n${secrets.card()} c) } n${secrets.card()}`),
    'the name of an operation': { query: 'query A { __typename }', operationName: secrets.card() },
  };
}

/** Secret credentials of payment services. */
function credentials(secrets: Secrets, paymentServiceId: string): Attempts {
  const create = (fields: unknown, more: object = {}, key: string | null = null): Attempt => ({
    query: CREATE_SERVICE,
    variables: {
      input: {
        displayName: 'Canary',
        paymentServiceDefinitionId: 'mock-card',
        fields,
        acceptedCurrencies: ['ISK'],
        acceptedCountries: ['IS'],
        ...more,
      },
      key,
    },
  });
  const update = (fields: unknown): Attempt => ({
    query: UPDATE_SERVICE,
    variables: { id: paymentServiceId, input: { fields } },
  });
  const merchant = { key: 'merchant_id', value: 'canary' };
  const secret = (value: unknown = secrets.text()) => ({ key: 'api_key', value });
  return {
    'a service': create([merchant, secret()]),
    'a service with a key': create([merchant, secret()], {}, 'canary'),
    'another credential with the same key': create([merchant, secret()], {}, 'canary'),
    'a service without what is required': create([secret()], { acceptedCurrencies: ['isk'] }),
    'a service with a flag that it lacks': create([merchant, secret()], { settlementReportingEnabled: true }),
    'a service of no definition': create([merchant, secret()], { paymentServiceDefinitionId: 'canary' }),
    'a credential twice': create([merchant, secret(), secret()]),
    'a credential that is too long': create([merchant, secret(secrets.text().repeat(400))]),
    'a credential with U+0000': create([merchant, secret(`${secrets.text()}\u0000`)]),
    'a credential for a name': create([merchant, { key: secrets.text(), value: secrets.text() }]),
    'a credential for a long name': create([merchant, { key: secrets.text().repeat(3), value: 'x' }]),
    'a credential as number': create([merchant, secret(Number(secrets.card()))]),
    'a credential as list': create([merchant, secret([secrets.text()])]),
    'a credential as object': create([merchant, secret({ value: secrets.text() })]),
    'credentials as object': create({ api_key: secrets.text() }),
    'a credential in the text': {
      query: `mutation { updatePaymentService(id: "${paymentServiceId}", input: { fields: [{ key: api_key, value: ${secrets.card()} }] }) { userErrors { message } } }`,
    },
    'a new credential': update([secret()]),
    'a new credential of no service': {
      query: UPDATE_SERVICE,
      variables: { id: secrets.text(), input: { fields: [secret()] } },
    },
    'a new credential that is too long': update([secret(secrets.text().repeat(400))]),
    'a new credential as object': update([secret({ value: secrets.text() })]),
  };
}

/** Secrets given by mistake, such as the private half of a key or a password in an address. */
function others(secrets: Secrets): Attempts {
  const pem = `-----BEGIN PRIVATE KEY-----\n${secrets.text()}\n-----END PRIVATE KEY-----`;
  return {
    'a private key for a public one': {
      query: `mutation ($key: String!) { createApiKeyPair(input: { displayName: "Canary", scopes: ["*.read"], publicKey: $key }) {
        apiKeyPair { id } userErrors { code message path } } }`,
      variables: { key: pem },
    },
    'a password in an address': {
      query:
        'mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { url } userErrors { message } } }',
      variables: { url: `https://canary:${secrets.text()}@example.com/` },
    },
  };
}
