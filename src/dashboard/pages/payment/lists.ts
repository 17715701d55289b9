import type { Event as FeedEvent, TransactionEvent } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

const DELIVERY = {
  ...{ id: true, state: true, attemptCount: true },
  webhookEndpoint: { url: true },
} as const;

const EVENT = {
  ...{ id: true, name: true, createdAt: true },
  deliveries: [{ first: 50 }, DELIVERY],
} as const;

/** An event of a payment, with its deliveries. */
export type Event = Answer<FeedEvent, typeof EVENT>;

const ENTRY = { id: true, name: true, createdAt: true, context: true } as const;

/** A call to a provider, or a change of a payment. */
export type Entry = Answer<TransactionEvent, typeof ENTRY>;

/** A page of a payment's records, newest first. */
type PageOf = { readonly id: string; readonly after: string | null; readonly signal: AbortSignal };

/** The events of a page. Each can have 50 deliveries, and an answer has at most 5,000 objects. */
const EVENTS = 25;

/** Reads a page of the events. Deliveries are absent unless the person may read them. */
export async function readEvents(
  { id, after, signal }: PageOf,
  mayReadDeliveries: boolean,
): Promise<Rows<Event>> {
  const { deliveries, ...rest } = EVENT;
  const event = { ...rest, deliveries: (mayReadDeliveries && deliveries) as typeof deliveries };
  const { transaction } = await api.query(
    {
      transaction: [
        { id },
        {
          feedEvents: [
            { first: EVENTS, after, sort: 'SEQUENCE_DESC' },
            { nodes: event, pageInfo: PAGE_INFO },
          ],
        },
      ],
    },
    { signal },
  );
  return transaction ? rowsOf(transaction.feedEvents) : NONE;
}

/** Reads a page of the history. */
export async function readHistory({ id, after, signal }: PageOf): Promise<Rows<Entry>> {
  const { transaction } = await api.query(
    {
      transaction: [
        { id },
        {
          events: [
            { first: 25, after },
            { nodes: ENTRY, pageInfo: PAGE_INFO },
          ],
        },
      ],
    },
    { signal },
  );
  return transaction ? rowsOf(transaction.events) : NONE;
}

const NONE = { rows: [], cursor: null, hasMore: false } as const;
