import type { HttpRequest } from './request.ts';
import type { HttpTiming } from './timing.ts';

export type HttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
  /** The timing of the connection that returned the reply. */
  readonly timing: HttpTiming;
};

/** The reason for a missing reply. `sent` is true if the peer may have seen the request. */
export type HttpFailure = {
  readonly kind:
    | 'timeout'
    | 'forbidden_address'
    | 'unknown_host'
    | 'connection_refused'
    | 'connection_lost'
    | 'invalid_url'
    | 'invalid_request'
    | 'tls';
  readonly sent: boolean;
  readonly durationMs: number;
  readonly timing: HttpTiming;
};

/** The answer to a request: a reply, or the reason why there is none. */
export type HttpAnswer = { readonly reply: HttpReply } | { readonly failure: HttpFailure };

/** The part of an HTTP client that sends. Never throws. */
export type HttpSender = { send(request: HttpRequest): Promise<HttpAnswer> };
