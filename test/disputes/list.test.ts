import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { at, startDisputes, type Disputes, type Sale } from './harness.ts';

let disputes: Disputes;
const sales: Sale[] = [];

/** One dispute for each, in the order of creation. */
const REPORTS = [
  { stage: 'inquiry', reason: 'unrecognized', respond_by: at(100) },
  { respond_by: at(200) },
  { status: 'lost', amount: 300 },
  { stage: 'pre_arbitration', status: 'under_review', currency: 'USD', respond_by: null },
] as const;

beforeAll(async () => {
  disputes = await startDisputes();
  for (const reported of REPORTS) {
    const sale = await disputes.sale();
    await disputes.report(sale, reported);
    sales.push(sale);
  }
});
afterAll(() => disputes.play.harness.stop());

type Page = {
  readonly nodes: readonly { readonly id: string; readonly paymentServiceDisputeId: string }[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
};

const LIST = `query ($filter: DisputeFilter, $first: Int, $after: String, $last: Int, $before: String) {
  disputes(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    nodes { id paymentServiceDisputeId } pageInfo { endCursor hasNextPage } } }`;

const list = async (variables: Readonly<Record<string, unknown>>): Promise<Page> =>
  (await disputes.play.harness.ask<{ disputes: Page }>(LIST, variables)).disputes;

/** Returns the places of the listed disputes in REPORTS. */
const places = ({ nodes }: Page): readonly number[] =>
  nodes.map(({ paymentServiceDisputeId }) =>
    sales.findIndex(({ dispute }) => dispute === paymentServiceDisputeId),
  );

describe('the list of disputes', () => {
  it('is newest first, in pages', async () => {
    expect(places(await list({}))).toEqual([3, 2, 1, 0]);

    const first = await list({ first: 3 });
    expect([places(first), first.pageInfo.hasNextPage]).toEqual([[3, 2, 1], true]);
    expect(places(await list({ first: 3, after: first.pageInfo.endCursor }))).toEqual([0]);
    expect(places(await list({ last: 2 }))).toEqual([1, 0]);
  });

  it.each([
    ['stages', { stage: ['INQUIRY', 'PRE_ARBITRATION'] }, [3, 0]],
    ['statuses', { status: ['NEEDS_RESPONSE'] }, [1, 0]],
    ['reasons', { reason: ['UNRECOGNIZED'] }, [0]],
    ['currencies', { currency: ['USD'] }, [3]],
    ['the end of the time to respond', { respondByLte: at(150) }, [0]],
    ['its start', { respondByGte: at(150) }, [1]],
    ['the time of the first report', { createdAtGte: '2099-01-01T00:00:00Z' }, []],
    ['two conditions at once', { stage: ['CHARGEBACK'], status: ['LOST'] }, [2]],
  ])('finds by %s', async (_, filter, found) => {
    expect(places(await list({ filter }))).toEqual(found);
  });

  it("finds by the payment, the payment service and the provider's id", async () => {
    const [sale] = sales;
    const service = (await disputes.of(sale as Sale))[0]?.['paymentService'] as { id: string };
    expect(places(await list({ filter: { transactionId: sale?.id } }))).toEqual([0]);
    expect(places(await list({ filter: { paymentServiceDisputeId: sale?.dispute } }))).toEqual([0]);
    expect(places(await list({ filter: { paymentServiceId: [service.id] } }))).toEqual([3, 2, 1, 0]);
    expect(places(await list({ filter: { paymentServiceId: [sale?.id] } }))).toEqual([]);
  });

  it.each([
    ['an empty list', { filter: { status: [] } }],
    ['a range whose start is above its end', { filter: { respondByGte: at(2), respondByLte: at(1) } }],
    ['a cursor of another list', { after: 'pg1.bm9wZQ' }],
  ])('refuses %s', async (_, variables) => {
    const { server } = disputes.play.harness;
    const { body } = await server.graphql(LIST, variables, { token: await server.mint() });

    expect(body.errors?.[0]?.extensions['code']).toBe('INVALID_INPUT');
  });
});

describe('another merchant account', () => {
  it('sees no dispute, neither by its id nor in its lists', async () => {
    const { server } = disputes.play.harness;
    const { token } = await server.createMerchantAccount();
    const id = (await list({})).nodes[0]?.id;

    const { body } = await server.graphql(
      `query ($id: ID!) { dispute(id: $id) { id } disputes { nodes { id } } }`,
      { id },
      { token },
    );

    expect(body.data).toEqual({ dispute: null, disputes: { nodes: [] } });
    const { dispute } = await disputes.play.harness.ask<{ dispute: unknown }>(
      `query ($id: ID!) { dispute(id: $id) { id } }`,
      { id },
    );
    expect(dispute).toEqual({ id });
  });

  it('needs the scope disputes.read', async () => {
    const { server } = disputes.play.harness;
    const token = await server.mint({ scopes: ['transactions.read'] });

    const { body } = await server.graphql('{ disputes { nodes { id } } }', {}, { token });

    expect(body.errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
  });
});
