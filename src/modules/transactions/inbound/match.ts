import type { Notice } from '../../../connectors/webhook.ts';
import type { Operated } from '../model/operation.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import type { Found } from './match.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/** The subject of a notice, as far as the notice determines the subject. */
export type Match =
  | ({ readonly kind: 'operation' } & Operated)
  /** One of several operations on this transaction. The notice does not say which. */
  | { readonly kind: 'several'; readonly transaction: Transaction }
  /** An operation on this transaction that nobody requested here. */
  | { readonly kind: 'foreign'; readonly transaction: Transaction }
  /** No known transaction yet. */
  | { readonly kind: 'nothing' };

/**
 * Decides the subject of a notice, and never guesses. A notice about a payment with two captures may concern either capture. The
 * wrong choice would book money that did not move.
 *
 * An operation from before the notice goes before one from after it.
 */
export function matchOf(
  found: readonly Found[],
  {
    notice: { reference },
    receivedAt,
  }: Pick<InboundWebhook, 'receivedAt'> & { readonly notice: Pick<Notice, 'reference'> },
): Match {
  const operated = found.flatMap(({ operation, transaction }) =>
    operation ? [{ operation, transaction }] : [],
  );
  const named = operated.filter(
    ({ operation }) => reference !== null && operation.providerReference === reference,
  );
  const earlier = operated.filter(({ operation }) => operation.createdAt <= receivedAt);
  const [only, ...others] = [named, earlier, operated].find((each) => each.length > 0) ?? [];
  if (only && others.length === 0) return { kind: 'operation', ...only };
  const [first] = found;
  // References that match several payments match none.
  if (!first || found.some(({ transaction: { id } }) => id !== first.transaction.id))
    return { kind: 'nothing' };
  return { kind: only ? 'several' : 'foreign', transaction: first.transaction };
}
