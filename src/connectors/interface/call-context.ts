import type { AccessTokens } from './access-tokens.ts';
import type { HttpSender } from '../../platform/http/reply.ts';
import type { Definition } from './definition.ts';

/** Credentials and settings of one payment service, with secrets in clear. Held in memory for one call. */
export type Credentials = Readonly<Record<string, string>>;

/** The context of every call to a provider. */
export type CallContext = {
  /** The definition that the payment service is configured as. */
  readonly definition: Definition;
  readonly credentials: Credentials;
  /** Tells apart the provider's hosts for tests and for real money. */
  readonly environment: 'production' | 'sandbox';
  readonly http: HttpSender;
  /** The access tokens of the payment service, for providers with OAuth. */
  readonly accessTokens: AccessTokens;
  /** Time limit of the whole call, in milliseconds. */
  readonly deadlineMs: number;
};
