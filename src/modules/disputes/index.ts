export type { Dispute, DisputeReason, DisputeStage, DisputeStatus } from './dispute.ts';
export { findDisputes, findDisputesOf } from './find.ts';
export { listDisputes } from './list.ts';
export { recordDispute, type DisputeSubject, type RecordedDispute } from './record.ts';
export type { DisputeFinding } from './record-rules.ts';
