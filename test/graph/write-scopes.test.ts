import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { namedTypeOf, readModel, type SubgraphModel } from '../../src/graph/federation/subgraph-model.ts';
import { readSdl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createService } from '../transactions/harness.ts';

/** Records that a mutation shows beside those that it changes. */
const FOREIGN = ['ApproveRefundPayload.refund'];

/** The records in the answers of mutations, with the write scopes of their mutations. */
const shown = SUBGRAPHS.map((name) => readModel({ name, resolvers: {} }, readSdl(name))).flatMap((model) =>
  [...(model.objects.get('Mutation')?.fields ?? [])].flatMap(([mutation, { type }]) => {
    const scopes = (model.scopes.get(`Mutation.${mutation}`) ?? []).flat().filter((scope) => isWrite(scope));
    return scopes.flatMap((scope) =>
      recordsIn(model, namedTypeOf(type)).map((path) => ({ scope, path, model })),
    );
  }),
);

function isWrite(scope: string): boolean {
  return scope.endsWith('.write');
}

function recordsIn({ objects, guards }: SubgraphModel, payload: string): readonly string[] {
  return [...(objects.get(payload)?.fields ?? [])]
    .filter(([, { type }]) => guards.has(namedTypeOf(type)))
    .map(([field]) => `${payload}.${field}`);
}

function isReadable({ scope, path, model }: (typeof shown)[number]): boolean {
  const [payload = '', field = ''] = path.split('.');
  const type = model.objects.get(payload)?.fields.get(field)?.type;
  const guard = type && model.guards.get(namedTypeOf(type));
  return [model.scopes.get(path) ?? [[]], guard ?? [[]]].every((groups) =>
    groups.some((group) => group.every((each) => each === scope)),
  );
}

it('the answer of each mutation shows the changed record to the scope of the mutation', () => {
  const unreadable = shown.filter((each) => !isReadable(each)).map(({ path }) => path);

  expect(shown.length).toBeGreaterThan(60);
  expect(unreadable).toEqual(FOREIGN);
});

describe('a token that may only write', () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer();
    token = await server.mint({ scopes: ['buyers.write', 'payment-methods.write'] });
  });
  afterAll(() => server.stop());

  const ask = async (document: string) =>
    (await server.graphql<{ answer: object }>(document, {}, { token })).body;

  it('sees what it changed', async () => {
    const made = await ask(
      'mutation { answer: createBuyer(input: { displayName: "Zoe" }) { buyer { id displayName } } }',
    );

    expect(made.data?.answer).toEqual({ buyer: { id: expect.any(String), displayName: 'Zoe' } });
  });

  it('sees of a record of another kind the id alone, also with its write scope', async () => {
    const scopes = ['transactions.write', 'payment-services.write'];
    const writing = await server.mint({ scopes });
    const created = await createService(server, 'http://127.0.0.1:1');
    const of = (fields: string) =>
      server.graphql<{ answer: object }>(
        `mutation { answer: createTransaction(input: { amount: 100, currency: "USD", country: "US",
          paymentMethod: { card: { number: "4111111111111111", expirationDate: "12/40" } } }) {
          transaction { paymentService { ${fields} } } } }`,
        {},
        { token: writing },
      );

    expect((await of('id')).body.data?.answer).toEqual({ transaction: { paymentService: { id: created } } });
    expect((await of('id displayName')).body.errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN', requiredScopes: [['payment-services.read']] } },
    ]);
  });

  it.each([
    ['a query for the record', '{ answer: buyers { nodes { id } } }', 'buyers.read'],
    [
      'a record of another kind beside the changed one',
      'mutation { answer: createBuyer(input: {}) { buyer { paymentMethods { id } } } }',
      'payment-methods.read',
    ],
  ])('is refused %s', async (_, document, scope) => {
    const { data, errors } = await ask(document);

    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', requiredScopes: [[scope]] } }]);
  });
});
