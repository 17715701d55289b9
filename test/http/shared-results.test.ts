import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLError, type ExecutionResult } from 'graphql';
import type { Viewer } from '../../src/app.ts';
import { createSharedResults, operationKey } from '../../src/http/operations/shared-results.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { recordNamed } from '../events/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('results of an event', () => {
  const counting = (result: ExecutionResult | Promise<ExecutionResult>) => {
    const counted = { runs: 0, run: () => ((counted.runs += 1), result) };
    return counted;
  };

  it('are shared by the same operation on the same event', () => {
    const shared = createSharedResults();
    const [event, other] = [{}, {}];
    const first = counting({ data: { a: 1 } });
    const second = counting({ data: { a: 2 } });

    expect(shared(event, 'one', first.run)).toEqual({ data: { a: 1 } });
    expect(shared(event, 'one', second.run)).toEqual({ data: { a: 1 } });
    expect(second.runs).toBe(0);
    expect(shared(event, 'another', second.run)).toEqual({ data: { a: 2 } });
    expect(shared(other, 'one', second.run)).toEqual({ data: { a: 2 } });
    expect(second.runs).toBe(2);
  });

  it.each([
    ['that were waited for', Promise.resolve({ data: {} })],
    ['with an error', { data: null, errors: [new GraphQLError('No.')] }],
  ])('%s are not shared', (_, result) => {
    const shared = createSharedResults();
    const event = {};
    const each = counting(result);

    expect([shared(event, 'one', each.run), shared(event, 'one', each.run)]).toEqual([result, result]);
    expect(each.runs).toBe(2);
  });

  it('are separate for every difference that a resolver can see', () => {
    const viewer: Viewer = {
      merchantAccountId: 'one',
      scopes: ['events.read'],
      apiKeyPairId: 'key',
      reachableMerchantAccountIds: [],
      tokenExpiresAt: new Date(0),
    };
    const keys = [
      operationKey('q', null, {}, viewer),
      operationKey('r', null, {}, viewer),
      operationKey('q', 'name', {}, viewer),
      operationKey('q', null, { more: true }, viewer),
      operationKey('q', null, {}, { ...viewer, merchantAccountId: 'two' }),
      operationKey('q', null, {}, { ...viewer, scopes: [] }),
      operationKey('q', null, {}, { ...viewer, apiKeyPairId: 'other' }),
    ];

    expect(new Set(keys).size).toBe(7);
    expect(operationKey('q', null, {}, { ...viewer, tokenExpiresAt: new Date(1) })).toBe(keys[0]);
  });
});

describe('subscribers of one event', () => {
  let server: TestServer;
  let relay: Loop;
  beforeAll(async () => {
    server = await startTestServer();
    relay = startRelay(server.app);
  });
  afterAll(async () => {
    await relay.stop();
    await server.stop();
  });

  it('each get their own selection', async () => {
    const conditional = `subscription ($more: Boolean!) { events(after: "BEGIN") { sequence name @include(if: $more) } }`;
    const requested = [
      { query: 'subscription { events(after: "BEGIN") { name } }' },
      { query: 'subscription { events(after: "BEGIN") { name } }' },
      { query: 'subscription { other: events(after: "BEGIN") { sequence } }' },
      { query: conditional, variables: { more: true } },
      { query: conditional, variables: { more: false } },
    ];
    const { app, merchantAccountId } = server;
    await app.db.transaction((tx) => recordNamed(app, tx, { merchantAccountId }, 'test.told'));

    const answers = await Promise.all(requested.map((each) => firstAnswer(server, each)));

    expect(answers).toEqual([
      { data: { events: { name: 'test.told' } } },
      { data: { events: { name: 'test.told' } } },
      { data: { other: { sequence: 1 } } },
      { data: { events: { sequence: 1, name: 'test.told' } } },
      { data: { events: { sequence: 1 } } },
    ]);
  });
});

type Requested = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };

async function firstAnswer(server: TestServer, { query, variables = {} }: Requested): Promise<unknown> {
  const client = server.socket();
  try {
    for await (const answer of client.iterate({ query, variables })) return answer;
    return null;
  } finally {
    await client.dispose();
  }
}
