import type { Settlement, SettlementFilter, SettlementKind } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, type Ask } from '../../app/data/pages.ts';
import { texts } from '../../texts/texts.ts';

const ROW = {
  ...{ id: true, kind: true, gross: true, fee: true, net: true, currency: true, settledOn: true },
  difference: { reason: true, explanation: true },
} as const;

/** An entry of the list. */
export type EntryRow = Answer<Settlement, typeof ROW>;

/** Every kind of an entry. */
export const KINDS = Object.keys(texts.settlements.kind) as readonly SettlementKind[];

/** The entries that a person asks for. An empty text filters nothing. */
export type Filters = {
  readonly kind: string;
  /** Days as `2026-01-31`, as is `until`. */
  readonly from: string;
  readonly until: string;
  /** The provider's id of a payout. */
  readonly payout: string;
};

const toApi = ({ kind, from, until, payout }: Filters): SettlementFilter => ({
  kind: KINDS.filter((each) => each === kind).slice(0, 1),
  settledOnGte: from || null,
  settledOnLte: until || null,
  paymentServicePayoutId: payout || null,
});

/** Reads a page of the entries, the latest stored first. */
export async function readEntries(filters: Filters, { after, signal }: Ask) {
  const { kind, ...filter } = toApi(filters);
  const given = { ...filter, ...(kind && kind.length > 0 && { kind }) };
  const { settlements } = await api.query(
    { settlements: [{ first: 50, after, filter: given }, pageOf(ROW)] },
    { signal },
  );
  return rowsOf(settlements);
}

/** Reads a page of the entries that do not fit the books: the explained ones, or the others. */
export async function readDifferences(explained: boolean, { after, signal }: Ask) {
  const { settlementDifferences } = await api.query(
    { settlementDifferences: [{ first: 50, after, filter: { explained } }, pageOf({ settlement: ROW })] },
    { signal },
  );
  const { nodes, pageInfo } = settlementDifferences;
  return rowsOf({ nodes: nodes.map(({ settlement }) => settlement), pageInfo });
}

const PAYOUT = {
  ...{ id: true, amount: true, fee: true, currency: true, settledOn: true, paymentServicePayoutId: true },
  paymentService: { displayName: true },
} as const;

/** Reads a page of the payouts, the latest stored first. */
export async function readPayouts({ after, signal }: Ask) {
  const { payouts } = await api.query({ payouts: [{ first: 50, after }, pageOf(PAYOUT)] }, { signal });
  return rowsOf(payouts);
}

const SOURCE = {
  ...{ id: true, displayName: true, settlementReportingEnabled: true },
  settlementReporting: { fetchedAt: true, failure: true, failureReason: true, failedAt: true },
} as const;

/** Reads the payment services whose settlements Paygraph reads, with the state of the reading. */
export async function readSources(signal: AbortSignal) {
  const { paymentServices } = await api.query(
    { paymentServices: [{ first: 100 }, { nodes: SOURCE }] },
    { signal },
  );
  return paymentServices.nodes.filter((each) => each.settlementReportingEnabled);
}

/** A payment service whose settlements Paygraph reads. */
export type Source = Awaited<ReturnType<typeof readSources>>[number];
