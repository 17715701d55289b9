/** Values that no answer and no log may hold: card numbers in any spelling, a security code and a secret. */
export const CANARY = /4111[ -]?1111|5105105105105100|98765|canary-secret/;

const PAN = '4111111111111111';

export type Attempt = {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
};

/** Builds a transaction with one piece of its text replaced. */
const pay = (piece: string, by: string): Attempt => ({
  query:
    `mutation { createTransaction(input: { amount: 1299, currency: "USD", intent: AUTHORIZE, paymentMethod: {
    card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "987" } } }) {
    transaction { id } userErrors { message path } } }`.replace(piece, by),
});

/** Builds the same with the input, or a part of it, as a variable. */
const payWith = (input: unknown): Attempt => ({
  query: `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) {
    transaction { id } userErrors { message path } } }`,
  variables: { input },
});

const input = {
  amount: 1299,
  currency: 'USD',
  paymentMethod: { card: { number: PAN, expirationDate: '12/40' } },
};
const withCard = (card: unknown): Attempt => payWith({ ...input, paymentMethod: { card } });

/** Invalid requests that make a GraphQL library repeat their content. */
export const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'number as Int in the text': pay('"4111 1111 1111 1111"', PAN),
  'number as enum in the text': pay('"4111 1111 1111 1111"', `_${PAN}`),
  'number as list in the text': pay('"4111 1111 1111 1111"', `["${PAN}", "${PAN}"]`),
  'number as object in the text': pay('"4111 1111 1111 1111"', `{ pan: "${PAN}" }`),
  'security code as Int in the text': pay('"987"', '98765'),
  'amount that is too large': pay('1299', PAN),
  'amount as string': pay('1299', `"${PAN}"`),
  'amount as float': pay('1299', '4111111111111111.5'),
  'intent that does not exist': pay('AUTHORIZE', `N${PAN}`),
  'intent as string': pay('AUTHORIZE', `"${PAN}"`),
  'currency that is a number': pay('"USD"', `"${PAN}"`),
  'unknown input field': pay('currency: "USD"', `currency: "USD", n${PAN}: 1`),
  'unknown selection': { query: `{ n${PAN} }` },
  'unknown argument': { query: `{ transaction(n${PAN}: 1) { id } }` },
  'unknown type': { query: `{ ... on N${PAN} { id } }` },
  'unknown directive': { query: `{ __typename @n${PAN} }` },
  'unknown fragment': { query: `{ ...n${PAN} }` },
  'unused fragment': { query: `{ __typename } fragment n${PAN} on Query { __typename }` },
  'variable that is not declared': { query: `{ transaction(id: $n${PAN}) { id } }` },
  'variable of an unknown type': { query: `query ($a: N${PAN}) { __typename }` },
  'two operations of one name': { query: `query n${PAN} { __typename } query n${PAN} { __typename }` },
  'operation that does not exist': { query: 'query A { __typename }', operationName: PAN },
  'number at the root': { query: PAN },
  'string at the root': { query: `"${PAN}"` },
  'name in the wrong place': { query: `{ a(b: n${PAN} c) d: n${PAN} } n${PAN}` },
  'string that does not end': { query: `{ transaction(id: "${PAN}` },
  'number with letters behind it': { query: `{ transactions(first: ${PAN}abc) { nodes { id } } }` },
  'escape that does not exist': { query: `{ transaction(id: "${PAN}\\x") { id } }` },
  'variables as a string': { query: '{ __typename }', variables: PAN },
  'variables as a list': { query: '{ __typename }', variables: [PAN] },
  'page that is too large': { query: `{ transactions(first: ${PAN}) { nodes { id } } }` },
  'page as string': { query: `{ transactions(first: "${PAN}") { nodes { id } } }` },
  'cursor that is a number': { query: `{ transactions(after: "${PAN}") { nodes { id } } }` },
  'filter that is a number': { query: `{ transactions(filter: { cardBin: "${PAN}" }) { nodes { id } } }` },
  'filter in a list': { query: `{ transactions(filter: { status: [N${PAN}] }) { nodes { id } } }` },
  'filter as a variable': {
    query: 'query ($filter: TransactionFilter) { transactions(filter: $filter) { nodes { id } } }',
    variables: { filter: { amountEq: PAN, currency: [PAN], [`n${PAN}`]: 1 } },
  },
  'id that is an object': { query: `{ transaction(id: { pan: "${PAN}" }) { id } }` },
  'date that is a number': {
    query:
      'mutation ($at: DateTime) { updateApiKeyPair(id: "1", input: { expiresAt: $at }) { userErrors { message } } }',
    variables: { at: PAN },
  },
  'date that is a number in the text': {
    query: `mutation { updateApiKeyPair(id: "1", input: { expiresAt: "${PAN}" }) { userErrors { message } } }`,
  },
  'key that is an Int': {
    query: 'mutation ($key: String) { voidTransaction(id: "1", idempotencyKey: $key) { replayed } }',
    variables: { key: Number(PAN) },
  },
  'key that is too long': {
    query:
      'mutation ($key: String) { voidTransaction(id: "1", idempotencyKey: $key) { userErrors { message } } }',
    variables: { key: PAN.repeat(20) },
  },
  'variable: number as Int': withCard({ number: Number(PAN), expirationDate: '12/40' }),
  'variable: number as object': withCard({ number: { pan: PAN }, expirationDate: '12/40' }),
  'variable: number as list': withCard({ number: [PAN], expirationDate: '12/40' }),
  'variable: number without a date': withCard({ number: PAN }),
  'variable: security code as Int': withCard({ ...input.paymentMethod.card, securityCode: 98765 }),
  'variable: number in another field': withCard({ ...input.paymentMethod.card, expirationDate: PAN }),
  'variable: card that is the number': withCard(PAN),
  'variable: unknown field': withCard({ ...input.paymentMethod.card, [`n${PAN}`]: 'canary-secret' }),
  'variable: unknown field that is no name': withCard({ ...input.paymentMethod.card, [PAN]: 1 }),
  'variable: no method': payWith({ ...input, paymentMethod: {}, externalIdentifier: { pan: PAN } }),
  'variable: metadata with a number': payWith({ ...input, metadata: { pan: Number(PAN) } }),
  'variable: metadata as string': payWith({ ...input, metadata: PAN }),
  'variable: options that are the number': payWith({ ...input, connectionOptions: PAN }),
  'variable: options of a name that is the number': payWith({ ...input, connectionOptions: { [PAN]: PAN } }),
  'options with the number as a word': pay('amount: 1299', `amount: 1299, connectionOptions: { a: N${PAN} }`),
  'variable: cart in the currency of a number': payWith({
    ...input,
    cartItems: [{ name: 'x', quantity: 1, amount: { currency: PAN, value: 1 } }],
  }),
  'variable: descriptor, address and moment': payWith({
    ...input,
    statementDescriptor: { name: `<${PAN}>` },
    redirectUrl: PAN,
    approvalExpiresAt: PAN,
  }),
  'variable: intent': payWith({ ...input, intent: PAN }),
  'variable: input that is the number': payWith(PAN),
  'variable: secret credential as Int': {
    query: `mutation ($fields: [FieldInput!]!) { createPaymentService(input: { displayName: "S", paymentServiceDefinitionId: "mock-card",
      fields: $fields, acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) { userErrors { message } } }`,
    variables: { fields: [{ key: 'api_key', value: { text: 'canary-secret' } }] },
  },
};
