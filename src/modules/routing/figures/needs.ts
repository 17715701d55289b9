/** The part of a rule that tells which figures the rule needs. */
type Comparing = {
  readonly action: { readonly kind: string; readonly lastHours?: number };
};

/** Lists the periods of the rules by success, in hours, each once, the shortest first. */
export const periodsOf = (rules: readonly Comparing[]): readonly number[] =>
  [...new Set(rules.flatMap(({ action }) => action.lastHours ?? []))].toSorted((one, other) => one - other);

/** Tells whether a rule compares costs. */
export const comparesCosts = (rules: readonly Comparing[]): boolean =>
  rules.some(({ action }) => action.kind === 'byCost');

/** Tells whether rules need figures of the past. */
export const needsFigures = (rules: readonly Comparing[]): boolean =>
  comparesCosts(rules) || rules.some(({ action }) => action.kind === 'bySuccess');
