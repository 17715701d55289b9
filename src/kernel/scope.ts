/**
 * Whether a granted scope gives a wanted one: the same text, or `*.read` and `*.write` for every resource.
 * Writing does not give reading.
 */
export const covers = (granted: string, wanted: string): boolean =>
  granted === wanted || (granted.startsWith('*.') && wanted.endsWith(granted.slice(1)));

/** Whether a set of granted scopes gives a wanted one, which may itself be a wildcard. */
export const coversAny = (granted: readonly string[], wanted: string): boolean =>
  granted.some((scope) => covers(scope, wanted));

/** What is both asked for and granted, a wildcard on either side included; each scope once. */
export const narrowScopes = (asked: readonly string[], granted: readonly string[]): readonly string[] => [
  ...new Set([
    ...asked.filter((scope) => coversAny(granted, scope)),
    ...granted.filter((scope) => coversAny(asked, scope)),
  ]),
];
