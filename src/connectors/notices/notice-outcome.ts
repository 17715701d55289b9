import { cleanSchemeCodes } from '../codes/scheme-codes.ts';
import type { Outcome, Unknown } from '../interface/outcome.ts';
import type { NoticeOutcome } from './webhook.ts';

/** Reduces an outcome to the parts of a notice. */
export function noticeOutcomeOf(outcome: Exclude<Outcome, Unknown>): NoticeOutcome {
  const { rawResponseCode, rawResponseDescription } = outcome;
  const words = { rawResponseCode, rawResponseDescription };
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'succeeded', money: outcome.money, ...words };
    case 'accepted':
      return { kind: 'accepted', ...words };
    default:
      return { kind: outcome.kind, errorCode: outcome.errorCode, ...words, ...cleanSchemeCodes(outcome) };
  }
}
