/** A request to somebody else's server. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** One deadline over name look-up, connection, TLS, headers and body. */
  readonly deadlineMs: number;
  /** Bytes of the reply that are read; the rest is cut off and the connection closed. */
  readonly replyBytesMax: number;
  /** Connections are kept and shared under this name, so that one slow peer holds up nobody else. */
  readonly pool: string;
  /** How many idle connections the pool keeps; 2 when left out. The first request of a pool decides. */
  readonly keptConnections?: number;
  /**
   * That the peer knows a repeat by an id in the request and does the work once. Such a request is repeated when its kept
   * connection turns out to have been closed while it was idle; any other one has then failed, perhaps after it was read.
   */
  readonly repeatable?: boolean;
};
