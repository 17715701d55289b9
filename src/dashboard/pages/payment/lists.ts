import type { Event as FeedEvent, TransactionEvent } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { NO_ROWS, pageOf, rowsOf, type Ask } from '../../app/data/pages.ts';

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

/** The events of a page. Each can have 50 deliveries, and an answer has at most 5,000 objects. */
const EVENTS = 25;

/** Reads a page of the events, newest first. Deliveries are absent unless the person may read them. */
export async function readEvents(id: string, mayReadDeliveries: boolean, { after, signal }: Ask) {
  const { deliveries, ...rest } = EVENT;
  const event = { ...rest, deliveries: (mayReadDeliveries && deliveries) as typeof deliveries };
  const wanted = { first: EVENTS, after, sort: 'SEQUENCE_DESC' } as const;
  const { transaction } = await api.query(
    { transaction: [{ id }, { feedEvents: [wanted, pageOf(event)] }] },
    { signal },
  );
  return transaction ? rowsOf(transaction.feedEvents) : NO_ROWS;
}

/** Reads a page of the history, newest first. */
export async function readHistory(id: string, { after, signal }: Ask) {
  const { transaction } = await api.query(
    { transaction: [{ id }, { events: [{ first: 25, after }, pageOf(ENTRY)] }] },
    { signal },
  );
  return transaction ? rowsOf(transaction.events) : NO_ROWS;
}
