import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { connectRawSocket } from '../http/raw-socket.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import type { Attempt } from './canary-attempts.ts';
import { dumpDatabase } from './dump.ts';
import { createSecrets } from './secrets.ts';
import { attemptWith, placesIn, type Place } from './wrong-places.ts';

type Field = GraphQLField<unknown, unknown>;
type UserError = { readonly code: string; readonly message: string; readonly path: readonly string[] };
type Payloads = Readonly<Record<string, { readonly userErrors: readonly UserError[] }>>;

const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
const secrets = createSecrets();

/** Places for numbers and secrets. The vault seals the values, or they are not stored. */
const FOR_NUMBERS: readonly string[] = [
  'BankAccountInput.accountNumber',
  'BasicAuthenticationInput.password',
  'CardInput.number',
  'ExplainThreeDSScenarioInput.cardNumber',
  'FieldInput.value',
  'GiftCardReferenceInput.number',
  'GiftCardReferenceInput.pin',
  'InstantBankMandateInput.mandate',
  'NetworkTokenInput.token',
  'NetworkTokenPaymentInput.cryptogram',
  'NetworkTokenPaymentInput.number',
  'ProviderTokenInput.token',
  'StoreGiftCardInput.number',
  'StoreGiftCardInput.pin',
  'StoredCardInput.number',
  'StoredPaymentMethodInput.cryptogram',
  'ThreeDSConditionsInput.cardNumber',
  'TransactionGiftCardInput.number',
  'TransactionGiftCardInput.pin',
  'WalletTokenInput.token',
  'WebhookHeaderInput.value',
];

const TEXTS: readonly string[] = ['String', 'ID'];
const MAPS: readonly string[] = ['JSONObject', 'StringMap'];

const freePlaces = (field: Field, types: readonly string[]): readonly Place[] =>
  placesIn(field).filter(
    ({ name, type }) => types.includes(getNamedType(type).name) && !FOR_NUMBERS.includes(name),
  );

/** Returns the path of a refusal: a list has the position of its only element. */
function pathOf(field: Field, { path }: Place): readonly string[] {
  let inputs: readonly { readonly name: string; readonly type: GraphQLInputType }[] = field.args;
  return path.split('.').flatMap((name) => {
    const type = inputs.find((input) => input.name === name)?.type;
    if (!type) throw new Error(`No place ${path} in ${field.name}`);
    const named = getNamedType(type);
    if (isInputObjectType(named)) inputs = Object.values(named.getFields());
    return isListType(getNullableType(type)) ? [name, '0'] : [name];
  });
}

/** Ways to write a card number into a text. */
export const SPELLINGS: readonly ((card: string) => string)[] = [
  (card) => card,
  (card) => `card ${card.replace(/(\d{4})(?=\d)/g, '$1-')} ok`,
  (card) => card.replace(/(\d{4})(?=\d)/g, '$1 '),
  (card) => Array.from(card).join('.'),
];

const inMap = (card: string): readonly object[] => [
  { note: card },
  { [`n ${card}`]: 'x' },
  { order: { lines: [{ text: `paid with ${card}` }] } },
];

/** The setting that allows such identifiers. */
export const SETTING = 'allowsCardLikeIdentifiers';

let server: TestServer;

/** Defines the tests of a card number in every free text of the schema, with one executor and these spellings. */
export function describeFreeTexts(executor: 'compiled' | 'reference', spellings = SPELLINGS): void {
  describe(`a card number in a free text, ${executor} executor`, () => {
    beforeAll(async () => {
      server = await startTestServer({ settings: { PAYGRAPH_EXECUTOR: executor } });
    });
    afterAll(() => server.stop());
    describeFields(spellings);
    describeOtherPlaces();
    it('leaves nothing in the database and in the log', nothingIsKept);
  });
}

const send = (attempt: Attempt, headers: Record<string, string> = {}) =>
  server.graphql<Payloads>(attempt.query, attempt.variables as Record<string, unknown>, { headers });

const nothingIsKept = async (): Promise<void> => {
  expect(secrets.foundIn(await dumpDatabase(server.app.config.DATABASE_URL ?? ''))).toEqual([]);
  expect(secrets.foundIn(server.logs())).toEqual([]);
};

function describeFields(spellings: typeof SPELLINGS): void {
  it.each(mutations.map((field) => [field.name, field] as const))('is refused by %s', async (name, field) => {
    const card = secrets.card();
    const attempts = [
      ...freePlaces(field, TEXTS).flatMap((place) =>
        spellings.map((spell) => ({ place, value: spell(card) })),
      ),
      ...freePlaces(field, MAPS)
        .filter(({ type }) => getNamedType(type).name === 'JSONObject')
        .flatMap((place) => inMap(card).map((value) => ({ place, value }))),
    ];
    for (const { place, value } of attempts) {
      const { body } = await send(attemptWith('mutation', field, place.path, value));

      const { code, message, path } = body.data?.[name]?.userErrors[0] ?? {};
      expect({ place: place.path, errors: body.errors, code, path }).toEqual({
        ...{ place: place.path, errors: undefined, code: 'INVALID_INPUT', path: pathOf(field, place) },
      });
      expect(message).toMatch(/^Must not contain a card number\./);
      expect(secrets.foundIn(JSON.stringify(body))).toEqual([]);
    }
  });

  it.each(queries.map((field) => [field.name, field] as const))('is refused by %s', async (name, field) => {
    const card = secrets.card();
    for (const place of freePlaces(field, [...TEXTS, ...MAPS])) {
      const value = MAPS.includes(getNamedType(place.type).name) ? { order: card } : `x ${card}`;
      const { body } = await send(attemptWith('query', field, place.path, value));

      expect(body.errors?.[0]).toMatchObject({
        path: [name],
        extensions: { code: 'INVALID_INPUT', refusals: [{ path: pathOf(field, place) }] },
      });
      expect(secrets.foundIn(JSON.stringify(body))).toEqual([]);
    }
  });
}

function describeOtherPlaces(): void {
  it('is refused in the header Idempotency-Key, and over a websocket', async () => {
    const card = secrets.card();
    const field = mutations.find(({ name }) => name === 'voidTransaction');
    if (!field) throw new Error('No voidTransaction');
    const attempt = attemptWith('mutation', field, 'id', '01900000-0000-7000-8000-000000000000');

    const { body } = await send(attempt, { 'idempotency-key': card });
    const socket = await connectRawSocket(server.url, server.token);
    const payload = attemptWith('mutation', field, 'idempotencyKey', card);
    socket.send({ id: '1', type: 'subscribe', payload });
    const answer = JSON.stringify(await socket.next());
    socket.close();

    expect(body.data?.['voidTransaction']?.userErrors).toEqual([
      { code: 'INVALID_INPUT', message: expect.stringContaining(SETTING), path: ['idempotencyKey'] },
    ]);
    expect(answer).toContain('"path":["idempotencyKey"]');
    expect(secrets.foundIn(JSON.stringify(body) + answer)).toEqual([]);
  });

  it('is in no log as the name of an operation or of a variable', async () => {
    const card = secrets.card();

    await send({ query: `query n${card}($v${card}: ID!) { transaction(id: $v${card}) { id } }` });
    await send({ query: `query n${card} { __typename }`, variables: {} });

    expect(secrets.foundIn(server.logs())).toEqual([]);
  });
}
