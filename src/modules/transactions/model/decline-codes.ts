import {
  DECLINE_CODES,
  EVERY_DECLINE_CODE,
  usuallyGoesOn,
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
  EVERY_DECLINE_CODE.map((code) => {
    const { kind, meaning } = DECLINE_CODES[code];
    return { code, description: meaning, kind, goesOn: usuallyGoesOn(code) };
  });
