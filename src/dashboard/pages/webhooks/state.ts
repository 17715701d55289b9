import type { WebhookDeliveryState, WebhookEndpointState } from '../../../client/generated/schema.ts';
import { pillOf } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

/** The health of an endpoint. */
export const EndpointState = pillOf<WebhookEndpointState>(texts.webhooks.state, {
  ...{ ACTIVE: 'good', FAILING: 'bad', PAUSED: 'wait', DISABLED: 'calm' },
});

/** The state of a delivery. */
export const DeliveryState = pillOf<WebhookDeliveryState>(texts.webhooks.delivery.state, {
  ...{ PENDING: 'wait', IN_FLIGHT: 'wait', DELIVERED: 'good', EXPIRED: 'bad', CANCELLED: 'calm' },
});

/** Tells whether a delivery is on its way. */
export const isUnderWay = ({ state }: { readonly state: WebhookDeliveryState }): boolean =>
  state === 'PENDING' || state === 'IN_FLIGHT';

/** Names the events that an endpoint gets. */
export const eventsOf = (names: readonly string[]): string =>
  names.length === 0 ? texts.webhooks.allEvents : names.join(', ');
