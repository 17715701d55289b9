import { cleanSchemeCodes } from '../codes/scheme-codes.ts';
import type { Outcome, Unknown } from '../interface/outcome.ts';
import type { NoticeOutcome } from './webhook.ts';

/** Reduces an outcome to the parts of a notice. Null for an outcome that says nothing. */
export function noticeOutcomeOf(outcome: Exclude<Outcome, Unknown>): NoticeOutcome;
export function noticeOutcomeOf(outcome: Outcome): NoticeOutcome | null;
export function noticeOutcomeOf(outcome: Outcome): NoticeOutcome | null {
  if (outcome.kind === 'unknown') return null;
  const { rawResponseCode, rawResponseDescription } = outcome;
  const words = { rawResponseCode, rawResponseDescription };
  switch (outcome.kind) {
    case 'succeeded': {
      const { money, schemeTransactionId: scheme, recurringToken: token } = outcome;
      return {
        ...{ kind: 'succeeded', money, ...words },
        ...(scheme !== undefined && { schemeTransactionId: scheme }),
        ...(token !== undefined && { recurringToken: token }),
      };
    }
    case 'accepted':
      return { kind: 'accepted', ...words };
    default:
      return { kind: outcome.kind, errorCode: outcome.errorCode, ...words, ...cleanSchemeCodes(outcome) };
  }
}
