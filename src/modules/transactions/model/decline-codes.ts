import {
  DECLINE_CODES,
  isRetriableDecline,
  type DeclineCode,
  type DeclineKind,
} from '../../../connectors/codes/decline-codes.ts';

/** A normalised reason, as the API lists it. */
export type ListedDeclineCode = {
  readonly code: DeclineCode;
  readonly description: string;
  readonly kind: DeclineKind;
  /** True if the payment may go to the next payment service. */
  readonly goesOn: boolean;
};

/** Lists every normalised reason of a decline or a failure, by name. */
export const listDeclineCodes = (): readonly ListedDeclineCode[] =>
  (Object.keys(DECLINE_CODES) as DeclineCode[]).map((code) => {
    const { kind, meaning } = DECLINE_CODES[code];
    return { code, description: meaning, kind, goesOn: kind === 'failed' || isRetriableDecline(code) };
  });
