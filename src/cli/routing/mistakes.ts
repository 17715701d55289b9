import { routingInputSchemas } from '../../modules/routing/index.ts';
import { RefusedError } from '../exit-code.ts';
import type { FileValueSet, RoutingFile } from './file.ts';
import type { PushPlan } from './plan-push.ts';

/**
 * Checks the name of a new rule set, and each value set that a push makes or changes. The schemas are those of the service. Throws a
 * RefusedError with each mistake. The service checks the rules in a dry run, which has no place for these.
 */
export function refuseMistakes(plan: PushPlan, file: RoutingFile): void {
  const touched = [...plan.newValueSets, ...plan.changedValueSets.map(({ own }) => own)];
  const mistakes = [
    ...(plan.ruleSet ? [] : mistakesIn('CreateRoutingRuleSetInput', { name: file.ruleSet }, () => 'ruleSet')),
    ...touched.flatMap((valueSet) => mistakesInSet(valueSet, file.valueSets.indexOf(valueSet))),
  ];
  if (mistakes.length > 0) throw new RefusedError(mistakes.join('\n'));
}

const mistakesInSet = ({ name, kind, values }: FileValueSet, place: number): readonly string[] =>
  mistakesIn('CreateRoutingValueSetInput', { name, kind: kind.toLowerCase(), values }, (path) =>
    ['valueSets', place, ...path].join('.'),
  );

function mistakesIn(
  type: 'CreateRoutingRuleSetInput' | 'CreateRoutingValueSetInput',
  input: unknown,
  placeOf: (path: readonly PropertyKey[]) => string,
): readonly string[] {
  const issues = routingInputSchemas()[type]?.safeParse(input).error?.issues ?? [];
  return issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
}
