/** The options of a client. */
export type ClientOptions = {
  /** The GraphQL address, for example `https://pay.example/graphql`. */
  readonly url: string;
  /**
   * Returns a token with the scopes of the operations. Called for each request and each retry. Null sends no token, because the
   * browser's session identifies the caller.
   */
  readonly token: () => string | null | Promise<string | null>;
  /** Required only if the token can access several merchant accounts. */
  readonly merchantAccountId?: string | undefined;
  /** The most retries of a request without a usable answer. 0 to 10, by default 3. */
  readonly retries?: number | undefined;
  /** The longest wait for one answer. By default 60 000 ms. */
  readonly timeoutMs?: number | undefined;
  /** The pause before a retry. It starts at some 500 ms and doubles, up to 30 000 ms. A longer wait that the service names wins. */
  readonly pauses?: { readonly firstMs?: number; readonly mostMs?: number } | undefined;
  /** A function like the global `fetch`, which is the default. */
  readonly fetch?: typeof fetch | undefined;
};

/** The settings of one request. */
export type RequestOptions = {
  /** Ends the request, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};
