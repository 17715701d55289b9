/** A break of the contract of the last release, on purpose. */
export type AllowedBreak = {
  /** The sentence of `npm run check:schema`. */
  readonly change: string;
  /** The reason, for the notes of the next release. */
  readonly reason: string;
  /** The day of the decision, `YYYY-MM-DD`. */
  readonly since: string;
};

/** The breaks since the last release. `npm run release:schema` asks for an empty list. */
export const ALLOWED_BREAKS: readonly AllowedBreak[] = [];
