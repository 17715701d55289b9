import { cleanSchemeCodes, type Outcome, type NoticeOutcome } from '../../door.ts';

/** Reduces an outcome to the parts of a notice. Null for an outcome that says nothing. */
export function reduced(outcome: Outcome): NoticeOutcome | null {
  if (outcome.kind === 'unknown') return null;
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
