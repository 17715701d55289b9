import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { DeliveryState, WebhookAttempt, WebhookDelivery } from './delivery.ts';
import { readAttempts, readDeliveries, readDeliveriesOfEvents } from './deliveries.sql.ts';

/** A page of one endpoint's deliveries. The page's cursor is a checked id of an event. */
export type DeliveriesRequest = {
  readonly webhookEndpointId: string;
  readonly page: PageRequest;
  /** Distinct, in a fixed order; empty: in any state. */
  readonly states: readonly DeliveryState[];
};

/** Checks the page of an endpoint's deliveries. Refuses a cursor that is of no such list. */
export function deliveriesRequest(
  webhookEndpointId: string,
  page: PageRequest,
  states: readonly DeliveryState[] | null | undefined,
): Result<DeliveriesRequest, InvalidInput> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok({ webhookEndpointId, page, states: [...new Set(states)].sort() });
}

/** What a delivery's cursor in the list of its endpoint holds. */
export const deliveryKey = ({ event }: WebhookDelivery): string => event.id;

/** The same for requests that ask alike. */
export const deliveriesKey = ({ webhookEndpointId, ...rest }: DeliveriesRequest): string =>
  `${webhookEndpointId} ${alike(rest)}`;

const alike = ({ page, states }: Omit<DeliveriesRequest, 'webhookEndpointId'>): string =>
  [page.direction, page.limit, page.cursor, ...states].join(' ');

/**
 * Pages of deliveries, newest event first, in the order of the requests. Endpoints that are asked for the same page, as
 * those of one list are, are read with one statement.
 */
export async function findDeliveries(
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly DeliveriesRequest[],
): Promise<readonly Page<WebhookDelivery>[]> {
  const pages = new Map<DeliveriesRequest, Page<WebhookDelivery>>();
  for (const group of Map.groupBy(requests, alike).values()) {
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

/** The deliveries of each event, newest endpoint first, at most 50 of one; deleted endpoints' too. */
export async function findDeliveriesOfEvents(
  app: App,
  { merchantAccountId }: Viewer,
  eventIds: readonly string[],
): Promise<readonly (readonly WebhookDelivery[])[]> {
  const rows = await readDeliveriesOfEvents(app.db, merchantAccountId, eventIds);
  const byEvent = Map.groupBy(rows, ({ event }) => event.id);
  return eventIds.map((id) => byEvent.get(id) ?? []);
}

/** The latest 50 attempts of each delivery, newest first. */
export const findAttempts = (
  app: App,
  { merchantAccountId }: Viewer,
  deliveries: readonly WebhookDelivery[],
): Promise<readonly (readonly WebhookAttempt[])[]> => readAttempts(app.db, merchantAccountId, deliveries);
