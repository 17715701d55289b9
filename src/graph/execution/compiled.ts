import {
  getArgumentValues,
  GraphQLError,
  GraphQLScalarType,
  GraphQLSchema,
  isObjectType,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { GraphContext } from '../context.ts';
import { HANDED_ON, normalForm, type Hoisted } from './compilable-document.ts';

/** An operation as a program, for one set of values of the variables in its @skip and @include. */
export type Compiled = {
  /**
   * Runs it with coerced variables. Null, with nothing run, when they give a field arguments that it refuses:
   * graphql-js then says so in its words.
   */
  run(context: GraphContext, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult> | null;
};

export type Compile = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => Compiled | null;

/** Makes the compiler of a schema. It answers null for what it does not compile, and never throws. */
export function createCompiler(schema: GraphQLSchema): Compile {
  if (namesCollide(schema)) return () => null;
  const handedOn = new GraphQLScalarType({ name: HANDED_ON });
  const config = schema.toConfig();
  const extended = new GraphQLSchema({ ...config, types: [...config.types, handedOn], assumeValid: true });
  return (document, operation, variables) => {
    try {
      const form = normalForm(extended, document, operation, variables);
      const compiled = form && compileQuery(extended, form.document);
      return form && compiled && isCompiledQuery(compiled) ? toCompiled(compiled, form.hoisted) : null;
    } catch {
      // Compiling is an optimisation: whatever it cannot take, graphql-js answers.
      return null;
    }
  };
}

const toCompiled = (compiled: CompiledQuery, hoisted: readonly Hoisted[]): Compiled => ({
  run(context, variables) {
    const handedOn = handOver(hoisted, variables);
    return handedOn && answer(compiled, context, handedOn);
  },
});

async function answer(
  compiled: CompiledQuery,
  context: GraphContext,
  variables: object,
): Promise<ExecutionResult> {
  return onePerPath(await compiled.query(undefined, context, variables));
}

/** The arguments of every field, coerced by graphql-js itself, so that both executors mean the same. */
function handOver(
  hoisted: readonly Hoisted[],
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const values: Record<string, unknown> = {};
  try {
    for (const { prefix, field, node } of hoisted) {
      for (const [name, value] of Object.entries(getArgumentValues(field, node, variables))) {
        values[`${prefix}_${name}`] = value;
      }
    }
    return values;
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

/** The compiler adds "cannot return null" to the error that made a field null; graphql-js has one error for a path. */
function onePerPath(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = new Map<string, GraphQLError>();
  for (const error of result.errors) {
    const path = JSON.stringify(error.path);
    if (!errors.has(path)) errors.set(path, asReference(error));
  }
  return { ...result, errors: [...errors.values()] };
}

/** The compiler's own errors lack `extensions` where graphql-js has an empty object. */
function asReference({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}

/** The compiler finds a resolver by the type's and the field's name run together. */
function namesCollide(schema: GraphQLSchema): boolean {
  const names = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => type.name + field));
  return new Set(names).size !== names.length;
}
