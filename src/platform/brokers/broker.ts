/** An event for a broker. */
export type BrokerMessage = {
  readonly merchantAccountId: string;
  /** The position in the feed of the merchant account. */
  readonly sequence: bigint;
  readonly id: string;
  readonly name: string;
  /** The text of the event, byte for byte as in webhooks. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The last event of a merchant account that a broker has. */
export type LastMessage = { readonly id: string; readonly sequence: bigint };

/** The outcome of a batch. */
export type Published = {
  /** The number of leading messages that the broker has acknowledged. The broker may have others, too. */
  readonly count: number;
  /** The error that ended the batch. Null when every message is acknowledged. */
  readonly failure: unknown;
};

/**
 * A broker that events are published to. Each function connects when there is no connection. After a failure, the next call
 * connects again.
 */
export type Broker = {
  /** The kind and the destination, such as `nats:paygraph`. */
  readonly name: string;
  /** Publishes messages, those of a merchant account in their order. Rejects without a connection. */
  publish(messages: readonly BrokerMessage[]): Promise<Published>;
  /** Returns the last event of a merchant account that the broker has. Null without one, and always where no broker can tell. */
  last(merchantAccountId: string): Promise<LastMessage | null>;
  /** Checks the connection and the destination without publishing. Rejects with a sentence for the operator. */
  check(): Promise<void>;
  /** Ends the connection. Running calls end with an error. */
  close(): Promise<void>;
};

/** The names of the headers of a message. They are equal at all brokers. */
export const HEADERS = {
  id: 'paygraph-event-id',
  name: 'paygraph-event-name',
  sequence: 'paygraph-sequence',
  cursor: 'paygraph-cursor',
  version: 'paygraph-schema-version',
} as const;
