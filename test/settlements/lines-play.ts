import { randomUUID } from 'node:crypto';
import { fetchDueSettlements } from '../../src/modules/settlements/index.ts';
import { tellDueLines } from '../../src/modules/transactions/index.ts';
import { applyAfter } from '../transactions/inbox.ts';
import { startTakeBacks, type TakeBacks } from '../transactions/take-backs.ts';
import type { HarnessOptions } from '../transactions/harness.ts';
import { ENTRY, entryOnWire, pageOnWire, type Shown } from './harness.ts';

/** A difference of a payment, as the API shows it. */
export type Listed = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A harness whose payments in euros go to a service that sends webhooks and settles. */
export type LinesPlay = TakeBacks & {
  /** Fetches one page of entries in euros. Nothing is told yet. */
  readonly fetch: (...entries: readonly object[]) => Promise<void>;
  /** Tells the payments, applies the notices a second later, and matches again. */
  readonly tellLines: () => Promise<void>;
  /** Both. Returns the entries of the page as they are then. */
  readonly settle: (...entries: readonly object[]) => Promise<readonly Shown[]>;
  readonly entries: (transactionId: string) => Promise<readonly Shown[]>;
  readonly listed: (transactionId: string) => Promise<readonly Listed[]>;
  readonly adopt: (id: string) => Promise<readonly unknown[]>;
  readonly dismiss: (id: string, reason: string) => Promise<readonly unknown[]>;
  /** The provider's id of a payment. */
  readonly paymentOf: (transactionId: string) => Promise<string | null>;
  /** The origin and the amount of each refund and capture, oldest first. */
  readonly booked: (transactionId: string) => Promise<readonly string[]>;
};

/** Makes an id without digits. An id that looks like a card number would be shown as a digest. */
export const newId = (): string => `st_${randomUUID().replaceAll(/\d/g, 'x')}`;

const LISTED = `id finding source state operationKind paymentServiceReference adoptable reason foundAt endedAt
  reported { amount currency }`;

export async function startLinesPlay(options?: HarnessOptions): Promise<LinesPlay> {
  const play = await startTakeBacks(options);
  const { harness } = play;
  const { app } = harness.server;
  const { prisma } = app.db;
  const { id: service } = await prisma.paymentService.findFirstOrThrow({
    where: { acceptedCurrencies: { has: 'EUR' } },
  });
  await harness.ask(
    `mutation ($id: ID!) {
      updatePaymentService(id: $id, input: { settlementReportingEnabled: true }) { userErrors { message } } }`,
    { id: service },
  );
  const drain = async (): Promise<void> => {
    while (await fetchDueSettlements(app));
  };
  await drain();
  const fetch: LinesPlay['fetch'] = async (...entries) => {
    const { cursor } = await prisma.settlementSource.findFirstOrThrow({
      where: { paymentServiceId: service },
    });
    const given = entries.map((entry) => entryOnWire({ id: newId(), currency: 'EUR', fee: 0, ...entry }));
    harness.provider.settlements.answerNext(pageOnWire(given, cursor ?? ''));
    await prisma.settlementSource.updateMany({
      where: { paymentServiceId: service },
      data: { nextFetchAt: harness.clock.now() },
    });
    await drain();
  };
  const tellLines: LinesPlay['tellLines'] = async () => {
    while (await tellDueLines(app));
    await applyAfter(harness, 1_000);
    await drain();
    while (await tellDueLines(app));
  };
  const ended = async (document: string, variables: object): Promise<readonly unknown[]> =>
    (await harness.ask<{ ended: { userErrors: readonly unknown[] } }>(document, { ...variables })).ended
      .userErrors;
  const entries: LinesPlay['entries'] = async (transactionId) =>
    (
      await harness.ask<{ settlements: { nodes: readonly Shown[] } }>(
        `query ($filter: SettlementFilter) { settlements(filter: $filter, first: 100) { nodes ${ENTRY} } }`,
        { filter: { transactionId } },
      )
    ).settlements.nodes;
  return {
    ...{ ...play, fetch, tellLines, entries },
    settle: async (...given) => {
      const named = given.map((entry) => ({ id: newId(), ...entry }));
      await fetch(...named);
      await tellLines();
      const found = await harness.ask<{ settlements: { nodes: readonly Shown[] } }>(
        `{ settlements(first: 100) { nodes ${ENTRY} } }`,
      );
      return named.flatMap(
        ({ id }) => found.settlements.nodes.find((each) => each.paymentServiceSettlementId === id) ?? [],
      );
    },
    listed: async (transactionId) =>
      (
        await harness.ask<{ differences: { nodes: readonly Listed[] } }>(
          `query ($filter: DifferenceFilter) { differences(filter: $filter) { nodes { ${LISTED} } } }`,
          { filter: { transactionId } },
        )
      ).differences.nodes,
    adopt: (id) =>
      ended('mutation ($id: ID!) { ended: adoptDifference(id: $id) { userErrors { code } } }', { id }),
    dismiss: (id, reason) =>
      ended(
        `mutation ($id: ID!, $reason: String!) {
          ended: dismissDifference(id: $id, reason: $reason) { userErrors { code } } }`,
        { id, reason },
      ),
    paymentOf: async (id) => (await play.operation(id, 'authorize')).providerReference,
    booked: async (transactionId) =>
      (
        await prisma.operation.findMany({
          where: { transactionId, kind: { in: ['capture', 'refund'] }, status: 'succeeded' },
          orderBy: { id: 'asc' },
        })
      ).map(({ origin, kind, amount }) => `${origin} ${kind} ${amount}`),
  };
}

/** A refund that the provider settles. */
export const refundOf = (payment: string | null, amount: number, reference: string | null = newId()) => ({
  ...{ type: 'refund', payment_id: payment, reference, gross: -amount, net: -amount },
});

/** A capture that the provider settles. */
export const chargeOf = (payment: string | null, amount: number, reference: string | null = newId()) => ({
  ...{ type: 'charge', payment_id: payment, reference, gross: amount, net: amount },
});
