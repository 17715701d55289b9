/** How a consumer follows the feed. */
export type SubscribeOptions = {
  /** The address of GraphQL, for example `https://pay.example/graphql`; http(s) and ws(s) are the same here. */
  readonly url: string;
  /**
   * Makes a token with the scope `events.read`, asked for at each connection. It must still be valid for a moment: one
   * that the service refuses ends the subscription. An error that is thrown here ends it only before the first connection;
   * after that it is tried again, after the same pauses as a connection.
   */
  readonly token: () => string | Promise<string>;
  /** Needed only when the token reaches several merchant accounts. */
  readonly merchantAccountId?: string | undefined;
  /** The cursor to go on behind; `BEGIN`: from the oldest event that is kept; left out or null: from now on. */
  readonly after?: string | null | undefined;
  /** Event names or patterns such as `transaction.*`, at most 50; left out: every event. */
  readonly types?: readonly string[] | undefined;
  /** More fields of `Event`, for example `transaction { status }`; the token needs their scopes. */
  readonly selection?: string | undefined;
  /** Told whenever the connection changes. What it throws ends the subscription. */
  readonly onStatus?: ((status: ConnectionStatus) => void) | undefined;
  /** Ends the subscription, without an error and without the events that were not taken yet. */
  readonly signal?: AbortSignal | undefined;
  /** Events that are held for a slow consumer, 1000 unless said otherwise; then the service is asked to wait. */
  readonly bufferMax?: number | undefined;
  /** The pause before a new connection: some 500 ms first, doubled at each failure in a row, 30 000 ms at the most. */
  readonly retry?: { readonly firstMs?: number; readonly mostMs?: number } | undefined;
  /** A class like the global `WebSocket`, which is taken otherwise; for example that of the package `ws`. */
  readonly webSocketImpl?: unknown;
};

/** What has become of the connection; `reason` is a sentence for logs. */
export type ConnectionStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'disconnected'; readonly reason: string; readonly retryInMs: number };
