export type WebhookEndpointState = 'active' | 'failing' | 'paused' | 'disabled';

/** An address that a merchant account's events are sent to. Its secrets are kept apart, sealed. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly url: string;
  readonly description: string | null;
  /** Event names and patterns; empty: every event. */
  readonly eventNames: readonly string[];
  readonly state: WebhookEndpointState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** An endpoint as the record of an idempotency key holds it: moments as ISO text. */
export type WebhookEndpointJson = Omit<WebhookEndpoint, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const toJson = (endpoint: WebhookEndpoint): WebhookEndpointJson => ({
  ...endpoint,
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.updatedAt.toISOString(),
});

export const fromJson = (json: WebhookEndpointJson): WebhookEndpoint => ({
  ...json,
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
