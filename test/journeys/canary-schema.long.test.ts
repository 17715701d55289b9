import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { SEALED_COLUMNS } from '../../src/platform/vault/sealed-columns.ts';
import { documentOf, readingOf } from '../idempotency/document.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { dumpDatabase, dumpFolder } from './dump.ts';
import { createSecrets } from './secrets.ts';
import { walkThrough, type Answer } from './walk.ts';
import { placesIn, wrongPlaces } from './wrong-places.ts';
import { signIn } from '../sessions/browser-fetch.ts';
import { until } from '../support/until.ts';

/** Fields that show a secret once by design, in the answer that creates the secret. A repeat shows nothing. */
const SHOWN_ONCE: Readonly<Record<string, string>> = {
  createApiKeyPair: 'privateKey',
  inviteDashboardPerson: 'invitationUrl',
  renewDashboardInvitation: 'invitationUrl',
  createWebhookEndpoint: 'secret',
  rotateWebhookSecret: 'secret',
};

/** Secrets for the buyer's client. Every answer to the payment's creator shows them, and no other answer. */
const SHOWN_TO_MAKER: Readonly<Record<string, (payload: Answer) => unknown>> = {
  createTransaction: ({ sessionToken }) => sessionToken,
  createTransactionSession: ({ session }) =>
    (session as { defaultCompletionUrl: string }).defaultCompletionUrl,
};

/** The headers of an endpoint's deliveries. */
const GIVEN_ALONG = ['authorization', 'x-canary'];

/** Mutations outside the walk, because the walk never reaches their precondition. The wrong places cover them. */
const NOT_WALKED: Readonly<Record<string, string>> = {
  approveRefund: 'Takes two people who are signed in.',
  rejectRefund: 'Takes two people who are signed in.',
  withdrawRefund: 'Takes a person who is signed in.',
  explainSettlementDifference: 'Takes an entry that a provider reports on the next day.',
  adoptDifference: 'Takes a difference that a provider reports.',
  dismissDifference: 'Takes a difference that a provider reports.',
  applyUnreadWebhook: 'Takes a webhook of a provider that nobody could read.',
  replayDelivery: 'Takes ids, and an event that has reached the feed.',
  replayEvent: 'Takes the id of an event that has reached the feed.',
  resolveOperation:
    'Takes ids and words of a person, about what no reconciliation could find out in seven days.',
};

/** Sealed columns that stay empty on the walk, with the test that fills them. */
const NOT_FILLED: Readonly<Record<string, string>> = {
  'dashboard_person.sealed_totp': 'The invited person opens the page: test/people.',
  'redemption.sealed_card': 'StoredRows only until a redemption has an outcome: test/transactions.',
  'operation.sealed_form': "A redirect by POST, until the payment's end: test/transactions.",
  'operation.sealed_returned': "A buyer's return, until the provider's answer: test/transactions.",
  'dispute_response.sealed_evidence': "Evidence, until the provider's answer: test/disputes.",
  'unread_webhook.sealed_body': "A provider's webhook that cannot be read: test/transactions.",
  'inbound_webhook.sealed_token': "A provider's webhook that is earlier than its payment: test/transactions.",
};

const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
const secrets = createSecrets();
const replies: { readonly what: string; readonly text: string }[] = [];
const walked = new Set<string>();
/** The filled places of each mutation on the walk. */
const given = new Set<string>();
/** An id of each type from the walk. */
const met = new Map<string, string>();

let database: TestDatabase;
let server: ServerProcess;
let provider: FakeProvider;
let receiver: Receiver;

beforeAll(async () => {
  [database, provider, receiver] = await Promise.all([
    createTestDatabase(),
    startFakeProvider(),
    startReceiver(),
  ]);
  server = await startProcess({
    DATABASE_URL: database.url,
    PAYGRAPH_MASTER_KEY: secrets.add(randomBytes(32).toString('base64')),
    LOG_LEVEL: 'debug',
  });
  await walkThrough({
    ...{ secrets, send, ask, receiverUrl: receiver.url, providerUrl: provider.url },
    loseAnswer: () =>
      provider.failNext('lose_answer', ...Array.from({ length: 200 }, () => 'nonsense' as const)),
    openSession: () => signIn(server),
  });
  await readEverything();
  await sendToWrongPlaces();
}, 120_000);

afterAll(async () => {
  await server.stop();
  await Promise.all([provider.close(), receiver.close(), database.drop()]);
});

describe('the walk', () => {
  it('goes through every mutation of the schema', () => {
    expect([...walked, ...Object.keys(NOT_WALKED)].sort()).toEqual([...mutations].sort());
  });

  it('fills every secret place of a mutation with a secret', () => {
    const places = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) =>
      placesIn(field).map(({ path, name }) => ({ place: `${field.name} ${path}`, name })),
    );
    const secret = places.filter(({ name }) => SECRET_INPUTS.includes(name)).map(({ place }) => place);

    expect(secret.length).toBeGreaterThan(SECRET_INPUTS.length);
    expect(secret.filter((place) => !given.has(place))).toEqual(NOT_SECRET);
  });

  it('classifies every input as secret or open', () => {
    const suspicious = Object.values(schema.getTypeMap())
      .filter(isInputObjectType)
      .flatMap((type) => Object.values(type.getFields()).map(({ name }) => ({ type: type.name, name })))
      .filter(({ name }) => SUSPICIOUS.test(name));

    expect(suspicious.map(({ type, name }) => `${type}.${name}`).sort()).toEqual(
      [...SECRET_INPUTS, ...OPEN_INPUTS].sort(),
    );
  });
});

describe('no secret', () => {
  it('is in a reply, except for those shown once', () => {
    const found = foundIn(replies.map(({ text }) => text).join('\n'));
    const where = found.length > 0 ? replies.filter(({ text }) => foundIn(text).length > 0) : [];

    expect({ found, where: where.map(({ what }) => what) }).toEqual({ found: [], where: [] });
    // Requests that ended in an internal error would prove nothing.
    expect(replies.filter(({ text }) => text.includes('INTERNAL_SERVER_ERROR'))).toEqual([]);
    expect(replies.length).toBeGreaterThan(1_000);
  });

  it('is in the log', () => {
    expect(server.output()).toContain('The outcome is unknown.');
    expect(foundIn(server.output())).toEqual([]);
  });

  it('is in the feed or in a webhook', async () => {
    const { body } = await server.graphql<{ events: { nodes: unknown[] } }>(
      '{ events(first: 100) { nodes { name payload } } }',
    );
    expect(body.data?.events.nodes.length).toBeGreaterThan(15);
    await until(() => receiver.received.length > 15);
    const webhooks = receiver.received.map(({ path, headers, body: text }) => ({
      ...{ path, text },
      headers: Object.entries(headers).filter(([name]) => !GIVEN_ALONG.includes(name)),
    }));

    expect(foundIn(JSON.stringify(body))).toEqual([]);
    expect(foundIn(JSON.stringify(webhooks))).toEqual([]);
  });

  it('is in any column of the database, nor in the data folder', async () => {
    expect(foundIn(await dumpDatabase(database.url))).toEqual([]);
    expect(foundIn(await dumpFolder(server.dataFolder))).toEqual([]);
  });

  it('is sealed in a column that rotation does not know, and each known column holds one', async () => {
    const columns = await query<{ table: string; column: string }>(
      database.url,
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type IN ('text', 'json', 'jsonb', 'ARRAY')`,
    );
    const each = columns.map(
      ({ table, column }) => `SELECT '${table}.${column}' AS name WHERE EXISTS (
        SELECT FROM "${table}" WHERE "${column}"::text ~ 'v1\\.[0-9a-f-]{36}\\.[\\w-]{16}\\.')`,
    );
    const sealed = await query<{ name: string }>(database.url, each.join(' UNION ALL '));

    const filled = [...sealed.map(({ name }) => name), ...Object.keys(NOT_FILLED)];
    expect(filled.sort()).toEqual(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
  });
});

// An empty search result could mean a broken search.
describe('a secret that is planted', () => {
  it('is found in a reply, in the database, and in the log in another encoding', async () => {
    const planted = { card: secrets.card(), text: secrets.text() };
    const both = [planted.card, planted.text].sort();
    const externalIdentifier = `${planted.card.replace(/(\d{4})(?=\d)/g, '$1 ')} ${planted.text}`;
    const allowed = { id: 'default', input: { allowsCardLikeIdentifiers: true } };
    await post('allowed', documentOf(schema, 'updateMerchantAccount', 'all'), allowed);
    const answer = await post(
      'planted',
      documentOf(schema, 'createBuyer', 'all'),
      { input: { externalIdentifier } },
      false,
    );

    expect([...secrets.foundIn(answer)].sort()).toEqual(both);
    expect([...secrets.foundIn(await dumpDatabase(database.url))].sort()).toEqual(both);
    expect(secrets.foundIn(`${server.output()} ${Buffer.from(planted.text).toString('base64')}`)).toEqual([
      planted.text,
    ]);
    // The provider received the secrets that belong to it.
    expect(secrets.foundIn(JSON.stringify(provider.calls)).length).toBeGreaterThan(5);
  });
});

/** Names of inputs that may hold a secret. */
const SUSPICIOUS = /number|code|secret|pin$|password|value|token|mandate|cv[cv]|key$|credential/i;

const SECRET_INPUTS = [
  'BankAccountInput.accountNumber',
  'BasicAuthenticationInput.password',
  'CardInput.number',
  'CardInput.securityCode',
  'FieldInput.value',
  'GiftCardReferenceInput.number',
  'GiftCardReferenceInput.pin',
  'InstantBankMandateInput.mandate',
  'NetworkTokenInput.token',
  'NetworkTokenPaymentInput.number',
  'ProviderTokenInput.token',
  'StoreGiftCardInput.number',
  'StoreGiftCardInput.pin',
  'StoredCardInput.number',
  'StoredCardInput.securityCode',
  'StoredPaymentMethodInput.securityCode',
  'ThreeDSConditionsInput.cardNumber',
  'TransactionGiftCardInput.number',
  'TransactionGiftCardInput.pin',
  'WalletTokenInput.token',
  'WebhookHeaderInput.value',
];

/** Places with such a name that hold no secret. */
const NOT_SECRET = [
  'createPaymentService input.reportingFields.value',
  'updatePaymentService input.reportingFields.value',
];

/** Open places, and places that only queries have. The wrong places cover the latter. */
const OPEN_INPUTS: readonly string[] = [
  'AddressInput.houseNumberOrName',
  'AddressInput.postalCode',
  'AddressInput.stateCode',
  'BankAccountInput.mandate',
  'BankAccountInput.routingNumber',
  'BillingDetailsInput.phoneNumber',
  'CartItemAmountInput.value',
  'CartItemInput.commodityCode',
  'CreateApiKeyPairInput.publicKey',
  'CreateBuyerInput.accountNumber',
  'CreatePaymentServiceInput.networkTokensEnabled',
  'CreatePaymentServiceInput.paymentMethodTokenizationEnabled',
  'CreateRoutingValueSetInput.values',
  'CreateTransactionInput.customerReferenceNumber',
  'CreateTransactionInput.purchaseOrderNumber',
  'CreateTransactionInput.supplierOrderNumber',
  'ExplainRoutingInput.providerToken',
  'ExplainThreeDSScenarioInput.cardNumber',
  'FieldInput.key',
  'MerchantProfileInput.merchantCategoryCode',
  'MerchantProfileInput.merchantCountryCode',
  'PaymentMethodInput.networkToken',
  'PaymentMethodInput.providerToken',
  'RoutingFactInput.formerErrorCode',
  'RoutingMetadataInput.values',
  'RoutingRefusalInput.code',
  'RoutingSharedMetadataInput.valueSetId',
  'ShippingDetailsInput.phoneNumber',
  'StatementDescriptorInput.phoneNumber',
  'StatementDescriptorInput.postalCode',
  'StoredInstrumentInput.instantBankMandate',
  'StoredInstrumentInput.networkToken',
  'TaxIdInput.value',
  'TransactionBuyerInput.accountNumber',
  'TransactionFilter.errorCode',
  'TransactionReportFilter.declineCode',
  'TransactionShippingDetailsInput.phoneNumber',
  'UpdateApiKeyPairInput.tokensNotBefore',
  'UpdateBuyerInput.accountNumber',
  'UpdatePaymentServiceInput.networkTokensEnabled',
  'UpdatePaymentServiceInput.paymentMethodTokenizationEnabled',
  'UpdateRoutingValueSetInput.values',
];

async function post(what: string, document: string, variables: unknown, keep = true): Promise<string> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
    body: JSON.stringify({ query: document, variables }),
  });
  const text = await response.text();
  if (keep) replies.push({ what, text });
  return text;
}

/**
 * Sends a mutation, with a key where the mutation accepts one, and then repeats the request. A replay must show no
 * secret either.
 */
async function ask<Answer>(text: string, variables: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { body } = await server.graphql<{ answer: Answer }>(text, variables);
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.answer;
}

async function send(mutation: string, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  walked.add(mutation);
  note(mutation, input);
  const document = documentOf(schema, mutation, 'record');
  const keyed = document.includes('$idempotencyKey');
  const variables = { ...input, ...(keyed && { idempotencyKey: `canary ${replies.length}` }) };
  const text = await post(mutation, document, variables, false);
  const body = JSON.parse(text) as { data?: { payload: Answer } };
  const payload = body.data?.payload;
  if (!payload || (payload['userErrors'] as unknown[]).length > 0) throw new Error(`${mutation}: ${text}`);
  const shown = payload[SHOWN_ONCE[mutation] ?? ''];
  const shownToMaker = SHOWN_TO_MAKER[mutation]?.(payload);
  if (typeof shown === 'string') learn(shown);
  if (typeof shownToMaker === 'string') secrets.add(shownToMaker.split('/').at(-1) ?? '');
  const keep = (what: string, reply: string, hidden: readonly unknown[]): void =>
    void replies.push({
      what,
      text: hidden.reduce<string>(
        (rest, value) => (typeof value === 'string' ? rest.replace(JSON.stringify(value), '') : rest),
        reply,
      ),
    });
  keep(mutation, text, [shown, shownToMaker]);
  if (keyed)
    keep(`${mutation} again`, await post(`${mutation} again`, document, variables, false), [shownToMaker]);
  for (const record of Object.values(payload)) meet(record);
  return payload;
}

function note(mutation: string, value: unknown, path = ''): void {
  if (path !== '') given.add(`${mutation} ${path}`);
  if (Array.isArray(value)) for (const each of value) note(mutation, each, path);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      note(mutation, inner, path === '' ? name : `${path}.${name}`);
}

/** Registers a secret that the service has created: a webhook secret, or the lines of a private key. */
function learn(shown: string): void {
  const lines = shown.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  // The first line of a private key names its algorithm, and the last line may be short.
  for (const line of lines.length > 1 ? lines.slice(1, -1) : lines) secrets.add(line.replace(/^whsec_/, ''));
}

function meet(record: unknown): void {
  if (typeof record !== 'object' || record === null || !('id' in record) || !('__typename' in record)) return;
  met.set(String(record.__typename), String(record.id));
}

/** Reads every record of the walk with all its fields. */
async function readEverything(): Promise<void> {
  const readable = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    ({ args, type }) => args.map(({ name }) => name).join() === 'id' && isObjectType(getNamedType(type)),
  );
  expect(readable.length).toBeGreaterThan(8);
  for (const { name, type } of readable) {
    const id = met.get(getNamedType(type).name) ?? '';
    await post(`read ${name}`, readingOf(schema, name), { id });
  }
}

/** The root field that received each secret in a wrong place. */
const sentTo = new Map<string, string>();

const foundIn = (text: string): readonly string[] =>
  secrets.foundIn(text).map((secret) => `${secret} ${sentTo.get(secret) ?? 'on the walk'}`);

const AT_ONCE = 6;

async function sendToWrongPlaces(): Promise<void> {
  const waiting = [...wrongPlaces(schema, secrets)];
  for (const { what, canary } of waiting)
    for (const secret of Object.values(canary)) sentTo.set(secret, what.split(' ')[0] ?? '');
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      await post(next.what, next.attempt.query, next.attempt.variables);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
