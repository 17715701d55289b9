import { OperationTypeNode, type ValueNode } from 'graphql';
import type { Limited } from './check-limits.ts';
import { countObjects, givenValue, planOf, withDefaults, type Variables } from './query-cost.ts';

/** The work of parts that cost the database more than their objects. */
export const WORK = {
  /** A search for words. Postgres looks at many rows that the answer does not hold. */
  search: 1_000,
  /** A filter or a sort order of a list. */
  choice: 50,
} as const;

/**
 * Returns the work of a query or a subscription. Each object that the answer can hold counts one. Searches, filters and
 * sort orders count more. A mutation costs nothing, so reads never use up the budget of payments.
 */
export function workOf({ schema, document, operation, variables }: Limited): number {
  if (operation.operation === OperationTypeNode.MUTATION) return 0;
  const plan = planOf(schema, document, operation);
  const { objects, rootFields } = plan;
  const given = withDefaults(plan, variables ?? {});
  const choices = rootFields.flatMap(({ nodes }) => nodes[0].arguments ?? []);
  return choices.reduce(
    (sum, { name, value }) => sum + workOfArgument(name.value, value, given),
    objects ? countObjects(objects, given) : 0,
  );
}

function workOfArgument(name: string, node: ValueNode, variables: Variables): number {
  const value = givenValue(node, variables);
  if (value == null) return 0;
  if (name === 'search' || searches(value)) return WORK.search;
  return name === 'filter' || name === 'sort' ? WORK.choice : 0;
}

const searches = (filter: unknown): boolean =>
  typeof filter === 'object' && filter !== null && 'search' in filter && filter.search != null;
