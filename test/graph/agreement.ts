import type { ExecutionResult, GraphQLError } from 'graphql';

type Answer = { readonly data: unknown; readonly errors: readonly string[] };

/**
 * Returns the part of a result that two executors must share: the data, and the error of each failed field. A failure
 * may also turn an outer field to null. Below such a null an executor may continue or stop, so one error
 * is enough there.
 */
export function comparable(result: ExecutionResult): Answer {
  const errors = (result.errors ?? []).map(
    (error) => `${placeOf(result.data, error).join('.')} ${describe(result.data, error)}`,
  );
  // A null prototype counts as equal.
  return {
    data: JSON.parse(JSON.stringify(result.data ?? null)) as unknown,
    errors: [...new Set(errors)].sort(),
  };
}

/** Returns the error's path as far as the data reaches. */
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
