import type { Happening, ReportedDispute, ReportRequest } from '../../../connectors/anti-fraud/report.ts';
import type { FeedEvent } from '../../events/index.ts';
import { cardOf, walletOf } from '../authorize/anti-fraud/facts.ts';
import { dataToHand } from '../model/three-d-secure.ts';
import type { Transaction } from '../model/transaction.ts';

/** The events that a third party hears of. */
const HAPPENINGS: Readonly<Record<string, Happening>> = {
  'transaction.authorized': 'authorized',
  'transaction.declined': 'declined',
  'transaction.failed': 'failed',
  'transaction.captured': 'captured',
  'transaction.voided': 'released',
  'transaction.expired': 'released',
  'transaction.review-accepted': 'accepted',
  'transaction.review-rejected': 'rejected',
  'refund.succeeded': 'refunded',
  'dispute.created': 'disputed',
  'dispute.updated': 'disputed',
  'dispute.won': 'disputed',
  'dispute.lost': 'disputed',
};

/** Returns the kind of an event. Null for an event that no third party hears of. */
export const happeningOf = ({ name }: FeedEvent): Happening | null => HAPPENINGS[name] ?? null;

/** An event of a checked payment that a third party has still to hear of. */
export type DueReport = {
  readonly event: FeedEvent;
  readonly happening: Happening;
  readonly transaction: Transaction;
  /** The third party's own id of the check. */
  readonly reference: string | null;
};

/** Returns the content of a report. Throws for a dispute's event in another form. */
export const reportOf = ({ event, happening, transaction, reference }: DueReport): ReportRequest => ({
  key: event.id,
  checkKey: transaction.id,
  reference,
  happening,
  occurredAt: event.createdAt,
  amounts: {
    currency: transaction.currency,
    amount: transaction.amount,
    giftCard: transaction.giftCardAmount,
    authorized: transaction.authorizedAmount,
    captured: transaction.capturedAmount,
    refunded: transaction.refundedAmount,
  },
  authorization: {
    reference: transaction.paymentServiceTransactionId,
    errorCode: transaction.errorCode,
    rawResponseCode: transaction.rawResponseCode,
    rawResponseDescription: transaction.rawResponseDescription,
    authResponseCode: transaction.authResponseCode,
    avsResponseCode: transaction.avsResponseCode,
    cvvResponseCode: transaction.cvvResponseCode,
  },
  authentication: dataToHand(transaction.threeDSecure),
  wallet: walletOf(transaction),
  card: cardOf(transaction),
  dispute: happening === 'disputed' ? disputeIn(event) : null,
});

/** The dispute in the payload of its event. */
type DisputeTarget = Pick<ReportedDispute, 'id' | 'stage' | 'status' | 'reason'> & {
  readonly payment_service_dispute_id: string;
  readonly reason_code: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly respond_by: string | null;
  readonly created_at: string;
};

function disputeIn({ payload }: FeedEvent): ReportedDispute {
  // The service wrote the text: an envelope with a dispute as its target.
  const { target } = JSON.parse(payload) as { readonly target: DisputeTarget };
  const { id, stage, status, reason, amount, currency, respond_by: respondBy } = target;
  return {
    ...{ id, stage, status, reason, money: { amount, currency } },
    reference: target.payment_service_dispute_id,
    reasonCode: target.reason_code,
    respondBy: respondBy === null ? null : new Date(respondBy),
    openedAt: new Date(target.created_at),
  };
}
