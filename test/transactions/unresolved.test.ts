import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdAt } from '../support/hold.ts';
import { reconcileAfter, unresolved } from './unresolved.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
/** Ids of the operations with an unknown outcome, newest first. */
const ids: string[] = [];

type Page = {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  for (let count = 0; count < 5; count++) {
    const id = await harness.authorized();
    harness.provider.failNext('lose_answer');
    const { operation } = await harness.capture(id);
    ids.unshift(operation?.id ?? '');
  }
  // Neither outcome is unknown: one was decided at once, the other will be decided later.
  await harness.captured();
  await harness.authorized(600_001);
});
afterAll(() => harness.stop());

const list = async (args: string): Promise<Page> =>
  (
    await harness.ask<{ list: Page }>(`{ list: unresolvedOperations${args} {
      nodes { id } edges { cursor node { id } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`)
  ).list;

const idsOf = ({ nodes }: Page): readonly string[] => nodes.map(({ id }) => id);

describe('unresolvedOperations', () => {
  it('lists unknown outcomes, newest first, with all known data', async () => {
    const [newest] = await unresolved(harness, 'first: 1');

    expect(idsOf(await list(''))).toEqual(ids);
    expect(newest).toEqual({
      id: ids[0],
      paymentServiceKey: expect.any(String),
      kind: 'CAPTURE',
      status: 'PENDING',
      transactionId: expect.any(String),
      attempts: 1,
      errorCode: null,
      paymentServiceReference: null,
      unknown: { cause: 'CONNECTION', since: expect.any(String), nextAttemptAt: expect.any(String) },
    });
  });

  it('leads to the transaction and the payment service', async () => {
    const { list: page } = await harness.ask<{ list: { nodes: unknown[] } }>(
      `{ list: unresolvedOperations(first: 1) { nodes { amount currency acceptedAt settledAt
        transaction { status capturable { amount } } paymentService { displayName } } } }`,
    );

    expect(page.nodes).toEqual([
      {
        amount: 1299,
        currency: 'USD',
        acceptedAt: null,
        settledAt: null,
        transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } },
        paymentService: { displayName: 'Provider of the test' },
      },
    ]);
  });

  it('comes in pages forwards', async () => {
    const first = await list('(first: 2)');
    const second = await list(`(first: 2, after: "${first.pageInfo.endCursor ?? ''}")`);
    const third = await list(`(first: 2, after: "${second.pageInfo.endCursor ?? ''}")`);

    expect([first, second, third].map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect([first, second, third].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
    expect([first, second].map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([false, true]);
    expect(first.edges.map(({ node }) => node.id)).toEqual(idsOf(first));
    expect(first.edges.at(-1)?.cursor).toBe(first.pageInfo.endCursor);
  });

  it('and backwards', async () => {
    const last = await list('(last: 2)');
    const before = await list(`(last: 2, before: "${last.pageInfo.startCursor ?? ''}")`);
    const first = await list(`(last: 2, before: "${before.pageInfo.startCursor ?? ''}")`);

    expect([last, before, first].map(idsOf)).toEqual([ids.slice(3), ids.slice(1, 3), ids.slice(0, 1)]);
    expect([last, before, first].map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(['(first: 0)', '(first: 101)', '(first: 1, last: 1)', '(after: "nonsense")', '(after: "c1.eA")'])(
    'refuses %s',
    async (args) => {
      const { body } = await harness.server.graphql(`{ unresolvedOperations${args} { nodes { id } } }`);

      expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_INPUT']);
      expect(body.data ?? null).toBeNull();
    },
  );

  it("lists nothing of another merchant account's, and shows that account nothing", async () => {
    const { token } = await harness.server.createMerchantAccount();
    const after = (await list('(first: 1)')).pageInfo.endCursor;

    for (const args of ['', `(after: "${after ?? ''}")`]) {
      const { body } = await harness.server.graphql(
        `{ unresolvedOperations${args} { nodes { id } pageInfo { hasNextPage } } }`,
        {},
        { token },
      );
      expect(body.data).toEqual({ unresolvedOperations: { nodes: [], pageInfo: { hasNextPage: false } } });
    }
  });

  it('lists no operation with a running call', async () => {
    const id = await harness.authorized();
    const held = holdAt('capture.called');
    const capture = harness.capture(id);
    await held.reached;

    expect(idsOf(await list(''))).toEqual(ids);
    held.go();
    await capture;
  });

  it('is empty when all outcomes are known', async () => {
    await reconcileAfter(harness, 10_000);

    expect(await list('')).toMatchObject({
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });
});
