import type { Action, Condition, CostAction, Question, Rule, Test } from '../../../modules/routing/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** Shows a rule in the form of its input. A copy of the answer is the input of another version. */
export const shownRule = ({ name, conditions, action, threeDSecure }: Rule): Json => ({
  name,
  conditions: conditions.map(shownCondition),
  action: shownAction(action),
  threeDSecure: threeDSecure?.toUpperCase() ?? null,
});

const shownCondition = (condition: Condition): Json =>
  condition.fact === 'anyOf'
    ? { not: condition.not, anyOf: condition.tests.map(shownTest) }
    : shownTest(condition);

const shownTest = ({ not, ...question }: Test): Json => ({ not, fact: shownFact(question) });

function shownFact(question: Question): Json {
  const { fact, ...given } = question;
  if ('valueSet' in question) {
    const { id: valueSetId } = question.valueSet;
    return { [`${fact}In`]: question.fact === 'metadata' ? { name: question.name, valueSetId } : valueSetId };
  }
  switch (question.fact) {
    case 'bin':
      return { bin: question.ranges };
    case 'localTime':
      return { localTime: { ...given, days: question.days.map((day) => day.toUpperCase()) } };
    case 'instrument':
    case 'scheme':
    case 'paymentSource':
    case 'threeDSecureRequest':
    case 'formerOutcome':
      return { [fact]: question.values.map((value) => value.toUpperCase()) };
    case 'currency':
    case 'country':
    case 'method':
    case 'formerErrorCode':
    case 'formerService':
      return { [fact]: question.values };
    default:
      return { [fact]: 'is' in question ? question.is : given };
  }
}

function shownAction(action: Action): Json {
  switch (action.kind) {
    case 'order': {
      const { paymentServiceIds, onlyThese } = action;
      return { order: { paymentServiceIds, onlyThese } };
    }
    case 'split':
      return { split: action.shares };
    case 'bySuccess': {
      const { kind: _kind, ...terms } = action;
      return { bySuccess: terms };
    }
    case 'byCost': {
      const { kind: _kind, table, ...order } = action;
      return { byCost: { ...order, table: table.map(shownPrice) } };
    }
    case 'positions':
      return { positions: true };
    default:
      return { refuse: { code: action.code } };
  }
}

const shownPrice = ({ scheme, ...price }: CostAction['table'][number]): Json => ({
  ...price,
  scheme: scheme?.toUpperCase() ?? null,
});

/** A value set as a version copied it. */
export type CopiedValueSet = {
  readonly valueSetId: string;
  readonly name: string;
  readonly values: readonly string[];
};

/** Lists the value sets that rules use, each once, with the copied values. */
export function valueSetsOf(rules: readonly Rule[]): readonly CopiedValueSet[] {
  const questions = rules
    .flatMap(({ conditions }) => conditions)
    .flatMap((condition): readonly Question[] =>
      condition.fact === 'anyOf' ? condition.tests : [condition],
    );
  const copies = questions.flatMap((question): readonly CopiedValueSet[] => {
    if (!('valueSet' in question)) return [];
    const values =
      'ranges' in question ? question.ranges.map(({ from, to }) => `${from}-${to}`) : (question.values ?? []);
    return [{ valueSetId: question.valueSet.id, name: question.valueSet.name, values }];
  });
  return [...new Map(copies.map((copy) => [copy.valueSetId, copy])).values()];
}
