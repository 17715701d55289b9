/** A list of values that several rules share. A version copies the values, so a change of the list changes no version. */
export type ValueSet = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly name: string;
  readonly kind: ValueKind;
  /** Codes of countries, texts, or ranges of BINs such as 400000-419999. */
  readonly values: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const VALUE_KINDS = ['country', 'bin', 'text'] as const;

export type ValueKind = (typeof VALUE_KINDS)[number];
