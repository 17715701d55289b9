export type WebhookEndpointState = 'active' | 'failing' | 'paused' | 'disabled';

/** An address that a merchant account's events are sent to. Its secrets are kept apart, sealed. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly url: string;
  readonly description: string | null;
  /** Event names and patterns; empty: every event. */
  readonly eventNames: readonly string[];
  /** Names of the headers that the merchant wants to be sent along; their values are sealed. */
  readonly headerNames: readonly string[];
  readonly basicAuthenticationUsername: string | null;
  /** Whether it is disabled by itself when it fails for long. */
  readonly autoDisable: boolean;
  readonly state: WebhookEndpointState;
  /** Why it is in its state, as a sentence; null when active. */
  readonly stateReason: string | null;
  readonly stateChangedAt: Date;
  /** Since when no delivery succeeded; null when the latest one did. */
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** An endpoint as the record of an idempotency key holds it: moments as ISO text. */
export type WebhookEndpointJson = {
  readonly [Key in keyof WebhookEndpoint]: WebhookEndpoint[Key] extends Date
    ? string
    : WebhookEndpoint[Key] extends Date | null
      ? string | null
      : WebhookEndpoint[Key];
};

export const toJson = (endpoint: WebhookEndpoint): WebhookEndpointJson => ({
  ...endpoint,
  stateChangedAt: endpoint.stateChangedAt.toISOString(),
  failingSince: endpoint.failingSince?.toISOString() ?? null,
  pausedUntil: endpoint.pausedUntil?.toISOString() ?? null,
  disabledAt: endpoint.disabledAt?.toISOString() ?? null,
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.updatedAt.toISOString(),
});

export const fromJson = (json: WebhookEndpointJson): WebhookEndpoint => ({
  ...json,
  stateChangedAt: new Date(json.stateChangedAt),
  failingSince: momentOf(json.failingSince),
  pausedUntil: momentOf(json.pausedUntil),
  disabledAt: momentOf(json.disabledAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});

const momentOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
