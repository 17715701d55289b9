/**
 * Returns true if a granted scope includes a wanted scope. `*.read` and `*.write` include every resource. Writing does
 * not include reading.
 */
export const covers = (granted: string, wanted: string): boolean =>
  granted === wanted || (granted.startsWith('*.') && wanted.endsWith(granted.slice(1)));

/** Returns true if a set of granted scopes includes a wanted scope. The wanted scope may be a wildcard. */
export const coversAny = (granted: readonly string[], wanted: string): boolean =>
  granted.some((scope) => covers(scope, wanted));

/** Returns the scopes that are both requested and granted, each once. Either side may hold wildcards. */
export const narrowScopes = (requested: readonly string[], granted: readonly string[]): readonly string[] => [
  ...new Set([
    ...requested.filter((scope) => coversAny(granted, scope)),
    ...granted.filter((scope) => coversAny(requested, scope)),
  ]),
];
