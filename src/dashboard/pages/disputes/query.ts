import type { Answer } from '../../../client/operations/selection.ts';
import type { Dispute } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

const ROW = {
  ...{ id: true, stage: true, status: true, reason: true, amount: true, currency: true },
  ...{ respondBy: true, createdAt: true },
  transaction: { externalIdentifier: true },
} as const;

/** A dispute of the list. */
export type Row = Answer<Dispute, typeof ROW>;

/** The disputes that a person can choose. */
export const FILTERS = {
  all: null,
  respond: ['NEEDS_RESPONSE'],
  review: ['UNDER_REVIEW', 'EXPIRED'],
  won: ['WON'],
  lost: ['LOST', 'ACCEPTED'],
} as const;

export type Filter = keyof typeof FILTERS;

/** Reads a page of the disputes, newest first. */
export async function readDisputes(
  filter: Filter,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { disputes } = await api.query(
    {
      disputes: [
        { first: 50, after, filter: { status: FILTERS[filter] } },
        { nodes: ROW, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(disputes);
}
