import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBudgets } from '../../src/http/limits/budgets.ts';
import { NO_LOAD } from '../support/no-load.ts';
import { startTestServer, type GraphqlError, type TestServer } from '../support/server.ts';

const SEARCH = '{ transactions(first: 1, filter: { search: "ann" }) { nodes { id } } }';
const READ = '{ merchantAccount { id } }';
const PAY =
  'mutation { createBuyer(input: { displayName: "Ann" }) { buyer { displayName } userErrors { code } } }';

describe('the budget of a merchant account', () => {
  it('is used up, comes back with time, and belongs to one account', () => {
    let nowMs = 0;
    const budgets = createBudgets(
      { PAYGRAPH_REQUESTS_PER_SECOND: 2, PAYGRAPH_COST_PER_SECOND: 100 },
      NO_LOAD,
      () => nowMs,
    );

    expect(budgets.headersOf('a')).toEqual({
      ratelimit: '"requests";r=8;t=0, "cost";r=400;t=0',
      'ratelimit-policy': '"requests";q=8;w=4, "cost";q=400;w=4',
    });
    expect(Array.from({ length: 9 }, () => budgets.countRequest('a'))).toEqual([
      ...Array.from({ length: 8 }, () => null),
      1,
    ]);
    expect([budgets.spend('a', 350), budgets.spend('a', 300), budgets.spend('b', 300)]).toEqual([
      null,
      3,
      null,
    ]);
    expect(budgets.headersOf('a')['ratelimit']).toBe('"requests";r=0;t=4, "cost";r=50;t=4');
    nowMs = 2_500;
    expect([budgets.countRequest('a'), budgets.spend('a', 300), budgets.spend('a', 1)]).toEqual([
      null,
      null,
      1,
    ]);
  });

  it('refuses requests or reads for a second while earlier ones wait too long', () => {
    const settings = { PAYGRAPH_REQUESTS_PER_SECOND: null, PAYGRAPH_COST_PER_SECOND: 10 };
    const behind = createBudgets(settings, { ...NO_LOAD, isBehind: (owner) => owner === 'a' });
    const reads = createBudgets(settings, { ...NO_LOAD, readsAreBehind: (owner) => owner === 'a' });

    expect([behind.countRequest('a'), behind.countRequest('b'), behind.spend('a', 1)]).toEqual([
      1,
      null,
      null,
    ]);
    expect([reads.spend('a', 1), reads.spend('b', 1), reads.spend('a', 0)]).toEqual([1, null, null]);
    expect(reads.countRequest('a')).toBeNull();
  });

  it('lets work above the whole budget pass when the budget is full', () => {
    const budgets = createBudgets(
      { PAYGRAPH_REQUESTS_PER_SECOND: null, PAYGRAPH_COST_PER_SECOND: 10 },
      NO_LOAD,
      () => 0,
    );

    expect([budgets.spend('a', 5_000), budgets.spend('a', 1)]).toEqual([null, 1]);
    expect(budgets.headersOf('a')['ratelimit-policy']).toBe('"cost";q=40;w=4');
  });
});

describe('a request above the budget', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      settings: { PAYGRAPH_COST_PER_SECOND: '251', PAYGRAPH_REQUESTS_PER_SECOND: '1000' },
    });
  });
  afterAll(() => server.stop());

  it('is refused with 429, RATE_LIMITED and Retry-After, and mutations and other accounts go on', async () => {
    const other = await server.createMerchantAccount();
    const first = await server.graphql(SEARCH);
    const second = await server.graphql(SEARCH);
    const paid = await server.graphql(PAY);
    const beside = await server.graphql(SEARCH, {}, { token: other.token });

    expect([first.status, first.body.errors]).toEqual([200, undefined]);
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=4000;w=4, "cost";q=1004;w=4');
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=\d+;t=[01], "cost";r=\d+;t=[34]$/);
    expect(second.status).toBe(429);
    expectLimited(second.body.errors, second.headers.get('retry-after'));
    expect(paid.body).toMatchObject({ data: { createBuyer: { buyer: { displayName: 'Ann' } } } });
    expect([beside.status, beside.body.errors]).toEqual([200, undefined]);
  });

  it('is refused over a websocket too', async () => {
    await server.graphql(SEARCH);
    const client = server.socket();
    const refused: unknown = await client
      .iterate({ query: SEARCH })
      .next()
      .catch((errors: unknown) => errors);
    expectLimited(refused as readonly GraphqlError[]);
    await client.dispose();
  });

  it('is refused before its body is read when there are too many requests', async () => {
    const strict = await startTestServer({ settings: { PAYGRAPH_REQUESTS_PER_SECOND: '1' } });
    // More than the budget and its refill within the test.
    const answers = await Promise.all(Array.from({ length: 40 }, () => strict.graphql(READ)));
    await strict.stop();

    const [passed, refused] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted));
    expect(passed?.length).toBeGreaterThanOrEqual(4);
    expect([...(passed ?? []), ...(refused ?? [])]).toHaveLength(answers.length);
    expect(refused).not.toEqual([]);
    for (const { body, headers } of refused ?? []) expectLimited(body.errors, headers.get('retry-after'));
  });
});

/** Expects the refusal with some seconds to wait, which the header `Retry-After` repeats. */
function expectLimited(errors: readonly GraphqlError[] | undefined, retryAfter?: string | null): void {
  const [extensions] = errors?.map((error) => error.extensions) ?? [];
  const seconds = Number(extensions?.['retryAfterSeconds']);
  expect(extensions).toEqual({ code: 'RATE_LIMITED', retryAfterSeconds: seconds });
  expect([1, 2, 3, 4]).toContain(seconds);
  if (retryAfter !== undefined) expect(retryAfter).toBe(String(seconds));
}
