import type { EventName } from '../../event-log/index.ts';

/** The forms of the bodies of requests. */
export const WEBHOOK_BODY_FORMATS = ['paygraph', 'cloud_events'] as const;
export type WebhookBodyFormat = (typeof WEBHOOK_BODY_FORMATS)[number];

export type WebhookEndpointState = 'active' | 'failing' | 'paused' | 'disabled';

/** An address that receives a merchant account's events. Its secrets are sealed in another table. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly url: string;
  readonly description: string | null;
  /** Event names and patterns. Empty: every event. */
  readonly eventNames: readonly string[];
  readonly bodyFormat: WebhookBodyFormat;
  /** The names of the merchant's own headers. Their values are sealed. */
  readonly headerNames: readonly string[];
  readonly basicAuthenticationUsername: string | null;
  /** True if the endpoint is disabled automatically after a long failure. */
  readonly autoDisable: boolean;
  readonly state: WebhookEndpointState;
  /** The reason for the state, as a sentence. Null when active. */
  readonly stateReason: string | null;
  readonly stateChangedAt: Date;
  /** The start of the current failure. Null after a successful delivery. */
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The form in the record of an idempotency key: moments as ISO text. Records of earlier releases have no format. */
export type WebhookEndpointJson = {
  readonly [Key in Exclude<keyof WebhookEndpoint, 'bodyFormat'>]: WebhookEndpoint[Key] extends Date
    ? string
    : WebhookEndpoint[Key] extends Date | null
      ? string | null
      : WebhookEndpoint[Key];
} & { readonly bodyFormat?: WebhookBodyFormat };

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
  bodyFormat: json.bodyFormat ?? 'paygraph',
  stateChangedAt: new Date(json.stateChangedAt),
  failingSince: momentOf(json.failingSince),
  pausedUntil: momentOf(json.pausedUntil),
  disabledAt: momentOf(json.disabledAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});

const momentOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The event names of an endpoint's health. */
export const HEALTH_EVENTS = {
  failing: 'webhook-endpoint.failing',
  recovered: 'webhook-endpoint.recovered',
  disabled: 'webhook-endpoint.disabled',
} as const satisfies Readonly<Record<string, EventName>>;
