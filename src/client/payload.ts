import type { EventTargets, PayloadVersion } from './generated/payloads.ts';

/** The names of events that this version of the client knows. */
export type PaygraphEventName = keyof EventTargets;

/**
 * The payload of an event. `name` decides the type of `target`.
 *
 * A later server may send names that this union lacks, and targets with more fields. Ignore both.
 */
export type PaygraphEvent = { [Name in PaygraphEventName]: PayloadOf<Name> }[PaygraphEventName];

/** The payload of the events of one name. */
export type PayloadOf<Name extends PaygraphEventName> = Envelope & {
  /** 1, 2, 3 and so on for each merchant account. Webhooks may arrive in another order. */
  readonly sequence: number;
  /** For example `transaction.captured`. */
  readonly name: Name;
  readonly target: EventTargets[Name];
};

/** The payload of `sendTestEvent`. Its name is free. It is in no feed, so it has no sequence. */
export type TestEvent = Envelope & {
  readonly sequence?: undefined;
  readonly name: string;
  readonly target: { readonly type: 'webhook-endpoint'; readonly id: string };
};

type Envelope = {
  readonly type: 'event';
  /** It grows when a field goes away, or changes its type or its meaning. */
  readonly version: PayloadVersion;
  /** The same at every attempt. Use it to skip an event that you have processed. */
  readonly id: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly merchant_account_id: string;
  readonly environment: 'sandbox' | 'production';
};

/** Returns the payload of an event of the feed. The text must come from Paygraph: it is not compared with the types. */
export const parsePayload = ({ payload }: { readonly payload: string }): PaygraphEvent =>
  JSON.parse(payload) as PaygraphEvent;
