import type { CallContext, DeclineCode, Outcome, Money } from '../../door.ts';
import { outcomeOf } from '../exchange.ts';
import { outcomeOfModification } from './answer.ts';
import { referenceOfLeave } from '../references.ts';
import type { AdyenStandaloneCancel } from '../request-shapes.ts';

/** A payment that nobody completes any more. It waits for the buyer at Adyen and holds nothing. */
export type Left = {
  /** Our key of the authorisation. */
  readonly key: string;
  /** Adyen's id of the payment, or null. */
  readonly reference: string | null;
  readonly money: Money;
  readonly merchantAccount: string;
  readonly errorCode: Extract<DeclineCode, 'requires_buyer_authentication' | 'incomplete_buyer_approval'>;
  /** Adyen's word for the step that nobody takes, or null. */
  readonly rawResponseCode: string | null;
  readonly sentence: string;
};

/**
 * Ends a payment that waits for a step that nobody takes. Only our request of `/payments/details` can authorise such a payment,
 * and none follows. Adyen cancels the payment too, by our reference, should a step be under way.
 *
 * - A refused cancel changes nothing, because there is nothing to cancel.
 * - Without an answer the outcome is unknown, and the same request is sent again under the same key.
 */
export async function leave(context: CallContext, checkout: string, left: Left): Promise<Outcome> {
  const { key, reference, money, merchantAccount, errorCode, rawResponseCode, sentence } = left;
  const body: AdyenStandaloneCancel = {
    ...{ merchantAccount, paymentReference: key },
    reference: referenceOfLeave(key),
  };
  const cancelled = await outcomeOf(
    context,
    { url: `${checkout}/cancels`, key: `${key}:leave`, body },
    (answer) => outcomeOfModification(answer, money),
  );
  return cancelled.kind === 'unknown'
    ? { kind: 'unknown', cause: cancelled.cause }
    : {
        ...{ kind: 'failed', reference, errorCode },
        ...{ rawResponseCode, rawResponseDescription: sentence },
      };
}
