import {
  DISPUTE_STAGES,
  type DisputeReason,
  type DisputeStage,
  type DisputeStatus,
} from '../../connectors/notices/disputes.ts';

export {
  DISPUTE_REASONS,
  DISPUTE_STAGES,
  DISPUTE_STATUSES,
  type DisputeReason,
  type DisputeStage,
  type DisputeStatus,
} from '../../connectors/notices/disputes.ts';

/** A dispute of a payment. Amounts are minor units. */
export type Dispute = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  /** The disputed capture or authorisation. Null if none had succeeded at the first report. */
  readonly operationId: string | null;
  readonly paymentServiceId: string;
  /** The provider's id of the dispute. */
  readonly providerReference: string;
  readonly stage: DisputeStage;
  readonly status: DisputeStatus;
  readonly reason: DisputeReason;
  readonly reasonCode: string | null;
  readonly amount: number;
  readonly currency: string;
  /** The amount that the ledger counts as lost, in the currency of the payment. */
  readonly lostAmount: number;
  /** The latest stage with a decision about money: won, lost or accepted. Null without one. */
  readonly decidedStage: DisputeStage | null;
  /** The end of the time to respond. Null when no response is asked for. */
  readonly respondBy: Date | null;
  /** The provider's time of the latest report. */
  readonly reportedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const OPEN: ReadonlySet<DisputeStatus> = new Set(['needs_response', 'under_review', 'expired']);

/** True while the stage of a dispute has no end. An ended dispute goes on only in a later stage. */
export const isOpen = ({ status }: Pick<Dispute, 'status'>): boolean => OPEN.has(status);

/**
 * True when a refund of the payment could pay the buyer twice. An inquiry holds no money, and a refund is the usual answer
 * to an inquiry.
 */
export const holdsRefunds = (dispute: Pick<Dispute, 'status' | 'stage'>): boolean =>
  isOpen(dispute) && dispute.stage !== 'inquiry';

/** Returns the rank of a stage, from 0. A provider never goes back. */
export const rankOf = (stage: DisputeStage): number => DISPUTE_STAGES.indexOf(stage);
