export type Variables = Readonly<Record<string, unknown>>;
export type Question = {
  readonly text: string;
  readonly variables?: Variables;
  readonly scopes?: keyof typeof SCOPES;
  /** False for operations that graphql-js runs: several mutations, where a failed one stops the next. */
  readonly compiled?: boolean;
};

/** The scopes of each token. */
export const SCOPES = {
  all: ['*.read', '*.write'],
  events: ['events.read'],
  transactions: ['transactions.read', 'transactions.write'],
  writing: ['*.write'],
} as const;

const CARD = `card { scheme bin lastFour expirationDate fingerprint }`;
const MONEY = `capturable { amount currency } refundable { amount currency }`;
const USER_ERRORS = `userErrors { __typename code message path ... on OperationNotAllowed { status }
  ... on CaptureTooLarge { capturable { amount currency } } ... on RefundTooLarge { refundable { amount } }
  ... on IdempotencyKeyReused { differingPaths } }`;
export const PAY = `mutation ($input: CreateTransactionInput!, $key: String) { createTransaction(input: $input, idempotencyKey: $key) {
  transaction { id status ${CARD} ${MONEY} paymentService { id displayName } captures { id } } ${USER_ERRORS} replayed } }`;
export const payment = (amount: number, more: Variables = {}): Variables => ({
  amount,
  currency: 'USD',
  paymentMethod: { card: { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '100' } },
  ...more,
});

export const OPTIONS = {
  'mock-card': { '"); throw 1; ("': ['${1}', 1.5, null, { 'a b': true }] },
  'adyen-card': null,
};
export const ITEMS = [
  { name: 'Socks', quantity: 1, unitAmount: 1299, categories: ['a', 'b'], productType: 'PHYSICAL' },
];
export const CARRY = `mutation ($options: JSONObject, $items: [CartItemInput!]) { createTransaction(idempotencyKey: "carrying", input: {
  amount: 1299, currency: "USD", paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } },
  threeDSecure: { amount: 1300 }, shippingDetails: { address: { city: "Bonn" } }, store: true, cartItems: $items,
  buyer: { billingDetails: { taxId: { value: "1", kind: EU_VAT } } }, connectionOptions: $options }) { transaction { id
  reconciliationId threeDSecure { amount } connectionOptions shippingDetails { address { city } } approvalExpiresAt store
  cartItems { amount { currency value } categories productType } buyer { billingDetails { taxId { value kind } } } } replayed } }`;

/** Requests with the same data from all three. `makeRecords` names their ids. */
export const ANSWERED: readonly [what: string, Question][] = [
  [
    'a list with both of its shapes',
    {
      text: `{ transactions(first: 3) { edges { cursor node { id status } } nodes { amount ${CARD} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    },
  ],
  [
    'a list backwards, filtered',
    {
      text: '{ transactions(last: 1, sort: AMOUNT_ASC, filter: { status: [CAPTURE_SUCCEEDED, AUTHORIZATION_VOIDED], amountGte: 1 }) { nodes { id status intent intentOutcome operations { kind } attempts { choice } events(first: 2) { nodes { name context } } } } }',
    },
  ],
  [
    'pages by cursor',
    {
      text: 'query ($after: String) { events(first: 4, after: $after) { nodes { sequence cursor } pageInfo { hasNextPage endCursor } } }',
      variables: { after: '$cursor' },
    },
  ],
  [
    'a join from events to services and captures',
    {
      text: `{ events(first: 100, types: ["transaction.*", "capture.*", "refund.*", "api-key-pair.*"]) { nodes { sequence name createdAt target { type id } payload transaction { id status ${MONEY} paymentService { displayName acceptedCurrencies } captures { id amount status capturedAt } refunds { amount reason } } } } }`,
    },
  ],
  [
    'a join from transactions to services, deleted ones included, and to deliveries',
    {
      text: '{ transactions(first: 50) { nodes { id feedEvents(first: 3) { nodes { name deliveries(first: 1) { state webhookEndpoint { url } } } pageInfo { hasNextPage endCursor } } paymentService { id isDeleted active status merchantProfile { scheme } fields { key value } } } } }',
    },
  ],
  [
    'a reference of which only the key is asked',
    {
      text: '{ events { nodes { transaction { id } } } transactions { nodes { paymentService { id __typename } } } }',
    },
  ],
  [
    'edges to owners, and from captures and refunds back',
    {
      text: '{ transactions { nodes { merchantAccount { id displayName } captures { transaction { id status } } refunds { transaction { id merchantAccount { displayName } } } } } webhookEndpoints { nodes { merchantAccount { displayName } } } paymentServices { nodes { merchantAccount { id } } } }',
    },
  ],
  [
    'one capture, and an identifier that only the home of the buyer has',
    {
      text: '{ capture(id: "$captured") { id } transactions { nodes { buyerRecord { externalIdentifier } captures { id amount } } } }',
    },
  ],
  [
    'fragments, named and inline, that overlap',
    {
      text: `query { transaction(id: "$captured") { ...A ... on Transaction { amount paymentService { id } } ...B } }
    fragment A on Transaction { id amount paymentService { displayName } } fragment B on Transaction { card { bin } ...A }`,
    },
  ],
  [
    'aliases of one field with other arguments',
    {
      text: '{ captured: transaction(id: "$captured") { state: status id } voided: transaction(id: "$voided") { state: status id } none: transaction(id: "$unknown") { id } }',
    },
  ],
  [
    'variables with defaults, skip and include',
    {
      text: `query ($id: ID!, $with: Boolean = true, $without: Boolean!) { transaction(id: $id) {
    id paymentService @include(if: $with) { displayName } captures @skip(if: $without) { id } metadata buyer { displayName billingDetails { address { postalCode } } } } }`,
      variables: { id: '$captured', without: true },
    },
  ],
  [
    'all that a service has',
    {
      text: '{ paymentServices(deleted: true) { nodes { id type method displayName position acceptedCountries webhookUrl createdAt updatedAt reportingFields { key } } } }',
    },
  ],
  [
    'the catalogue',
    {
      text: '{ paymentServiceDefinitions { id fields { key format required secret } supportedFeatures { name supported } } paymentServiceDefinition(id: "mock-card") { id } nothing: paymentServiceDefinition(id: "x") { id } }',
    },
  ],
  [
    'records of four subgraphs in one request',
    {
      text: '{ merchantAccounts { nodes { id displayName createdAt } } apiKeyPairs { nodes { id algorithm scopes expiresAt } } webhookEndpoints { nodes { url state eventNames } } paymentServices { nodes { id } } transactions { nodes { id } } events { nodes { id } } }',
    },
  ],
  [
    'ids that name nothing, or are none',
    {
      text: `{ a: transaction(id: "$unknown") { id } b: transaction(id: "x") { id } c: paymentService(id: "$captured") { id }
    d: webhookEndpoint(id: "") { id } e: apiKeyPair(id: "$unknown") { id } f: merchantAccount(id: "nobody") { id } }`,
    },
  ],
  [
    'type names everywhere',
    {
      text: '{ __typename transactions(first: 1) { __typename nodes { __typename card { __typename } paymentService { __typename } } } }',
    },
  ],
  [
    'a payment that is answered from its record',
    { text: PAY, variables: { input: payment(1299), key: 'paid' } },
  ],
  [
    'a declined payment that is answered from its record',
    { text: PAY, variables: { input: payment(200_011), key: 'declined' } },
  ],
  [
    'a payment with all that it can carry, answered from its record',
    { text: CARRY, variables: { options: OPTIONS, items: ITEMS } },
  ],
  [
    'a capture that is answered from its record',
    {
      text: `mutation { captureTransaction(id: "$captured", idempotencyKey: "captured") { capture { id amount status capturedAt } transaction { id status capturedAmount } ${USER_ERRORS} replayed } }`,
    },
  ],
  [
    'a key that is used with other input',
    { text: PAY, variables: { input: payment(1300, { currency: 'EUR' }), key: 'paid' } },
  ],
  [
    'several refused values, all listed',
    {
      text: PAY,
      variables: { input: payment(-1, { currency: 'usd', country: 'USA', metadata: { a: 'b' } }), key: 'r' },
    },
  ],
  [
    'a capture that is not allowed',
    { text: `mutation { captureTransaction(id: "$voided", idempotencyKey: "l") { ${USER_ERRORS} } }` },
  ],
  [
    'a capture that is too large',
    {
      text: `mutation { captureTransaction(id: "$authorized", input: { amount: 99999999 }, idempotencyKey: "too much") { capture { id } transaction { id } ${USER_ERRORS} } }`,
    },
  ],
  [
    'a refund that is too large',
    {
      text: `mutation ($amount: Int) { refundTransaction(id: "$captured", input: { amount: $amount }, idempotencyKey: "too much back") { refund { id } ${USER_ERRORS} } }`,
      variables: { amount: 1200 },
    },
  ],
  [
    'several mutations of one subgraph',
    {
      text: `mutation { a: voidTransaction(id: "$unknown", idempotencyKey: "a") { void { id } ${USER_ERRORS} } b: voidTransaction(id: "$voided", idempotencyKey: "b") { ${USER_ERRORS} } }`,
      compiled: false,
    },
  ],
  [
    'a change that is made again',
    {
      text: 'mutation ($id: ID!) { deletePaymentService(id: $id) { paymentService { id isDeleted } userErrors { code } } }',
      variables: { id: '$deleted' },
    },
  ],
  [
    'a payment with a service of which only the key is asked, by a token that may not read services',
    {
      text: `mutation { createTransaction(input: { amount: 1299, currency: "USD", paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "100" } } }, idempotencyKey: "paid") { transaction { id status paymentService { id } } replayed } }`,
      scopes: 'transactions',
    },
  ],
];

/** Requests with errors of the same code, path and message, and with the same data beside them. */
export const REFUSED: readonly [what: string, code: string, Question][] = [
  ['a list without its scope', 'FORBIDDEN', { text: '{ transactions { nodes { id } } }', scopes: 'writing' }],
  [
    'one record without its scope, beside another',
    'FORBIDDEN',
    { text: '{ transaction(id: "$captured") { id } events(first: 1) { nodes { name } } }', scopes: 'events' },
  ],
  [
    'a reference without its scope',
    'FORBIDDEN',
    {
      text: '{ transaction(id: "$captured") { id paymentService { id displayName } captures { amount } } }',
      scopes: 'transactions',
    },
  ],
  [
    'a record in a payload without its scope',
    'FORBIDDEN',
    { text: PAY, variables: { input: payment(1299), key: 'paid' }, scopes: 'writing' },
  ],
  [
    'a mutation without its scope',
    'FORBIDDEN',
    {
      text: `mutation { updatePaymentService(id: "$deleted", input: { displayName: "x" }) { ${USER_ERRORS} } }`,
      scopes: 'events',
    },
  ],
  ['a page that is too large', 'INVALID_INPUT', { text: '{ transactions(first: 101) { nodes { id } } }' }],
  [
    'a page in both directions',
    'INVALID_INPUT',
    { text: '{ paymentServices(first: 1, last: 1) { nodes { id } } }' },
  ],
  [
    'a cursor of another list',
    'INVALID_INPUT',
    {
      text: 'query ($after: String) { transactions(after: $after) { nodes { id } } }',
      variables: { after: '$cursor' },
    },
  ],
  ['a cursor that is none', 'INVALID_INPUT', { text: '{ events(after: "x") { nodes { id } } }' }],
  [
    'a pattern that is none',
    'INVALID_INPUT',
    { text: '{ events(types: ["transaction.*", "?"]) { nodes { id } } }' },
  ],
];

/** Requests that are refused before they run. */
export const INVALID: readonly [what: string, Question][] = [
  ['a field that is not there', { text: '{ transactions { nodes { id secret } } }' }],
  ['an argument of another type', { text: '{ transactions(first: "2") { nodes { id } } }' }],
  ['an argument that is missing', { text: '{ transaction { id } }' }],
  [
    'an enum value that is not there',
    { text: '{ transactions(filter: { status: [PAID] }) { nodes { id } } }' },
  ],
  ['an object without a selection', { text: '{ transactions }' }],
  ['a document that is none', { text: '{ transactions { nodes { id }' }],
  [
    'a variable of another type',
    {
      text: 'query ($first: Int) { transactions(first: $first) { nodes { id } } }',
      variables: { first: '2' },
    },
  ],
  ['a variable that is missing', { text: 'query ($id: ID!) { transaction(id: $id) { id } }' }],
  ['a variable with a field too many', { text: PAY, variables: { input: payment(1299, { amont: 1 }) } }],
];
