/** A request to another server. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** One deadline for name look-up, connection, TLS, headers and body. */
  readonly deadlineMs: number;
  /** The most bytes of the reply to read. A longer reply is truncated and the connection closed. */
  readonly replyBytesMax: number;
  /** The name of the pool that shares idle connections. Separate pools prevent a slow peer from delaying others. */
  readonly pool: string;
  /** The number of idle connections in the pool, 2 by default. The first request of a pool decides. */
  readonly idleConnections?: number;
  /**
   * True if the peer recognises a repeat by an id in the request and does the work once. The client then repeats a
   * request whose idle connection was closed. Without `repeatable` such a request fails, although the peer may have
   * read it.
   */
  readonly repeatable?: boolean;
  /**
   * The certificate of the caller and its private key, in PEM. Such a request has a connection of its own, so that no other
   * request uses the certificate.
   */
  readonly identity?: { readonly certificate: string; readonly key: string };
};
