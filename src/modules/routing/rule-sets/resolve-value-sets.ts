import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { GivenCondition, GivenQuestion, GivenTest } from '../input/conditions.ts';
import type { GivenRule } from '../input/rules.ts';
import { rangeOf } from '../input/value-sets.ts';
import { VALUES_TOTAL_MAX } from '../model/limits.ts';
import type { Condition, Question, Rule, Test } from '../model/rule.ts';
import { findValueSetsByIds } from '../store.ts';
import type { ValueKind, ValueSet } from '../model/value-set.ts';

/**
 * Copies the values of named value sets into the rules. Refuses an unknown value set, one of another kind, and too many values in
 * all.
 */
export async function resolveValueSets(
  app: App,
  merchantAccountId: string,
  rules: readonly GivenRule[],
): Promise<Result<readonly Rule[], InvalidInput>> {
  const ids = rules.flatMap(({ conditions }) => conditions.flatMap(questionsIn)).flatMap(namedIn);
  const sets = ids.length === 0 ? [] : await findValueSetsByIds(app.db, merchantAccountId, ids);
  const byId = new Map(sets.map((set) => [set.id, set]));
  const refusals = rules.flatMap(({ conditions }, rule) =>
    conditions.flatMap((condition, place) =>
      questionsIn(condition).every((question) => isKnown(question, byId))
        ? []
        : [invalidInput(['input', 'rules', String(rule), 'conditions', String(place)], UNKNOWN)],
    ),
  );
  const [first, ...more] = refusals;
  if (first) return refuse(first, ...more);
  const resolved = rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((condition) => resolveCondition(condition, byId)),
  }));
  return countValues(resolved) > VALUES_TOTAL_MAX ? refuse(TOO_MANY) : ok(resolved);
}

const UNKNOWN = 'Must name a value set of the merchant account, of the kind of the fact.';

const TOO_MANY = invalidInput(['input', 'rules'], `Give at most ${VALUES_TOTAL_MAX} values in all lists.`);

type Sets = ReadonlyMap<string, ValueSet>;

const questionsIn = (condition: GivenCondition): readonly GivenQuestion[] =>
  condition.fact === 'anyOf' ? condition.tests : [condition];

const namedIn = (question: GivenQuestion): readonly string[] =>
  'valueSetId' in question ? [question.valueSetId] : [];

const KINDS = { country: 'country', bin: 'bin', metadata: 'text' } as const satisfies Record<
  string,
  ValueKind
>;

const isKnown = (question: GivenQuestion, sets: Sets): boolean =>
  !('valueSetId' in question) || sets.get(question.valueSetId)?.kind === KINDS[question.fact];

const resolveCondition = (condition: GivenCondition, sets: Sets): Condition =>
  condition.fact === 'anyOf'
    ? { ...condition, tests: condition.tests.map((test) => resolveTest(test, sets)) }
    : resolveTest(condition, sets);

function resolveTest({ not, ...question }: GivenTest, sets: Sets): Test {
  return { not, ...resolveQuestion(question, sets) };
}

function resolveQuestion(question: GivenQuestion, sets: Sets): Question {
  if (!('valueSetId' in question)) return question;
  const { valueSetId } = question;
  const { id = valueSetId, name = '', values = [] } = sets.get(valueSetId) ?? {};
  const valueSet = { id, name };
  switch (question.fact) {
    case 'country':
      return { fact: 'country', values, valueSet };
    case 'bin':
      return { fact: 'bin', ranges: values.map(rangeOf), valueSet };
    default:
      return { fact: 'metadata', name: question.name, values, valueSet };
  }
}

const countValues = (rules: readonly Rule[]): number =>
  rules
    .flatMap(({ conditions }) => conditions)
    .flatMap((condition): readonly Question[] => (condition.fact === 'anyOf' ? condition.tests : [condition]))
    .reduce((sum, question) => sum + valuesOf(question), 0);

function valuesOf(question: Question): number {
  if ('values' in question) return question.values?.length ?? 0;
  if ('ranges' in question) return question.ranges.length;
  return 'prefixes' in question ? question.prefixes.length : 0;
}
