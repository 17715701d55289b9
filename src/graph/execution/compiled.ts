import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  getArgumentValues,
  GraphQLError,
  GraphQLScalarType,
  GraphQLSchema,
  isEnumType,
  isObjectType,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { GraphContext } from '../context.ts';
import { PASSED_THROUGH, normalForm, type Hoisted } from './compilable-document.ts';

/** A compiled operation, for one set of values in @skip and @include. */
export type Compiled = {
  /**
   * Runs the operation with coerced variables.
   *
   * Returns null and runs nothing if the arguments of a field are invalid. Then graphql-js reports the error.
   */
  run(context: GraphContext, variables: Readonly<Record<string, unknown>>): Promise<ExecutionResult> | null;
};

export type Compile = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => Compiled | null;

/** Creates the compiler of a schema. The compiler returns null for unsupported operations and never throws. */
export function createCompiler(schema: GraphQLSchema): Compile {
  if (namesCollide(schema)) return () => null;
  const compiling = compilingSchema(schema);
  return (document, operation, variables) => {
    try {
      // The arguments are coerced with the types of the served schema.
      const form = normalForm(schema, document, operation, variables);
      const compiled = form && compileQuery(compiling, form.document, undefined, OPTIONS);
      return form && compiled && isCompiledQuery(compiled) ? toCompiled(compiled, form.hoisted) : null;
    } catch {
      // Compilation is only an optimisation. Any operation that does not compile runs on graphql-js.
      return null;
    }
  };
}

/**
 * The compiled code passes strings, numbers and booleans on as they are. Its check of a value makes a path and a location, for each
 * field of each record. Such checks took a third of the memory of a list.
 */
const OPTIONS = { disableLeafSerialization: true } as const;

/** Returns the schema of the compiler. It has the scalar of generated variables, and scalars that answer the names of enum values. */
function compilingSchema(schema: GraphQLSchema): GraphQLSchema {
  const named = mapSchema(schema, {
    [MapperKind.TYPE]: (type) =>
      isEnumType(type)
        ? new GraphQLScalarType({ name: type.name, serialize: (value) => type.serialize(value) })
        : undefined,
  });
  const config = named.toConfig();
  const passedThrough = new GraphQLScalarType({ name: PASSED_THROUGH });
  return new GraphQLSchema({ ...config, types: [...config.types, passedThrough], assumeValid: true });
}

const toCompiled = (compiled: CompiledQuery, hoisted: readonly Hoisted[]): Compiled => ({
  run(context, variables) {
    const passedThrough = coerceArguments(hoisted, variables);
    return passedThrough && answer(compiled, context, passedThrough);
  },
});

async function answer(
  compiled: CompiledQuery,
  context: GraphContext,
  variables: object,
): Promise<ExecutionResult> {
  return onePerPath(await compiled.query(undefined, context, variables));
}

/** Coerces the arguments of every field with graphql-js, so that both executors see the same values. */
function coerceArguments(
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

/** Keeps the first error of each path, as graphql-js does. The compiler adds "cannot return null" errors. */
function onePerPath(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = new Map<string, GraphQLError>();
  for (const error of result.errors) {
    const path = JSON.stringify(error.path);
    if (!errors.has(path)) errors.set(path, asReference(error));
  }
  return { ...result, errors: [...errors.values()] };
}

/** Adds the empty `extensions` that errors of graphql-js have. */
function asReference({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path, originalError });
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}

/** True if two resolvers have the same name for the compiler, which joins the names of type and field. */
function namesCollide(schema: GraphQLSchema): boolean {
  const names = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => type.name + field));
  return new Set(names).size !== names.length;
}
