import {
  timeOf,
  type DisputeNotice,
  type DisputeReport,
  type DisputeStage,
  type DisputeStatus,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { disputeReasonOf } from './dispute-reasons.ts';
import type { AdyenEvent } from './notification.ts';
import { keyOf } from '../references.ts';

/** An event of a dispute: its stage, and its status where Adyen names none. */
type Meaning = { readonly stage: DisputeStage; readonly status: DisputeStatus };

const meaning = (stage: DisputeStage, status: DisputeStatus): Meaning => ({ stage, status });

/**
 * The events of disputes. `disputeStatus` of an event takes precedence over the status here.
 *
 * A second chargeback follows a defence that the issuer declined. It is a stage of its own, because the first may have been won.
 */
const EVENTS: Readonly<Record<string, Meaning>> = {
  NOTIFICATION_OF_FRAUD: meaning('inquiry', 'closed'),
  REQUEST_FOR_INFORMATION: meaning('inquiry', 'needs_response'),
  NOTIFICATION_OF_CHARGEBACK: meaning('chargeback', 'needs_response'),
  INFORMATION_SUPPLIED: meaning('chargeback', 'under_review'),
  CHARGEBACK: meaning('chargeback', 'needs_response'),
  CHARGEBACK_REVERSED: meaning('chargeback', 'won'),
  DISPUTE_DEFENSE_PERIOD_ENDED: meaning('chargeback', 'expired'),
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: meaning('chargeback', 'won'),
  SECOND_CHARGEBACK: meaning('pre_arbitration', 'lost'),
  PREARBITRATION_OPEN: meaning('pre_arbitration', 'needs_response'),
  PREARBITRATION_ACCEPTED: meaning('pre_arbitration', 'accepted'),
  PREARBITRATION_DECLINED: meaning('pre_arbitration', 'under_review'),
  PREARBITRATION_ISSUER_WITHDRAWN: meaning('pre_arbitration', 'won'),
  PREARBITRATION_WON: meaning('pre_arbitration', 'won'),
  PREARBITRATION_LOST: meaning('pre_arbitration', 'lost'),
  SCHEME_ARBITRATION: meaning('pre_arbitration', 'under_review'),
  SCHEME_ARBITRATION_WON: meaning('pre_arbitration', 'won'),
  SCHEME_ARBITRATION_LOST: meaning('pre_arbitration', 'lost'),
};

/** Adyen's words for the status of a dispute. */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  Undefended: 'needs_response',
  Unresponded: 'needs_response',
  Pending: 'under_review',
  Responded: 'under_review',
  Accepted: 'accepted',
  Expired: 'expired',
  Won: 'won',
  Lost: 'lost',
};

/** True for an event about a dispute. */
export const isDisputeEvent = ({ eventCode }: Pick<AdyenEvent, 'eventCode'>): boolean =>
  Object.hasOwn(EVENTS, eventCode);

/**
 * Reads an event about a dispute. Null for an event that failed, and for one that names no payment. Unreadable if its money is
 * missing, or is an amount that we cannot express.
 */
export function readDisputeEvent(event: AdyenEvent): DisputeNotice | null | 'unreadable' {
  const { eventCode, pspReference, originalReference, merchantReference, success, data } = event;
  const known = EVENTS[eventCode];
  const dispute = known && reportOf(event, known);
  const ours = keyOf(merchantReference);
  if (!success || (!ours && originalReference === null)) return null;
  if (!dispute) return 'unreadable';
  return {
    // One dispute may have several events of a kind, with other states.
    eventKey: [eventCode, pspReference, String(success), data['disputeStatus'] ?? ''].join(':'),
    occurredAt: timeOf(event.eventDate),
    key: ours?.key ?? null,
    reference: data['capturePspReference'] ?? null,
    paymentReference: originalReference,
    dispute,
  };
}

function reportOf(event: AdyenEvent, known: Meaning): DisputeReport | null {
  const { pspReference, amount, data } = event;
  const money = amount ? moneyFromWire(amount) : null;
  if (money === null) return null;
  const code = (data['chargebackReasonCode'] ?? data['rfiReasonCode'] ?? data['nofReasonCode'] ?? '').trim();
  const status = statusOf(event, known);
  return {
    disputeReference: pspReference,
    stage: stageOf(event, known),
    status,
    reason: event.eventCode === 'NOTIFICATION_OF_FRAUD' ? 'fraudulent' : disputeReasonOf(code),
    reasonCode: code || null,
    money,
    respondBy: status === 'needs_response' ? timeOf(data['defensePeriodEndsAt']) : null,
  };
}

/** The events of an inquiry lack the reason code of a chargeback. */
const stageOf = ({ eventCode, data }: AdyenEvent, { stage }: Meaning): DisputeStage =>
  EITHER_STAGE.has(eventCode) && data['chargebackReasonCode'] === undefined ? 'inquiry' : stage;

const EITHER_STAGE: ReadonlySet<string> = new Set(['INFORMATION_SUPPLIED', 'DISPUTE_DEFENSE_PERIOD_ENDED']);

function statusOf({ eventCode, data }: AdyenEvent, { status }: Meaning): DisputeStatus {
  const told = STATUSES[data['disputeStatus'] ?? ''];
  // An alert of a fraud is only information, and the decision of an event cannot be another.
  if (eventCode === 'NOTIFICATION_OF_FRAUD' || DECISIONS.has(eventCode)) return status;
  if (told !== undefined) return told;
  if (status !== 'needs_response' || data['defendable'] !== 'false') return status;
  // Adyen has responded for the merchant, or no response is possible. A chargeback has then taken the money for good.
  if (data['autoDefended'] === 'true') return 'under_review';
  return eventCode === 'CHARGEBACK' ? 'lost' : 'under_review';
}

/** The events that are decisions by themselves. */
const DECISIONS: ReadonlySet<string> = new Set(
  Object.keys(EVENTS).filter((code) => ['won', 'lost', 'accepted'].includes(EVENTS[code]?.status ?? '')),
);
