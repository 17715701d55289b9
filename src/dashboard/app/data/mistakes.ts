import { RefusedError } from '../../../client/operations/errors.ts';

/** Returns the sentence of the API about one value of a refused form. The path is that below `input`. Null without one. */
export function mistakeAt(error: unknown, path: string): string | null {
  if (!(error instanceof RefusedError)) return null;
  const of = error.refusals.find((each) => each.path.join('.') === `input.${path}`);
  return of?.message ?? null;
}

/** Returns the first sentence of the API about a value of a refused form, or about its parts. Null without one. */
export function mistakeBelow(error: unknown, path: string): string | null {
  if (!(error instanceof RefusedError)) return null;
  const of = error.refusals.find((each) => `${each.path.join('.')}.`.startsWith(`input.${path}.`));
  return of?.message ?? null;
}
