import type { HttpClient } from '../platform/http-client.ts';
import type { Definition } from './definition.ts';

/** Credentials and settings of one payment service, secrets in clear, in memory for one call. */
export type Credentials = Readonly<Record<string, string>>;

/** What every call of a provider carries. */
export type CallContext = {
  /** What the service is configured as. */
  readonly definition: Definition;
  readonly credentials: Credentials;
  readonly http: HttpClient;
  /** Milliseconds that the call may take in all. */
  readonly deadlineMs: number;
};
