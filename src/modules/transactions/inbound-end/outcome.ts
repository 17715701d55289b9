import type { Notice, NoticeOutcome } from '../../../connectors/notices/webhook.ts';
import type { Operation } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import { providerKeyOf } from '../model/provider-keys.ts';

/** A notice with the outcome of an operation. */
export type DecidingNotice = Notice & {
  readonly outcome: Exclude<NoticeOutcome, { readonly kind: 'token_created' | 'reversed' | 'expired' }>;
};

/** Converts a notice to the outcome that the provider's answer would have given. */
export function outcomeOf(notice: DecidingNotice, operation: Operation): FinalOutcome | AcceptedOutcome {
  const { outcome } = notice;
  const { amount, currency } = operation;
  const known = referenceOf(notice, operation);
  // Our key stands in for a missing id of the provider. The provider received the key with the request.
  const reference = known ?? providerKeyOf(operation);
  switch (outcome.kind) {
    case 'succeeded':
      return { ...outcome, reference, money: outcome.money ?? { amount, currency } };
    case 'accepted':
      return { ...outcome, reference };
    default: {
      const { holdsForRepeats: _, ...refusal } = outcome;
      return { ...refusal, reference: known };
    }
  }
}

/**
 * Returns the provider's id of the operation. A payment's id is the id of its authorisation, also when the notice is about the
 * capture of a sale. A pending cancel carries that id in place of its own.
 */
export function referenceOf(
  { reference, paymentReference }: Pick<Notice, 'reference' | 'paymentReference'>,
  { kind, providerReference }: Operation,
): string | null {
  const own = reference ?? (kind === 'cancel' ? null : providerReference);
  return kind === 'authorize' ? (paymentReference ?? own) : own;
}
