/** Everything that can be read or written. Each is a scope with `.read` and one with `.write`. */
const RESOURCES = [
  'merchant-accounts',
  'api-key-pairs',
  'payment-services',
  'payment-service-definitions',
  'anti-fraud-services',
  'anti-fraud-service-definitions',
  'payment-methods',
  'buyers',
  'gift-cards',
  'three-ds-scenarios',
  'transactions',
  'payment-links',
  'events',
  'webhook-subscriptions',
] as const;

const known: ReadonlySet<string> = new Set(
  ['*', ...RESOURCES].flatMap((resource) => [`${resource}.read`, `${resource}.write`]),
);

/** Whether this service has such a scope; `*.read` and `*.write` are scopes too. */
export const isKnownScope = (scope: string): boolean => known.has(scope);

/** Everything there is. */
export const ALL_SCOPES: readonly string[] = ['*.read', '*.write'];
