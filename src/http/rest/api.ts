import type { Graph } from '../../graph/schema.ts';
import { createReword, type Reword } from './names.ts';
import { planRoute, type Plan } from './plan.ts';
import { ROUTES } from './table.ts';

/** The REST API over a graph: its planned routes, and the words of its messages. */
export type Rest = { readonly plans: readonly Plan[]; readonly reword: Reword };

/** Plans all routes. Throws when the table and the schema do not fit together. */
export function createRest(graph: Pick<Graph, 'schema' | 'scopes'>): Rest {
  const known = made.get(graph);
  if (known) return known;
  const operations = new Map(
    ROUTES.toReversed().flatMap(({ field, method, path }) => {
      const name = field.split('.')[1] ?? '';
      // A name without capitals, such as transaction, is a word of ordinary sentences too.
      return /[A-Z]/.test(name) ? [[name, `${method} ${path}`] as const] : [];
    }),
  );
  const rest = {
    plans: ROUTES.map((route) => planRoute(graph, route)),
    reword: createReword(graph.schema, operations),
  };
  made.set(graph, rest);
  return rest;
}

/** Servers of one process share the plans of their graph. */
const made = new WeakMap<object, Rest>();
