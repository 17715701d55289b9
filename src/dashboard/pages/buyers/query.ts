import type { Answer } from '../../../client/operations/selection.ts';
import type { Buyer } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

const ROW = {
  ...{ id: true, displayName: true, externalIdentifier: true, createdAt: true },
  billingDetails: { firstName: true, lastName: true, emailAddress: true },
} as const;

/** A buyer of the list. */
export type Row = Answer<Buyer, typeof ROW>;

/** Reads a page of the buyers, newest first. An empty search finds all. */
export async function readBuyers(
  search: string,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { buyers } = await api.query(
    {
      buyers: [
        { first: 50, after, search: search.trim() || null },
        { nodes: ROW, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(buyers);
}
