import { BACKWARDS, type Given } from './input/read-request.ts';
import type { Plan } from './plan.ts';
import type { Answer, Json } from './route.ts';
import { showField, showForm, type Selected } from './selection.ts';

/**
 * Shows the result of a route's operation in the form of its answer. Null for an answer without a body. Undefined if the
 * record of the path is unknown.
 */
export function showAnswer(
  { route: { answer }, input, besides }: Pick<Plan, 'route' | 'input' | 'besides'>,
  selected: readonly Selected[],
  root: Json | null,
  given: Given,
): Json | null | undefined {
  if (answer.kind === 'none') return null;
  const found = valueAt(root, answer);
  if (found === null || found === undefined) return undefined;
  const show = (record: unknown): Json => showForm(answer.record, selected, record as Json);
  switch (answer.kind) {
    case 'record':
      return { ...show(found), ...showBesides(besides, root) };
    case 'pick': {
      const id = given.params[answer.by]?.toLowerCase();
      const picked = (found as readonly Json[]).find((each) => each['id'] === id);
      return picked && show(picked);
    }
    case 'list':
      return { items: (found as readonly unknown[]).map(show) };
    default:
      return page(found as Connection, limitOf(given, input.limitDefault), show);
  }
}

const valueAt = (root: Json | null, { at = [] }: Exclude<Answer, { kind: 'none' }>): unknown =>
  at.reduce<unknown>((value, name) => (value as Json | null)?.[name] ?? null, root);

const showBesides = (besides: Plan['besides'], root: Json | null): Json =>
  Object.fromEntries([...besides].map(([shown, each]) => [shown, showField(each, root?.[each.name])]));

type Connection = {
  readonly nodes: readonly Json[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

const limitOf = ({ query: { limit } }: Given, standard: number): number =>
  typeof limit === 'string' ? Number(limit) : standard;

function page({ nodes, pageInfo }: Connection, limit: number, show: (record: unknown) => Json): Json {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  return {
    items: nodes.map(show),
    limit,
    next_cursor: hasNextPage ? endCursor : null,
    previous_cursor: hasPreviousPage && startCursor !== null ? `${BACKWARDS}${startCursor}` : null,
  };
}
