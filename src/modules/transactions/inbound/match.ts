import type { Notice } from '../../../connectors/webhook.ts';
import type { Operated, Operation } from '../model/operation.ts';
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

type About = Pick<InboundWebhook, 'receivedAt'> & { readonly notice: Pick<Notice, 'key' | 'reference'> };

/**
 * Decides the subject of a notice, and never guesses. A notice about a payment with two captures may concern either capture. The
 * wrong choice would book money that did not move.
 */
export function matchOf(found: readonly Found[], about: About): Match {
  const { key, reference } = about.notice;
  const operated = found.flatMap(({ operation, transaction }) =>
    operation ? [{ operation, transaction }] : [],
  );
  const named = operated.filter(
    ({ operation }) => reference !== null && operation.providerReference === reference,
  );
  const isNamed = key !== null || named.length > 0;
  const [only, ...others] = named.length > 0 ? named : operated;
  if (only && others.length === 0 && (isNamed || isPossible(only.operation, about)))
    return { kind: 'operation', ...only };
  const [first] = found;
  // References that match several payments match none.
  if (!first || found.some(({ transaction: { id } }) => id !== first.transaction.id))
    return { kind: 'nothing' };
  return { kind: others.length > 0 ? 'several' : 'foreign', transaction: first.transaction };
}

/**
 * Tells whether a notice that names the payment alone can be about its only operation of the verb. A later operation may only
 * seem later, because clocks differ. It makes the notice ambiguous, but is never chosen. A later void or cancel is, because a
 * released payment stays released.
 */
const isPossible = ({ createdAt, kind }: Operation, { receivedAt }: About): boolean =>
  createdAt <= receivedAt || kind === 'void' || kind === 'cancel';
