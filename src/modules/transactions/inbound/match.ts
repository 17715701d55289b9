import type { Notice } from '../../../connectors/webhook.ts';
import type { Operated } from '../engine/settle.ts';
import type { Found } from './match.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/** What a notice is about, as far as can be said for sure. */
export type Match =
  | ({ readonly kind: 'operation' } & Operated)
  /** One of several operations on this transaction, and the notice does not say which. */
  | { readonly kind: 'several'; readonly transaction: Transaction }
  /** Something on this transaction that was never asked for here. */
  | { readonly kind: 'foreign'; readonly transaction: Transaction }
  /** Nothing that is known, yet. */
  | { readonly kind: 'nothing' };

/**
 * Decides what a notice is about. Never by guessing: what is told of a payment with two captures, whatever became of them,
 * could be told of either, and taken for the wrong one it would book money that did not move.
 */
export function matchOf(found: readonly Found[], { reference }: Pick<Notice, 'reference'>): Match {
  const operated = found.flatMap(({ operation, transaction }) =>
    operation ? [{ operation, transaction }] : [],
  );
  const named = operated.filter(
    ({ operation }) => reference !== null && operation.providerReference === reference,
  );
  const [only, ...others] = named.length > 0 ? named : operated;
  if (only && others.length === 0) return { kind: 'operation', ...only };
  const [first] = found;
  // References that lead to several payments lead to none.
  if (!first || found.some(({ transaction: { id } }) => id !== first.transaction.id))
    return { kind: 'nothing' };
  return { kind: only ? 'several' : 'foreign', transaction: first.transaction };
}
