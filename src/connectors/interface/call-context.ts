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
  /** For a connector of a package, it ends with the call. */
  readonly http: HttpSender;
  /** The access tokens of the payment service, for providers with OAuth. */
  readonly accessTokens: AccessTokens;
  /** Time limit of the whole call, in milliseconds. */
  readonly deadlineMs: number;
  /** The log of a connector of a package. Absent in a test without Paygraph. */
  readonly log?: ConnectorLog;
};

/**
 * Fields of a line. A field is shown if its name is known, and its value is a number or one word. Known names are `code`, `status`,
 * `requestId` and the like. Truth values and nulls are always shown.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** A log that hides secrets, card numbers and free texts. The message is a sentence without data. */
export type ConnectorLog = Readonly<
  Record<'info' | 'warn' | 'error', (message: string, fields?: LogFields) => void>
>;
