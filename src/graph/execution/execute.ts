import {
  execute as executeByReference,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { createCompiler, type Compiled } from './compiled.ts';
import type { GraphContext } from '../context.ts';
import { conditionVariables } from './compilable-document.ts';

/** A validated operation to run: a query or a mutation. Subscriptions go to graphql-js's `subscribe`. */
export type Request = {
  /** The parsed document. Equal texts must share one object, because the object identifies the operation. */
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly context: GraphContext;
};

/** A compiled operation with its variables. Null: an argument is invalid, nothing has run, and graphql-js must answer. */
export type Runnable = (context: GraphContext) => Promise<ExecutionResult> | null;

export type Executor = {
  /** Returns the compiled operation. Null if there is none yet, or if graphql-js must answer. Runs nothing. */
  findCompiled(request: Omit<Request, 'context'>): Runnable | null;
  /** Returns the answer of a compiled operation. Null, with nothing run, if graphql-js must answer. */
  tryCompiled(request: Request): Promise<ExecutionResult> | null;
  /** Returns the answer, compiled or not. A failed operation is never run again. */
  execute(request: Request): Promise<ExecutionResult>;
};

/** A compiled operation takes about 100 KiB. */
const COMPILED_MAX = 500;

/**
 * Number of operations remembered after their first request. Compiling costs a hundred times more than parsing,
 * so one request is not enough.
 */
const SEEN_MAX = 5_000;

/**
 * Creates an executor. Both modes give the same answers.
 *
 * - `compiled` compiles an operation at its second request and keeps the most recently used ones.
 * - `reference` runs everything on graphql-js.
 */
export function createExecutor(schema: GraphQLSchema, mode: 'compiled' | 'reference'): Executor {
  const findCompiled = mode === 'compiled' ? createCompiledExecutor(schema) : () => null;
  const tryCompiled: Executor['tryCompiled'] = (request) => findCompiled(request)?.(request.context) ?? null;
  return {
    findCompiled,
    tryCompiled,
    async execute(request) {
      const compiled = tryCompiled(request);
      if (compiled) return await compiled;
      return await executeByReference({
        schema,
        document: request.document,
        operationName: request.operationName,
        variableValues: request.variables,
        contextValue: request.context,
      });
    },
  };
}

function createCompiledExecutor(schema: GraphQLSchema): Executor['findCompiled'] {
  const find = createStore(schema);
  return ({ document, operationName, variables }) => {
    const operation = getOperationAST(document, operationName);
    if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return null;
    const coerced = coerce(schema, operation, variables ?? {});
    // Null lets graphql-js report the invalid variables.
    if (!coerced) return null;
    const compiled = find(document, operation, coerced);
    return compiled && ((context) => compiled.run(context, coerced));
  };
}

/** Returns undefined for invalid variables. */
const coerce = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): Variables | undefined =>
  variableDefinitions.length === 0 ? {} : getVariableValues(schema, variableDefinitions, given).coerced;

type Find = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
) => Compiled | null;
type Variables = Readonly<Record<string, unknown>>;

/**
 * Stores the result of each compilation by operation and by @skip and @include values. Failed compilations are
 * stored too.
 */
function createStore(schema: GraphQLSchema): Find {
  const compile = createCompiler(schema);
  const entries = new LRUCache<string, { readonly compiled: Compiled | null }>({ max: COMPILED_MAX });
  const seen = new LRUCache<string, true>({ max: SEEN_MAX });
  const keyOf = createNames();
  return (document, operation, variables) => {
    const key = keyOf(document, operation, variables);
    const found = entries.get(key);
    if (found) return found.compiled;
    if (!seen.has(key)) {
      seen.set(key, true);
      return null;
    }
    const entry = { compiled: compile(document, operation, variables) };
    entries.set(key, entry);
    return entry.compiled;
  };
}

/** Numbers operations without keeping them in memory. */
function createNames(): (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
) => string {
  const known = new WeakMap<
    OperationDefinitionNode,
    { readonly id: number; readonly conditions: readonly string[] }
  >();
  let count = 0;
  return (document, operation, variables) => {
    const entry = known.get(operation) ?? { id: ++count, conditions: conditionVariables(document) };
    known.set(operation, entry);
    return `${entry.id}:${entry.conditions.map((name) => String(variables[name])).join()}`;
  };
}
