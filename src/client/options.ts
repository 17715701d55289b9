/** The options of a subscription to the feed. */
export type SubscribeOptions = {
  /** The GraphQL address, for example `https://pay.example/graphql`. The schemes http(s) and ws(s) are equal here. */
  readonly url: string;
  /**
   * Returns a token with the scope `events.read`. Called for each connection. The token must still be valid for a
   * moment: a refused token ends the subscription. An error here ends the subscription only before the first
   * connection. Later it is retried after the same pauses as a connection. Null sends no token, because the browser's session
   * identifies the caller.
   */
  readonly token: () => string | null | Promise<string | null>;
  /** Required only if the token can access several merchant accounts. */
  readonly merchantAccountId?: string | undefined;
  /** The cursor to continue after. `BEGIN`: from the oldest retained event. Absent or null: from now on. */
  readonly after?: string | null | undefined;
  /** Event names or patterns such as `transaction.*`, at most 50. Absent: every event. */
  readonly types?: readonly string[] | undefined;
  /** Further fields of `Event`, for example `transaction { status }`. The token needs their scopes. */
  readonly selection?: string | undefined;
  /** Called at each change of the connection. An error from it ends the subscription. */
  readonly onStatus?: ((status: ConnectionStatus) => void) | undefined;
  /** Ends the subscription without an error and without the remaining events of the buffer. */
  readonly signal?: AbortSignal | undefined;
  /** The most events in the buffer of a slow consumer. The default is 1000. A full buffer pauses the subscription. */
  readonly bufferMax?: number | undefined;
  /**
   * The pause before a new connection. It starts at some 500 ms and doubles at each consecutive failure, up to 30 000
   * ms.
   */
  readonly retry?: { readonly firstMs?: number; readonly mostMs?: number } | undefined;
  /** A class like the global `WebSocket`, which is the default. The class of the package `ws` fits. */
  readonly webSocketImpl?: unknown;
};

/** The state of the connection. `reason` is a sentence for logs. */
export type ConnectionStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'disconnected'; readonly reason: string; readonly retryInMs: number };
