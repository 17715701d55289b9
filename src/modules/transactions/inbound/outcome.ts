import type { Notice, NoticeOutcome } from '../../../connectors/webhook.ts';
import type { AcceptedOutcome, FinalOutcome, Operation } from '../model/operation.ts';

/** A notice that says what became of an operation. */
export type DecidingNotice = Notice & {
  readonly outcome: Exclude<NoticeOutcome, { readonly kind: 'token_created' }>;
};

/** What a notice says of an operation, as its provider's answer would have said it. */
export function outcomeOf(
  { outcome, reference: told, paymentReference }: DecidingNotice,
  operation: Operation,
): FinalOutcome | AcceptedOutcome {
  const { amount, currency, kind } = operation;
  // The id of a payment is that of its authorisation; a cancel that is under way has it in place of its own.
  const own = told ?? (kind === 'cancel' ? null : operation.providerReference);
  const known = own ?? (kind === 'authorize' ? paymentReference : null);
  // Where nobody says the provider's id, ours is what the provider was given.
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
