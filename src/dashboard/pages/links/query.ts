import type { Answer } from '../../../client/operations/selection.ts';
import type { CreatePaymentLinkInput, PaymentLink } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

const ROW = {
  ...{ id: true, status: true, amount: true, currency: true, externalIdentifier: true },
  ...{ expiresAt: true, createdAt: true },
} as const;

/** A payment link of the list. */
export type Row = Answer<PaymentLink, typeof ROW>;

/** The links that a person can choose. */
export const FILTERS = {
  all: null,
  open: ['ACTIVE', 'PROCESSING'],
  paid: ['COMPLETED'],
  expired: ['EXPIRED'],
} as const;

export type Filter = keyof typeof FILTERS;

/** Reads a page of the links, newest first. */
export async function readLinks(
  filter: Filter,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { paymentLinks } = await api.query(
    {
      paymentLinks: [
        { first: 50, after, sort: 'CREATED_AT_DESC', filter: { status: FILTERS[filter] } },
        { nodes: ROW, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(paymentLinks);
}

/** Creates a link. Returns its id. */
export async function createLink(input: CreatePaymentLinkInput, idempotencyKey: string): Promise<string> {
  const { createPaymentLink } = await api.mutate({
    createPaymentLink: [{ input, idempotencyKey }, { paymentLinkId: true }],
  });
  if (createPaymentLink.paymentLinkId === null) throw new Error('A link was neither created nor refused.');
  return createPaymentLink.paymentLinkId;
}
