import type { Notice, NoticeOutcome } from '../../../connectors/webhook.ts';
import type { Operation } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';

/** A notice with the outcome of an operation. */
export type DecidingNotice = Notice & {
  readonly outcome: Exclude<NoticeOutcome, { readonly kind: 'token_created' | 'reversed' | 'expired' }>;
};

/** Converts a notice to the outcome that the provider's answer would have given. */
export function outcomeOf(
  { outcome, reference: given, paymentReference }: DecidingNotice,
  operation: Operation,
): FinalOutcome | AcceptedOutcome {
  const { amount, currency, kind } = operation;
  // A payment's id is the id of its authorisation. A pending cancel carries that id in place of its own.
  const own = given ?? (kind === 'cancel' ? null : operation.providerReference);
  const known = own ?? (kind === 'authorize' ? paymentReference : null);
  // Without a provider's id, our id stands in: the provider received ours as the key.
  const reference = known ?? operation.id;
  switch (outcome.kind) {
    case 'succeeded':
      return { ...outcome, reference, money: outcome.money ?? { amount, currency } };
    case 'accepted':
      return { ...outcome, reference };
    default:
      return { ...outcome, reference: known };
  }
}
