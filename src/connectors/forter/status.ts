import type { Happening, ReportedAnswer, ReportedDispute, ReportRequest } from '../door.ts';
import { amountOf } from './amount.ts';
import { recommends } from './definition.ts';
import { meansOf, verificationOf } from './payment.ts';

/** A request to Forter about an order that Forter has. */
type Told = { readonly path: string; readonly body: object };

/** Maps a report to the requests of Forter. Null for a dispute that is no chargeback. */
export function toldOf(report: ReportRequest, version: string): Told | null {
  const { checkKey: orderId, dispute } = report;
  if (!dispute) return { path: `/v2/status/${encodeURIComponent(orderId)}`, body: statusOf(report, version) };
  return dispute.stage === 'inquiry' ? null : { path: '/v2/claims', body: claimOf(orderId, dispute) };
}

/** Null values are left out of the request. */
function statusOf(report: ReportRequest, version: string) {
  const { key, checkKey, happening, occurredAt, amounts } = report;
  const results = resultsOf(report);
  const { amount, giftCard, currency, captured, refunded } = amounts;
  const paid = amountOf({ amount: amount - giftCard, currency });
  const kept = isPartlyRefunded(report) && giftCard === 0 ? captured - refunded : null;
  return {
    orderId: checkKey,
    eventId: key,
    eventTime: occurredAt.getTime(),
    updatedStatus: statusAfter(report),
    updatedMerchantStatus: happening,
    statusChangeReason: REASONS[happening],
    // The order keeps a part of its amount, and Forter has no word for that.
    updatedTotalAmount: kept === null ? null : amountOf({ amount: kept, currency }),
    payment: report.card && [{ amount: paid, ...meansOf(report, results) }],
    verificationResults: recommends(version) ? results : null,
  };
}

const STATUSES: Readonly<Record<Exclude<Happening, 'refunded' | 'disputed'>, string>> = {
  authorized: 'PROCESSING',
  accepted: 'PROCESSING',
  captured: 'COMPLETED',
  declined: 'CANCELED_BY_MERCHANT',
  failed: 'CANCELED_BY_MERCHANT',
  released: 'CANCELED_BY_MERCHANT',
  rejected: 'CANCELED_BY_MERCHANT',
};

const REASONS: Partial<Readonly<Record<Happening, string>>> = {
  accepted: 'Review_Accepted',
  rejected: 'Review_Rejected',
};

function statusAfter(report: ReportRequest): string {
  const { happening } = report;
  if (happening === 'disputed') throw new Error('A dispute has no status of an order.');
  if (happening !== 'refunded') return STATUSES[happening];
  return isPartlyRefunded(report) ? 'COMPLETED' : 'RETURNED';
}

/** The report does not tell what gift cards keep. So an order with gift cards is never returned whole. */
const isPartlyRefunded = ({ happening, amounts }: ReportRequest): boolean =>
  happening === 'refunded' && (amounts.giftCard > 0 || amounts.refunded < amounts.captured);

/** The letters of the schemes for the results of the address and of the security code. */
const ADDRESS_RESULTS: Readonly<Record<string, string>> = {
  ...{ match: 'Y', no_match: 'N', partial_match_address: 'A', partial_match_postcode: 'Z', unavailable: 'U' },
};
const CODE_RESULTS: Readonly<Record<string, string>> = {
  ...{ match: 'M', no_match: 'N', unavailable: 'U', not_provided: 'P' },
};

const resultsOf = ({ authorization, authentication }: ReportRequest) => ({
  authorizationCode: authorization.authResponseCode,
  processorResponseCode: authorization.rawResponseCode ?? authorization.errorCode,
  processorResponseText: authorization.rawResponseDescription,
  ...lettersOf(authorization),
  ...verificationOf(authentication),
});

const lettersOf = ({ avsResponseCode: address, cvvResponseCode: code }: ReportedAnswer) => ({
  avsFullResult: address && ADDRESS_RESULTS[address],
  cvvResult: code && CODE_RESULTS[code],
});

const claimOf = (orderId: string, dispute: ReportedDispute) => ({
  orderId,
  processorChargebackCaseId: dispute.reference,
  status: claimStatusOf(dispute),
  externalClaimStatus: dispute.status,
  amount: amountOf(dispute.money),
  type: 'CHARGEBACK',
  reasonCode: dispute.reasonCode ?? dispute.reason,
  sourceType: 'PROCESSOR_CB',
  issueDate: dispute.openedAt.getTime(),
  dueDate: dispute.respondBy?.getTime(),
});

function claimStatusOf({ status }: ReportedDispute): 'OPEN' | 'WON' | 'LOST' {
  if (status === 'won') return 'WON';
  return status === 'lost' || status === 'accepted' ? 'LOST' : 'OPEN';
}
