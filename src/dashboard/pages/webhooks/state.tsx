import type { WebhookDeliveryState, WebhookEndpointState } from '../../../client/generated/schema.ts';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

const ENDPOINT_TONES: Readonly<Record<WebhookEndpointState, Tone>> = {
  ...{ ACTIVE: 'good', FAILING: 'bad', PAUSED: 'wait', DISABLED: 'calm' },
};

/** The health of an endpoint. */
export const EndpointState = ({ state }: { readonly state: WebhookEndpointState }) => (
  <Pill tone={ENDPOINT_TONES[state]}>{texts.webhooks.state[state]}</Pill>
);

const DELIVERY_TONES: Readonly<Record<WebhookDeliveryState, Tone>> = {
  ...{ PENDING: 'wait', IN_FLIGHT: 'wait', DELIVERED: 'good', EXPIRED: 'bad', CANCELLED: 'calm' },
};

/** The state of a delivery. */
export const DeliveryState = ({ state }: { readonly state: WebhookDeliveryState }) => (
  <Pill tone={DELIVERY_TONES[state]}>{texts.webhooks.delivery.state[state]}</Pill>
);

/** Names the events that an endpoint gets. */
export const eventsOf = (names: readonly string[]): string =>
  names.length === 0 ? texts.webhooks.allEvents : names.join(', ');
