import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** An operation for the graph and for a router. Texts such as `"$Buyer"` stand for the id of a record of the type. */
export type RouterOperation = { readonly name: string; readonly text: string };

export type Field = GraphQLField<unknown, unknown>;

/** The arguments of fields that need more than ids and pages. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  transactionReport:
    '(from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", interval: DAY, groupBy: SCHEME)',
  topBuyers: '(period: YEAR, at: "2026-06-01T00:00:00Z", currency: "USD")',
  explainThreeDSScenario: '(input: { amount: 1299, cardNumber: "4111 1111 1111 1111" })',
  explainRouting: '(input: { currency: "USD", country: "US" })',
  buyerPaymentMethods: '(buyerId: "$Buyer", orderBy: ASC)',
  paymentServiceDefinition: '(id: "mock-card")',
  events: '(first: 5)',
};

/** The types of records that own a list, by the required argument of the list. */
const OWNERS: Readonly<Record<string, string>> = {
  buyerId: 'Buyer',
  ruleSetId: 'RoutingRuleSet',
  webhookEndpointId: 'WebhookEndpoint',
};

const fieldsOf = (type: GraphQLObjectType | null | undefined): readonly Field[] =>
  Object.values(type?.getFields() ?? {});

const isRecord = (field: Field): boolean => field.args.length === 1 && field.args[0]?.name === 'id';

const hasArgument = (field: Field, name: string): boolean => field.args.some((each) => each.name === name);

const isRequired = ({ type, defaultValue }: GraphQLArgument): boolean =>
  isNonNullType(type) && defaultValue === undefined;

const isPaged = (field: Field): boolean => hasArgument(field, 'last');

/** Writes the operations of every field of Query: each record, list, page, edge, fragment, alias and refusal. */
export function queriesOf(schema: GraphQLSchema): readonly RouterOperation[] {
  return fieldsOf(schema.getQueryType()).flatMap((field) => [
    ...plain(schema, field),
    ...(isPaged(field) ? pages(field) : []),
    ...edges(field),
  ]);
}

function plain(schema: GraphQLSchema, field: Field): readonly RouterOperation[] {
  const type = getNamedType(field.type);
  const given = argumentsOf(field);
  const selection = leaves(schema, type.name, 2);
  const one = { name: field.name, text: `{ ${field.name}${given} { ${selection} } }` };
  if (!isRecord(field)) return [one];
  return [
    one,
    { name: `${field.name}, unknown`, text: `{ ${field.name}(id: "$unknown") { ${selection} } }` },
    {
      name: `${field.name}, twice by fragments`,
      text: `query ($with: Boolean = true) { a: ${field.name}${given} { ...A } b: ${field.name}${given} { ... on ${type.name} @include(if: $with) { __typename ...A } } }
        fragment A on ${type.name} { id ${leaves(schema, type.name, 1)} }`,
    },
  ];
}

/** Writes the arguments of a list: the ids of its owners, and the given ones. */
export function listArguments({ args }: Field, ...given: readonly string[]): string {
  const owners = args
    .filter((each) => isRequired(each) && OWNERS[each.name] !== undefined)
    .map(({ name }) => `${name}: "$${OWNERS[name]}"`);
  const all = [...owners, ...given];
  return all.length > 0 ? `(${all.join(', ')})` : '';
}

function pages(field: Field): readonly RouterOperation[] {
  const { name } = field;
  const list = (given: string): string => `${name}${listArguments(field, given)}`;
  const page =
    'edges { cursor node { __typename id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
  return [
    { name: `${name}, its first page`, text: `{ ${list('first: 2')} { ${page} nodes { id } } }` },
    { name: `${name}, its last page`, text: `{ ${list('last: 1')} { ${page} } }` },
    { name: `${name}, the next page`, text: `{ ${list(`first: 2, after: "$cursor:${name}"`)} { ${page} } }` },
    { name: `${name}, too large`, text: `{ ${list('first: 101')} { nodes { id } } }` },
    { name: `${name}, by no cursor`, text: `{ ${list('before: "x", last: 1')} { ${page} } }` },
  ];
}

/** Writes an operation for each record that a record leads to, and for that record's own key alone. */
function edges(field: Field): readonly RouterOperation[] {
  const { path, type } = nodesOf(field);
  return fieldsOf(type)
    .filter((edge) => isEdge(edge))
    .map((edge) => {
      const target = nodesOf(edge);
      const key = fieldsOf(target.type).some(({ name }) => name === 'id') ? 'id' : '__typename';
      const inner = target.path.reduceRight((text, step) => `{ ${step} ${text} }`, `{ __typename ${key} }`);
      const selection = `${edge.name}${edge.args.some(({ name }) => name === 'first') ? '(first: 2)' : ''} ${inner}`;
      const nodes = path.reduceRight((text, step) => `{ ${step} ${text} }`, `{ __typename ${selection} }`);
      return {
        name: `${field.name} to ${edge.name}`,
        text: `{ ${field.name}${argumentsOf(field)} ${nodes} }`,
      };
    });
}

/** Lists the records with an id that some field needs no further argument for. */
function isEdge(field: Field): boolean {
  const { type } = nodesOf(field);
  return !field.args.some(isRequired) && isObjectType(type) && 'id' in type.getFields();
}

/** Returns the way from a field to its records: `nodes` of a connection, otherwise nothing. */
function nodesOf(field: Field): {
  readonly path: readonly string[];
  readonly type: GraphQLObjectType | null;
} {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return { path: [], type: null };
  const nodes = type.getFields()['nodes'];
  if (!nodes) return { path: [], type };
  const node = getNamedType(nodes.type);
  return { path: ['nodes'], type: isObjectType(node) ? node : null };
}

function argumentsOf(field: Field): string {
  const known = ARGUMENTS[field.name];
  if (known !== undefined) return known;
  if (isRecord(field)) return `(id: "$${getNamedType(field.type).name}")`;
  return isPaged(field) ? listArguments(field, 'first: 5') : listArguments(field);
}

/** Writes the selection of all scalars of a type, and of the values inside it down to a depth. */
function leaves(schema: GraphQLSchema, typeName: string, depth: number): string {
  const type = schema.getType(typeName);
  if (isAbstractType(type))
    return `__typename ${schema
      .getPossibleTypes(type)
      .map((each) => `... on ${each.name} { ${leaves(schema, each.name, 0)} }`)
      .join(' ')}`;
  if (!isObjectType(type)) return '__typename';
  const parts = fieldsOf(type)
    .filter(({ args }) => !args.some(isRequired))
    .map((field) => {
      const named = getNamedType(field.type);
      if (!isCompositeType(named)) return field.name;
      const isEntity = isObjectType(named) && 'merchantAccountId' in named.getFields();
      const isLong = isListType(getNullableType(field.type)) && field.name !== 'nodes';
      if (depth === 0 || isLong || field.args.length > 0 || named.name === 'PageInfo') return '';
      if (field.name === 'edges') return '';
      if (isEntity && field.name !== 'nodes') return `${field.name} { __typename id }`;
      return `${field.name} { ${leaves(schema, named.name, field.name === 'nodes' ? depth : depth - 1)} }`;
    });
  return ['__typename', ...parts.filter(Boolean)].join(' ');
}

/** Writes an operation for each field of Query, for a token that may not read it. */
export const forbiddenQueriesOf = (schema: GraphQLSchema): readonly RouterOperation[] =>
  fieldsOf(schema.getQueryType()).map((field) => ({
    name: `${field.name} without its scope`,
    text: `{ ${field.name}${argumentsOf(field)} { __typename } }`,
  }));

const REFUSALS = 'userErrors { __typename code message path }';

/** The inputs of mutations that need some. Each is valid, so that the unknown id alone refuses the mutation. */
const INPUTS: Readonly<Record<string, string>> = {
  submitDisputeEvidence: '{ texts: [{ kind: RECEIPT, text: "x" }] }',
  updateWebhookEndpoint: '{ description: "x" }',
  updateMerchantAccount: '{ displayName: "x" }',
  updateApiKeyPair: '{ displayName: "x" }',
  inviteDashboardPerson: '{ email: "x@example.com", role: ANALYST }',
  updateDashboardPerson: '{ role: ANALYST }',
  createShippingDetails: '{ firstName: "x" }',
  updateShippingDetails: '{ firstName: "x" }',
  updateBuyer: '{ displayName: "x" }',
  updatePaymentMethod: '{ expirationDate: "12/40" }',
  updatePaymentService: '{ displayName: "x" }',
  updateAntiFraudService: '{ displayName: "x" }',
  updateThreeDSScenario: '{ outcome: { authentication: Y } }',
  resolveOperation: '{ outcome: FAILED, reason: "x" }',
  increaseAuthorization: '{ amount: 1 }',
  resolveReview: '{ decision: ACCEPT }',
  updateTransaction: '{ externalIdentifier: "x" }',
  createRoutingRuleSetVersion: '{ rules: [{ name: "x", action: { positions: true } }] }',
  updateRoutingValueSet: '{ name: "x" }',
};

/** The further arguments of mutations. */
const FURTHER: Readonly<Record<string, string>> = {
  createTransactionSession: 'token: "x"',
  explainSettlementDifference: 'reason: "x"',
  moveThreeDSScenario: 'to: { before: "$unknown" }',
  dismissDifference: 'reason: "x"',
  rejectRefund: 'reason: "x"',
};

const ID_ARGUMENTS = ['id', 'buyerId', 'eventId', 'ruleSetId', 'webhookEndpointId'];

/** Writes a refused operation for each mutation of a record: the record is unknown. */
export function refusedMutationsOf(schema: GraphQLSchema): readonly RouterOperation[] {
  return fieldsOf(schema.getMutationType())
    .filter((field) => ID_ARGUMENTS.some((name) => hasArgument(field, name)))
    .map((field) => {
      const ids = ID_ARGUMENTS.filter((name) => hasArgument(field, name)).map(
        (name) => `${name}: "$unknown"`,
      );
      const input = INPUTS[field.name];
      const key = hasArgument(field, 'idempotencyKey') ? [`idempotencyKey: "refused ${field.name}"`] : [];
      const given = [
        ...ids,
        ...(input ? [`input: ${input}`] : []),
        ...(FURTHER[field.name] ? [FURTHER[field.name]] : []),
        ...key,
      ];
      return {
        name: `${field.name} of an unknown record`,
        text: `mutation { ${field.name}(${given.join(', ')}) { ${REFUSALS} } }`,
      };
    });
}

/** Writes an operation for each mutation, for a token without its scope. Nothing is done. */
export const forbiddenMutationsOf = (schema: GraphQLSchema): readonly RouterOperation[] =>
  refusedMutationsOf(schema).map(({ name, text }) => ({ name: `${name}, without the scope`, text }));

const CARD = 'card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "100" }';

/**
 * Mutations that carry out something, with a key. The graph or the router carries each out once, and both repeat it. The names
 * `$Kept…` stand for payments of these mutations alone.
 */
export const CARRIED_OUT: readonly RouterOperation[] = [
  [
    'createMerchantAccount',
    'input: { id: "router", displayName: "Router" }',
    'merchantAccount { id displayName }',
  ],
  [
    'createApiKeyPair',
    'input: { displayName: "Router", scopes: ["events.read"] }',
    'apiKeyPair { id scopes active }',
  ],
  [
    'createWebhookEndpoint',
    'input: { url: "https://shop.example/router" }',
    'webhookEndpoint { id url state }',
  ],
  ['createExport', 'input: { type: LEDGER, format: CSV }', 'export { id type format }'],
  [
    'createPaymentLink',
    'input: { amount: 1299, currency: "USD", country: "US" }',
    'paymentLink { id amount status merchantAccount { id } }',
  ],
  [
    'createBuyer',
    'input: { displayName: "Router" }',
    'buyer { id displayName merchantAccount { displayName } }',
  ],
  [
    'createShippingDetails',
    'buyerId: "$Buyer", input: { firstName: "A" }',
    'shippingDetails { id firstName buyer { id displayName } }',
  ],
  [
    'storePaymentMethod',
    'input: { buyerId: "$Buyer", instrument: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }',
    'paymentMethod { id status scheme buyer { id } }',
  ],
  [
    'createPaymentService',
    'input: { displayName: "R", paymentServiceDefinitionId: "mock-card", fields: [{ key: "merchant_id", value: "r" }, { key: "api_key", value: "s" }], acceptedCurrencies: ["CHF"], acceptedCountries: ["CH"] }',
    'paymentService { id displayName fields { key value } }',
  ],
  [
    'createThreeDSScenario',
    'input: { conditions: { firstName: "R" }, outcome: { authentication: Y } }',
    'threeDSScenario { id position outcome { authentication } }',
  ],
  [
    'createTransaction',
    `input: { amount: 1299, currency: "USD", paymentMethod: { ${CARD} } }`,
    'transaction { id status paymentService { id displayName } merchantAccount { displayName } }',
  ],
  [
    'captureTransaction',
    'id: "$KeptToCapture", input: { amount: 500 }',
    'capture { id amount status transaction { id } } transaction { id capturedAmount paymentService { displayName } }',
  ],
  [
    'refundTransaction',
    'id: "$Transaction", input: { amount: 100 }',
    'refund { id amount status } transaction { refundedAmount }',
  ],
  [
    'increaseAuthorization',
    'id: "$KeptToIncrease", input: { amount: 100 }',
    'transaction { id authorizedAmount }',
  ],
  [
    'voidTransaction',
    'id: "$KeptToVoid"',
    'void { id status } transaction { id status buyer { displayName } }',
  ],
].map(([name = '', given = '', selection = '']) => ({
  name,
  text: `mutation { ${name}(${given}, idempotencyKey: "router ${name}") { ${selection} ${REFUSALS} replayed } }`,
}));

/** Changes that may be repeated. A repeated change gets the same answer. */
export const REPEATABLE: readonly RouterOperation[] = [
  [
    'updateMerchantAccount',
    'id: "default", input: { displayName: "Shop" }',
    'merchantAccount { id displayName }',
  ],
  [
    'updateBuyer',
    'id: "$Buyer", input: { displayName: "Ada" }',
    'buyer { id displayName paymentMethods { id status } }',
  ],
  [
    'updatePaymentService',
    'id: "$PaymentService", input: { displayName: "Cards" }',
    'paymentService { id displayName merchantAccount { id } }',
  ],
  [
    'updateTransaction',
    'id: "$Transaction", input: { metadata: { a: "b" } }',
    'transaction { id metadata paymentService { displayName } }',
  ],
  [
    'updateThreeDSScenario',
    'id: "$ThreeDSScenario", input: { outcome: { authentication: N } }',
    'threeDSScenario { id outcome { authentication } }',
  ],
  [
    'updateWebhookEndpoint',
    'id: "$WebhookEndpoint", input: { description: "x" }',
    'webhookEndpoint { id description merchantAccount { displayName } }',
  ],
  ['expirePaymentLink', 'id: "$PaymentLink"', 'paymentLink { id status }'],
  ['syncTransaction', 'id: "$Transaction"', 'transaction { id status }'],
  [
    'verifyCredentials',
    'input: { paymentServiceDefinitionId: "mock-card", paymentServiceId: "$PaymentService", fields: [] }',
    'verified { paymentServiceDefinitionId }',
  ],
  ['verifyPaymentService', 'id: "$PaymentService"', '__typename'],
  [
    'checkGiftCardBalances',
    'input: { giftCards: [{ number: "9000000000000001", pin: "01234" }] }',
    'balances { balance currency balanceErrorCode }',
  ],
].map(([name = '', given = '', selection = '']) => ({
  name: `${name}, again`,
  text: `mutation { ${name}(${given}) { ${selection} ${REFUSALS} } }`,
}));
