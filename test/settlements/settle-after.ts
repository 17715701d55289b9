import { fetchDueSettlements } from '../../src/modules/settlements/index.ts';
import { applyDueWebhooks, tellDueLines } from '../../src/modules/transactions/index.ts';
import type { TestServer } from '../support/server.ts';

/** A running service whose provider is a double. */
type Running = {
  readonly server: TestServer;
  readonly ask: <Data>(document: string, variables: Readonly<Record<string, unknown>>) => Promise<Data>;
  readonly pass: (ms: number) => Promise<unknown>;
};

export async function enableSettlements({ ask }: Pick<Running, 'ask'>, service: string): Promise<void> {
  const { done } = await ask<{ done: { userErrors: readonly object[] } }>(
    `mutation ($id: ID!) {
      done: updatePaymentService(id: $id, input: { settlementReportingEnabled: true }) { userErrors { message } } }`,
    { id: service },
  );
  if (done.userErrors.length > 0) throw new Error(JSON.stringify(done));
}

/** Lets time pass, fetches the settlements that are there then, and does all that follows from them. */
export async function settleAfter({ server: { app }, pass }: Running, ms: number): Promise<void> {
  await pass(ms);
  const fetchAll = async (): Promise<void> => {
    while (await fetchDueSettlements(app));
  };
  await fetchAll();
  while (await tellDueLines(app));
  await pass(1_000);
  while (await applyDueWebhooks(app));
  await fetchAll();
  while (await tellDueLines(app));
}

type Entry = {
  readonly kind: string;
  readonly gross: number;
  readonly difference: { readonly reason: string } | null;
};

/** Lists the entries of a payment, the greatest first: kind, amount and difference. */
export async function linesOf(
  { ask }: Pick<Running, 'ask'>,
  transactionId: string,
): Promise<readonly unknown[]> {
  const { settlements } = await ask<{ settlements: { nodes: readonly Entry[] } }>(
    `query ($filter: SettlementFilter) {
      settlements(filter: $filter, first: 100) { nodes { kind gross difference { reason } } } }`,
    { filter: { transactionId } },
  );
  return settlements.nodes
    .toSorted((one, other) => other.gross - one.gross)
    .map(({ kind, gross, difference }) => [kind, gross, difference?.reason ?? null]);
}

/** Lists the differences of a payment. */
export async function differencesOf(
  { ask }: Pick<Running, 'ask'>,
  transactionId: string,
): Promise<readonly unknown[]> {
  const { differences } = await ask<{ differences: { nodes: readonly unknown[] } }>(
    `query ($filter: DifferenceFilter) {
      differences(filter: $filter) { nodes { finding source state adoptable reported { amount } } } }`,
    { filter: { transactionId } },
  );
  return differences.nodes;
}
