import {
  DISPUTE_REASONS,
  DISPUTE_STAGES,
  DISPUTE_STATUSES,
  type DisputeNotice,
  type DisputeReport,
} from '../notices/disputes.ts';
import { isBookable, storableKey, withoutCardNumbers } from './notice-words.ts';
import { cleanText, isStorable, storableOrNull } from './words.ts';

/**
 * Returns a notice about a dispute that can be stored and shown. Ids that cannot be stored are absent. The reason code
 * holds no secret of the service, no possible card number and no control character.
 */
export function tidyDispute(notice: DisputeNotice, credentials: readonly string[]): DisputeNotice {
  const { eventKey, reference, paymentReference, dispute } = notice;
  const given = { cardNumber: null, securityCode: null, credentials };
  return {
    ...notice,
    eventKey: storableKey(eventKey),
    reference: storableOrNull(reference),
    paymentReference: storableOrNull(paymentReference),
    dispute: {
      ...dispute,
      reasonCode:
        dispute.reasonCode === null ? null : withoutCardNumbers(cleanText(dispute.reasonCode, given)),
    },
  };
}

/** True when the notice finds a payment, and its dispute can be recorded. */
export const isUsableDispute = ({ key, reference, paymentReference, dispute }: DisputeNotice): boolean =>
  (key ?? reference ?? paymentReference) !== null && isRecordable(dispute);

const isRecordable = ({
  disputeReference,
  stage,
  status,
  reason,
  money,
  respondBy,
}: DisputeReport): boolean =>
  isStorable(disputeReference) &&
  DISPUTE_STAGES.includes(stage) &&
  DISPUTE_STATUSES.includes(status) &&
  DISPUTE_REASONS.includes(reason) &&
  isBookable(money) &&
  (respondBy === null || !Number.isNaN(respondBy.getTime()));
