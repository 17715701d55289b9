import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { DeliveryState, WebhookAttempt, WebhookDelivery } from './delivery.ts';
import { readAttempts, readDeliveries, readDeliveriesOfEvents } from './deliveries.sql.ts';

/** A page of one endpoint's deliveries. The page's cursor is a valid event id. */
export type DeliveriesRequest = {
  readonly webhookEndpointId: string;
  readonly page: PageRequest;
  /** Distinct and in a fixed order. Empty: all states. */
  readonly states: readonly DeliveryState[];
  /** The columns of the events. */
  readonly columns: LineOrWhole;
};

/** Checks the page of an endpoint's deliveries. Refuses a cursor of another list. */
export function deliveriesRequest(
  webhookEndpointId: string,
  page: PageRequest,
  states: readonly DeliveryState[] | null | undefined,
  columns: LineOrWhole,
): Result<DeliveriesRequest, InvalidInput> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok({ webhookEndpointId, page, states: [...new Set(states)].sort(), columns });
}

/** Returns the cursor key of a delivery in its endpoint's list. */
export const deliveryKey = ({ event }: WebhookDelivery): string => event.id;

/** Returns a key that is equal for equal requests. */
export const deliveriesKey = ({ webhookEndpointId, ...rest }: DeliveriesRequest): string =>
  `${webhookEndpointId} ${pageKey(rest)}`;

const pageKey = ({ page, states, columns }: Omit<DeliveriesRequest, 'webhookEndpointId'>): string =>
  [columns, page.direction, page.limit, page.cursor, ...states].join(' ');

/**
 * Returns pages of deliveries, newest event first, in the order of the requests. Endpoints with the same page share one
 * statement, as in a list of endpoints.
 */
export async function findDeliveries(
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly DeliveriesRequest[],
): Promise<readonly Page<WebhookDelivery>[]> {
  const pages = new Map<DeliveriesRequest, Page<WebhookDelivery>>();
  for (const group of Map.groupBy(requests, pageKey).values()) {
    const [first] = group;
    if (!first) continue;
    const endpointIds = group.map(({ webhookEndpointId }) => webhookEndpointId);
    const rows = await readDeliveries(app.db, merchantAccountId, endpointIds, first);
    const byEndpoint = Map.groupBy(rows, ({ webhookEndpointId }) => webhookEndpointId);
    for (const request of group) {
      pages.set(request, toPage(request.page, byEndpoint.get(request.webhookEndpointId) ?? []));
    }
  }
  return requests.map((request) => pages.get(request) ?? toPage<WebhookDelivery>(request.page, []));
}

/**
 * Returns the deliveries of each event, newest endpoint first, at most 50 for each. Includes deleted endpoints. Their events have the
 * fields of `columns`.
 */
export async function findDeliveriesOfEvents(
  app: App,
  { merchantAccountId }: Viewer,
  eventIds: readonly string[],
  columns: LineOrWhole,
): Promise<readonly (readonly WebhookDelivery[])[]> {
  const rows = await readDeliveriesOfEvents(app.db, merchantAccountId, eventIds, columns);
  const byEvent = Map.groupBy(rows, ({ event }) => event.id);
  return eventIds.map((id) => byEvent.get(id) ?? []);
}

/** Returns the latest 50 attempts of each delivery, newest first. */
export const findAttempts = (
  app: App,
  { merchantAccountId }: Viewer,
  deliveries: readonly WebhookDelivery[],
): Promise<readonly (readonly WebhookAttempt[])[]> => readAttempts(app.db, merchantAccountId, deliveries);
