import { RefusedError, type Refusal } from '../../../../client/operations/errors.ts';

/** Lists the refusals of a draft that name one rule, by its index. */
export const refusalsOf = (error: unknown, at: number): readonly Refusal[] =>
  error instanceof RefusedError ? error.refusals.filter(({ path }) => ruleIn(path) === String(at)) : [];

/** Tells whether each refusal of a draft names a rule. A refusal of the whole draft names none. */
export const isAboutRules = (error: unknown): boolean =>
  error instanceof RefusedError && error.refusals.every(({ path }) => ruleIn(path) !== null);

/** Returns the index of the rule in a path such as `input.rules.2.name`. */
const ruleIn = ([, list, at]: readonly string[]): string | null => (list === 'rules' ? (at ?? null) : null);
