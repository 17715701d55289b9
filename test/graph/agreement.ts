import type { ExecutionResult, GraphQLError } from 'graphql';

type Answer = { readonly data: unknown; readonly errors: readonly string[] };

/**
 * What two executors must have in common: the data, and the error of every null that is no more than the failed field
 * itself. Below a null that a failure moved up to, an executor may run on or stop, so there only one error is wanted.
 */
export function comparable(result: ExecutionResult): Answer {
  const errors = (result.errors ?? []).map(
    (error) => `${placeOf(result.data, error).join('.')} ${describe(result.data, error)}`,
  );
  // A null prototype is no difference.
  return {
    data: JSON.parse(JSON.stringify(result.data ?? null)) as unknown,
    errors: [...new Set(errors)].sort(),
  };
}

/** The error's path as far as the data has it. */
function placeOf(data: unknown, { path = [] }: GraphQLError): readonly (string | number)[] {
  let value = data;
  const end = path.findIndex((key) => {
    if (value === null || value === undefined) return true;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
    return false;
  });
  return end === -1 ? path : path.slice(0, end);
}

function describe(data: unknown, error: GraphQLError): string {
  if (placeOf(data, error).length < (error.path?.length ?? 0)) return 'failed inside';
  return JSON.stringify({ message: error.message, locations: error.locations, extensions: error.extensions });
}
