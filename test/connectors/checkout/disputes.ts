import { refuse, refuseInvalid } from './refusal.ts';
import { disputeData } from './views.ts';
import { emit, MINUTE_MS, type Dispute, type Payment, type World } from './world.ts';

export type DisputeFacts = {
  readonly category: string;
  readonly reasonCode: string;
  readonly amount: number;
};

const DAY_MS = 24 * 60 * MINUTE_MS;

/** Opens a dispute about a captured payment. */
export function openDispute(world: World, payment: Payment, facts: DisputeFacts): Dispute {
  const dispute: Dispute = {
    ...{ id: world.id('dsp').slice(0, 26), payment, ...facts, status: 'evidence_required' },
    ...{ resolvedReason: null, evidence: {}, respondBy: new Date(world.now().getTime() + 14 * DAY_MS) },
  };
  world.disputes.set(dispute.id, dispute);
  tell(world, dispute);
  return dispute;
}

const tell = (world: World, dispute: Dispute, word = dispute.status): void =>
  emit(world, `dispute_${word}`, disputeData(dispute));

export const findDispute = ({ disputes }: World, id: string): Dispute => disputes.get(id) ?? refuse(404);

function needsResponse({ status }: Dispute): void {
  if (status !== 'evidence_required') refuseInvalid('dispute_status_invalid');
}

export function acceptDispute(world: World, dispute: Dispute): void {
  needsResponse(dispute);
  decideDispute(world, dispute, 'accepted');
}

/** Stores the evidence, in place of earlier evidence. */
export function storeEvidence(world: World, dispute: Dispute, evidence: Dispute['evidence']): void {
  needsResponse(dispute);
  const unknown = Object.entries(evidence).find(
    ([name, id]) => name.endsWith('_file') && !world.files.has(id),
  );
  if (unknown) refuseInvalid(`${unknown[0]}_invalid`);
  dispute.evidence = evidence;
}

export function submitEvidence(world: World, dispute: Dispute): void {
  needsResponse(dispute);
  if (Object.keys(dispute.evidence).length === 0) refuseInvalid('evidence_required');
  dispute.status = 'evidence_under_review';
  tell(world, dispute, 'evidence_submitted');
}

/** Moves a dispute on to a status, and tells it. */
export function decideDispute(
  world: World,
  dispute: Dispute,
  status: string,
  resolved: string | null = null,
): void {
  dispute.status = status;
  dispute.resolvedReason = resolved;
  tell(world, dispute);
}
