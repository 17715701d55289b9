import type { Notice } from '../../../connectors/notices/webhook.ts';
import { sameMoney } from '../../../kernel/money.ts';
import type { Operated, Operation } from '../model/operation.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import type { Found } from './match.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/** The subject of a notice, as far as the notice determines the subject. */
export type Match =
  | ({ readonly kind: 'operation' } & Matched)
  /**
   * The only operation of the verb, whose id at the provider is not known. The notice has an id and no key of ours. It may be
   * about an operation that was made elsewhere.
   */
  | ({ readonly kind: 'unsure' } & Matched)
  /** One of several operations on this transaction. The notice does not say which. */
  | { readonly kind: 'several'; readonly transaction: Transaction }
  /** An operation on this transaction that nobody requested here. */
  | { readonly kind: 'foreign'; readonly transaction: Transaction }
  /** No known transaction yet. */
  | { readonly kind: 'nothing' };

/** A matched operation. `isBehind`: an older webhook of the operation goes first. */
export type Matched = Operated & Pick<Found, 'isBehind'>;

type About = Pick<InboundWebhook, 'receivedAt'> & {
  readonly notice: Pick<Notice, 'key' | 'reference' | 'outcome'>;
};

/**
 * Decides the subject of a notice, and never guesses. A notice about a payment with two captures may concern either capture. The
 * wrong choice would book money that did not move.
 */
export function matchOf(found: readonly Found[], about: About): Match {
  const { key, reference } = about.notice;
  const operated = found.flatMap(({ operation, transaction, isBehind }) =>
    operation && isCandidate(operation, about.notice) ? [{ operation, transaction, isBehind }] : [],
  );
  const named = operated.filter(
    ({ operation }) => reference !== null && operation.providerReference === reference,
  );
  const isNamed = key !== null || named.length > 0;
  const [only, ...others] = named.length > 0 ? named : operated;
  if (only && others.length === 0 && (isNamed || isPossible(only.operation, about)))
    return { kind: isNamed ? 'operation' : kindOf(only.operation, about), ...only };
  const [first] = found;
  // References that match several payments match none.
  if (!first || found.some(({ transaction: { id } }) => id !== first.transaction.id))
    return { kind: 'nothing' };
  return { kind: others.length > 0 ? 'several' : 'foreign', transaction: first.transaction };
}

/**
 * False for an operation that a success with another id, or its reversal, cannot be about. It was refused, or has other money
 * than the success.
 */
function isCandidate(
  { kind, status, amount, currency, providerReference }: Operation,
  { key, reference, outcome }: About['notice'],
): boolean {
  const isRefused = status === 'declined' || status === 'failed';
  // A void has no id. A refused one released nothing, so somebody else did.
  if (kind === 'void' && key === null && outcome.kind === 'succeeded' && isRefused) return false;
  const isOther = key === null && reference !== null && providerReference !== reference;
  const hasMoved = outcome.kind === 'succeeded' || outcome.kind === 'reversed';
  if (!isOther || !hasMoved || !MAY_BE_ELSEWHERE.has(kind)) return true;
  if (isRefused) return false;
  return (
    outcome.kind === 'reversed' || outcome.money === null || sameMoney(outcome.money, { amount, currency })
  );
}

/** Tells whether an operation may be another one than that of an outcome with an id at the provider. */
const kindOf = (operation: Operation, { notice }: About): 'operation' | 'unsure' =>
  notice.reference !== null && DECIDES.has(notice.outcome.kind) && MAY_BE_ELSEWHERE.has(operation.kind)
    ? 'unsure'
    : 'operation';

const DECIDES: ReadonlySet<Notice['outcome']['kind']> = new Set(['succeeded', 'declined', 'failed']);

/** The kinds of which a payment may have several. A payment is released once, whoever releases it. */
const MAY_BE_ELSEWHERE: ReadonlySet<Operation['kind']> = new Set(['capture', 'refund']);

/**
 * Tells whether a notice that names the payment alone can be about its only operation of the verb. A later operation may only
 * seem later, because clocks differ. It makes the notice ambiguous, but is never chosen. A later void or cancel is, because a
 * released payment stays released.
 */
const isPossible = ({ createdAt, kind }: Operation, { receivedAt }: About): boolean =>
  createdAt <= receivedAt || kind === 'void' || kind === 'cancel';
