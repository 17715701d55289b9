import {
  astFromValue,
  getNamedType,
  isObjectType,
  Kind,
  OperationTypeNode,
  parse,
  print,
  validate,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLField,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ScopeGroups } from '../../graph/federation/scopes.ts';
import type { Graph } from '../../graph/schema.ts';
import { coversAny } from '../../kernel/scope.ts';
import { REFUSAL_FIELDS } from './refusal-fields.ts';
import { createInputPlan, type InputPlan } from './input/input-plan.ts';
import type { Answer, Preferred, Route } from './route.ts';
import { fieldOf, printSelection, readable, selectionOf, type Selected } from './selection.ts';

/** A route with everything that follows from the schema. */
export type Plan = {
  readonly route: Route;
  readonly kind: 'query' | 'mutation';
  readonly input: InputPlan;
  /** The description of the field in the schema. */
  readonly description: string | null;
  /** The scopes that the path requires: every scope of one group. */
  readonly scopes: ScopeGroups;
  /** The scopes that the answer of a change shows with the right to the change alone. */
  readonly ownScopes: readonly string[];
  /** The selected fields of the record. Empty without an answer. */
  readonly selected: readonly Selected[];
  /** The selected fields of the payload beside the record, by their names in the answer. */
  readonly besides: ReadonlyMap<string, Selected>;
  /** The resource that a request can prefer, and the same route with its answer. */
  readonly preferred: { readonly resource: string; readonly plan: Plan } | null;
  /** Returns the operation for a caller with these scopes, and the fields that the caller gets. */
  operationFor(scopes: readonly string[]): PlannedOperation;
};

export type PlannedOperation = {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly selected: readonly Selected[];
};

/** Plans a route. Throws when the route and the schema do not fit together. */
export function planRoute(graph: Pick<Graph, 'schema' | 'scopes'>, route: Route): Plan {
  const way = wayOf(graph, route);
  const { kind, root, steps } = way;
  const { answer } = route;
  const selected = answer.kind === 'none' ? [] : selectionOf(graph, answer.record);
  const besides = besidesOf(graph, way, answer);
  const scopes = graph.scopes.get(route.field)?.always[0] ?? [];
  const ownScopes = kind === 'mutation' ? ownScopesOf(graph, way) : [];
  const input = createInputPlan(route, steps);
  const operations = new Map<string, PlannedOperation>();
  const known = new LRUCache<string, PlannedOperation>({ max: SCOPE_LISTS_MAX });
  const plan = (granted: readonly string[]): PlannedOperation => {
    const isGranted = (groups: ScopeGroups) =>
      groups.length === 0 || groups.some((group) => group.every((scope) => coversAny(granted, scope)));
    const fields = readable(selected, isGranted);
    const text = `${kind} ${nameOf(root.name)}${variablesOf(input)} { ${selectSteps(way, answer, [fields, [...besides.values()]])} }`;
    // Scopes that read the same fields share a document, because the executor knows an operation by its document.
    const operation = operations.get(text) ?? parsed(graph, text, fields);
    operations.set(text, operation);
    return operation;
  };
  return {
    ...{ route, kind, input, scopes, ownScopes, selected, besides },
    preferred: route.preferred
      ? { resource: route.preferred.resource, plan: planRoute(graph, answeringAs(route, route.preferred)) }
      : null,
    description: root.description ?? null,
    operationFor(granted) {
      const key = granted.join(' ');
      const operation = known.get(key) ?? plan(granted);
      known.set(key, operation);
      return operation;
    },
  };
}

const answeringAs = ({ preferred: _, ...route }: Route, { answer }: Preferred): Route => ({
  ...route,
  answer,
});

/** A caller sends the same scopes again and again. */
const SCOPE_LISTS_MAX = 100;

type Field = GraphQLField<unknown, unknown>;

type Way = {
  readonly kind: 'query' | 'mutation';
  readonly root: Field;
  /** The fields from the one that starts the operation to the record, connection or list. */
  readonly steps: readonly Field[];
};

function wayOf({ schema }: Pick<Graph, 'schema'>, { field, answer }: Route): Way {
  const [typeName, name = ''] = field.split('.');
  const kind = typeName === 'Query' ? 'query' : 'mutation';
  const type = schema.getRootType(kind === 'query' ? OperationTypeNode.QUERY : OperationTypeNode.MUTATION);
  if (!type) throw new Error(`The schema has no ${kind}.`);
  const root = fieldOf(type, name);
  const steps = [root];
  const at = 'at' in answer ? (answer.at ?? []) : [];
  for (const step of at) {
    const owner = getNamedType(steps.at(-1)?.type ?? root.type);
    if (!isObjectType(owner)) throw new Error(`${field} has nothing at ${at.join('.')}.`);
    steps.push(fieldOf(owner, step));
  }
  return { kind, root, steps };
}

/** The scopes of the fields of a payload that lead to the record. */
const ownScopesOf = ({ scopes }: Pick<Graph, 'scopes'>, { steps }: Way): readonly string[] =>
  steps.slice(1).flatMap((step, index) => {
    const owner = getNamedType(steps[index]?.type);
    return (scopes.get(`${owner?.name}.${step.name}`)?.always ?? []).flatMap((groups) => groups[0] ?? []);
  });

function besidesOf(
  graph: Pick<Graph, 'schema' | 'scopes'>,
  { root }: Way,
  answer: Answer,
): ReadonlyMap<string, Selected> {
  const on = getNamedType(root.type).name;
  const besides = answer.kind === 'record' ? Object.entries(answer.beside ?? {}) : [];
  return new Map(
    besides.flatMap(([shown, fields]) => selectionOf(graph, { on, fields }).map((each) => [shown, each])),
  );
}

function selectSteps(
  { kind, steps }: Way,
  answer: Answer,
  [selected, besides]: readonly [record: readonly Selected[], besides: readonly Selected[]],
): string {
  const fields = printSelection(selected);
  const last = answer.kind === 'page' ? `{ nodes { ${fields} } ${PAGE_INFO} }` : `{ ${fields} }`;
  const inner = steps
    .slice(1)
    .toReversed()
    .reduce((below, step) => `{ ${call(step)} ${below} }`, answer.kind === 'none' ? '' : last);
  const [root] = steps;
  if (!root) throw new Error('A route starts no operation.');
  if (kind === 'query') return `${call(root)} ${inner}`;
  const payload = getNamedType(root.type);
  const names = isObjectType(payload) ? Object.keys(payload.getFields()) : [];
  const replayed = names.includes('replayed') ? 'replayed' : '';
  return `${call(root)} { ${inner.replace(/^\{|\}$/g, '')} ${printSelection(besides)} ${replayed} userErrors { ${REFUSAL_FIELDS} } }`;
}

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const call = ({ name, args }: Field): string =>
  args.length === 0 ? name : `${name}(${args.map((each) => `${each.name}: $${each.name}`).join(', ')})`;

const variablesOf = ({ variables }: InputPlan): string =>
  variables.length === 0 ? '' : `(${variables.map(declare).join(', ')})`;

function declare({ name, type, defaultValue }: GraphQLArgument): string {
  const ast = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return `$${name}: ${String(type)}${ast ? ` = ${print(ast)}` : ''}`;
}

const nameOf = (field: string): string => `Rest${field[0]?.toUpperCase() ?? ''}${field.slice(1)}`;

function parsed(
  { schema }: Pick<Graph, 'schema'>,
  text: string,
  selected: readonly Selected[],
): PlannedOperation {
  const document = parse(text);
  const [error] = validate(schema, document);
  const [operation] = document.definitions;
  if (error || operation?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`A route does not fit the schema: ${error?.message ?? 'no operation'} ${text}`);
  return { document, operation, selected };
}
