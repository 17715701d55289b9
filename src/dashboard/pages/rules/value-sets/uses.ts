import { testsOf, type Rule } from '../rule.ts';

/** Returns the value set that a fact names. Null for any other fact. */
const setIn = ({
  countryIn,
  binIn,
  metadataIn,
}: NonNullable<ReturnType<typeof testsOf>[number]>['fact']): string | null =>
  countryIn ?? binIn ?? metadataIn?.valueSetId ?? null;

/** Lists the names of the rules that use a value set, in the order of the rules. */
export const usersOf = (valueSetId: string, rules: readonly Rule[]): readonly string[] =>
  rules
    .filter(({ conditions = [] }) =>
      conditions.some((condition) => testsOf(condition).some(({ fact }) => setIn(fact) === valueSetId)),
    )
    .map(({ name }) => name);
