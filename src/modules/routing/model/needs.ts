import type { Rule } from './rule.ts';

type Actions = readonly Pick<Rule, 'action'>[];

/** Lists the periods of the rules by success, in hours, each once, the shortest first. */
export const periodsOf = (rules: Actions): readonly number[] =>
  [
    ...new Set(rules.flatMap(({ action }) => (action.kind === 'bySuccess' ? [action.lastHours] : []))),
  ].toSorted((one, other) => one - other);

/** Tells whether a rule compares costs. */
export const comparesCosts = (rules: Actions): boolean =>
  rules.some(({ action }) => action.kind === 'byCost');

/** Tells whether rules need figures of the past. */
export const needsFigures = (rules: Actions): boolean =>
  rules.some(({ action }) => action.kind === 'bySuccess' || action.kind === 'byCost');
