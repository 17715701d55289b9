import type { Answer } from '../../../client/operations/selection.ts';
import type {
  Payout,
  Settlement,
  SettlementFilter,
  SettlementKind,
} from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';
import { texts } from '../../texts/texts.ts';

const ROW = {
  ...{ id: true, kind: true, gross: true, fee: true, net: true, currency: true, settledOn: true },
  difference: { reason: true, explanation: true },
} as const;

/** An entry of the list. */
export type Row = Answer<Settlement, typeof ROW>;

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
export async function readEntries(
  filters: Filters,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { kind, ...filter } = toApi(filters);
  const given = { ...filter, ...(kind && kind.length > 0 && { kind }) };
  const { settlements } = await api.query(
    {
      settlements: [
        { first: 50, after, filter: given },
        { nodes: ROW, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(settlements);
}

/** Reads a page of the entries that do not fit the books: the explained ones, or the others. */
export async function readDifferences(
  explained: boolean,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { settlementDifferences } = await api.query(
    {
      settlementDifferences: [
        { first: 50, after, filter: { explained } },
        { nodes: { settlement: ROW }, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  const { nodes, pageInfo } = settlementDifferences;
  return rowsOf({ nodes: nodes.map(({ settlement }) => settlement), pageInfo });
}

const PAYOUT = {
  ...{ id: true, amount: true, fee: true, currency: true, settledOn: true, paymentServicePayoutId: true },
  paymentService: { displayName: true },
} as const;

/** A payout of the list. */
export type PayoutRow = Answer<Payout, typeof PAYOUT>;

/** Reads a page of the payouts, the latest stored first. */
export async function readPayouts(after: string | null, signal: AbortSignal): Promise<Rows<PayoutRow>> {
  const { payouts } = await api.query(
    {
      payouts: [
        { first: 50, after },
        { nodes: PAYOUT, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(payouts);
}

const REPORTING = { fetchedAt: true, failure: true, failureReason: true, failedAt: true } as const;

/** Reads the payment services whose settlements Paygraph reads, with the state of the reading. */
export async function readSources(signal: AbortSignal) {
  const { paymentServices } = await api.query(
    {
      paymentServices: [
        { first: 100 },
        {
          nodes: {
            ...{ id: true, displayName: true, settlementReportingEnabled: true },
            settlementReporting: REPORTING,
          },
        },
      ],
    },
    { signal },
  );
  return paymentServices.nodes.filter((each) => each.settlementReportingEnabled);
}

/** A payment service whose settlements Paygraph reads. */
export type Source = Awaited<ReturnType<typeof readSources>>[number];
