import { noticeOutcomeOf, type NoticeOutcome, type Outcome } from '../../door.ts';

/** Reduces an outcome to the parts of a notice. Null for an outcome that says nothing. */
export const reduced = (outcome: Outcome): NoticeOutcome | null =>
  outcome.kind === 'unknown' ? null : noticeOutcomeOf(outcome);
