import { byKey, rowOf } from '../../../../platform/statement.ts';
import type { OperationKind } from '../../model/operation.ts';

// What settling an operation means for the redemptions of its payment. In these expressions `s` is the operation as it is
// written, `c` the transaction, `r` a redemption. Every statement that they are a part of has locked the transaction first,
// so of two of them the later one sees what the earlier one has written: it updates the rows, and an update looks again.

/** Whether the payment has ended without success: nothing may be kept of what gift cards paid. */
const OVER = `c.status IN ('authorization_declined', 'authorization_failed', 'authorization_voided')`;

const OF_OPERATION = rowOf('r', 's', 'redemption_id');

/** Number and PIN are needed no more. */
const ENDED = `raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
  sealed_card = NULL, updated_at = @now`;

const moved = (set: string): string =>
  `moved AS (UPDATE redemption r SET ${set} FROM settled s, changed c WHERE ${OF_OPERATION} RETURNING r.*)`;

/**
 * What was redeemed is given back, what was not asked for is not; what is asked for is given back when it is known. What a
 * person has said to be kept, for its reversal has failed, stays.
 */
const GIVEN_UP = `moved AS (
  UPDATE redemption r SET updated_at = @now,
    status = CASE r.status WHEN 'succeeded' THEN 'reversing' WHEN 'created' THEN 'skipped' ELSE r.status END,
    sealed_card = CASE r.status WHEN 'pending' THEN r.sealed_card END
  FROM changed c WHERE c.gift_card_amount > 0 AND ${OVER} AND ${byKey('r.merchant_account_id', 'c.merchant_account_id')}
    AND ${byKey('r.transaction_id', 'c.id')} AND r.status IN ('created', 'pending', 'succeeded')
    AND NOT EXISTS (SELECT FROM operation o WHERE ${rowOf('o', 'r', 'reversal_id')})
  RETURNING r.*)`;

/** The operations that give back, for reconciliation or whoever is quicker; their ids were chosen with the redemptions. */
const REVERSALS = `reversals AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
    unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
  SELECT m.merchant_account_id, m.reversal_id, m.transaction_id, m.payment_service_id, 'unredeem', m.amount, m.currency,
    m.id, true, 0, @now, @now, @now, @now FROM moved m WHERE m.status = 'reversing')`;

/** The authorisation that waits for a redemption is taken up at once, unless somebody has it in hand. */
const GOES_ON = `driven AS (
  UPDATE operation o SET next_attempt_at = @now FROM settled s
  WHERE ${byKey('o.merchant_account_id', 's.merchant_account_id')}
    AND ${byKey('o.transaction_id', 's.transaction_id')} AND o.kind = 'authorize'
    AND o.status = 'pending' AND o.unsent AND (o.lease_until IS NULL OR o.lease_until <= @now))`;

const REFUND_DECIDED = 'refund_pending_amount = r.refund_pending_amount - s.amount, updated_at = @now';

type Parts = { readonly succeeded: readonly string[]; readonly refused: readonly string[] };

const PARTS: Readonly<Record<OperationKind, Parts>> = {
  authorize: { succeeded: [], refused: [GIVEN_UP, REVERSALS] },
  capture: { succeeded: [], refused: [] },
  void: { succeeded: [GIVEN_UP, REVERSALS], refused: [] },
  cancel: { succeeded: [GIVEN_UP, REVERSALS], refused: [] },
  refund: {
    succeeded: [moved(`refunded_amount = r.refunded_amount + s.amount, ${REFUND_DECIDED}`)],
    refused: [moved(REFUND_DECIDED)],
  },
  redeem: {
    succeeded: [
      moved(`status = CASE WHEN ${OVER} THEN 'reversing' ELSE 'succeeded' END,
        provider_reference = s.provider_reference, ${ENDED}`),
      REVERSALS,
      GOES_ON,
    ],
    refused: [moved(`status = 'failed', error_code = s.error_code, ${ENDED}`), GOES_ON],
  },
  unredeem: {
    succeeded: [moved(`status = 'reversed', updated_at = @now`)],
    // As a person has said: the money is still ours, and can be refunded.
    refused: [moved(`status = 'succeeded', updated_at = @now`)],
  },
};

/** Expressions that follow `settled` and `changed` in the statement that settles an operation; each ends with a comma. */
export const redeemedExpressions = (kind: OperationKind, isSuccess: boolean): string =>
  PARTS[kind][isSuccess ? 'succeeded' : 'refused'].map((part) => `${part},`).join('\n    ');
