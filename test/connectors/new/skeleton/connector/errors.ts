import type { DeclineCode, DeclineKind } from '../../../../../src/connectors/codes/decline-codes.ts';
import type { Outcome, ProviderWords } from '../../../../../src/connectors/interface/outcome.ts';
import { errorOf } from './wire.ts';

type Meaning = { readonly kind: DeclineKind; readonly errorCode: DeclineCode };

/**
 * The provider's codes that refuse explicitly, by their meaning for us. A code without a row is unknown.
 *
 * - `declined`: the issuer or the provider refuses this payment.
 * - `failed`: the provider states that nothing happened.
 */
const CODES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['insufficient_funds', { kind: 'declined', errorCode: 'insufficient_funds' }],
]);

/** The refusals before the provider reads a request. They say nothing about an earlier request of the same key. */
const REFUSED_BEFORE: ReadonlyMap<number, DeclineCode> = new Map<number, DeclineCode>([
  [401, 'invalid_service_credentials'],
  [403, 'insufficient_service_permissions'],
  [429, 'service_rate_limit'],
]);

/** Reads an answer with an error. A server error says nothing about the work, whatever its body says. */
export function outcomeOfError(status: number, body: unknown): Outcome {
  if (status >= 500) return { kind: 'unknown', cause: 'server_error' };
  const refusedAs = REFUSED_BEFORE.get(status);
  // An operation that was sent once alone fails with this code. After a repeat, its outcome stays unknown.
  if (refusedAs !== undefined) return { kind: 'unknown', cause: 'server_error', sent: false, refusedAs };
  const error = errorOf(body);
  const meaning = error === null ? undefined : CODES.get(error.code);
  return meaning ? refused(meaning, error) : { kind: 'unknown', cause: 'unreadable' };
}

const refused = (meaning: Meaning, error: ReturnType<typeof errorOf>): Outcome => ({
  ...{ ...meaning, reference: null },
  ...wordsOf(error),
});

const wordsOf = (error: ReturnType<typeof errorOf>): ProviderWords => ({
  rawResponseCode: error?.code ?? null,
  rawResponseDescription: error?.message ?? null,
});
