import { coversAny } from '../../../kernel/scope.ts';

/** The resources. Each has a scope with `.read` and a scope with `.write`. */
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
  'routing-rules',
  'transactions',
  'refund-approvals',
  'payment-links',
  'disputes',
  'settlements',
  'events',
  'webhook-subscriptions',
  'exports',
  'dashboard-people',
] as const;

const known: ReadonlySet<string> = new Set([
  ...['*', ...RESOURCES].flatMap((resource) => [`${resource}.read`, `${resource}.write`]),
  // Nobody writes the audit log.
  'audit.read',
  // Equal fingerprints tell that two card numbers are equal, so whoever presents numbers could compare them.
  'card-fingerprints.read',
  // A person who drafts rules need not be allowed to make them decide.
  'routing-activations.write',
]);

/** Returns true if the service has the scope. `*.read` and `*.write` are scopes too. */
export const isKnownScope = (scope: string): boolean => known.has(scope);

/** The scopes that include all others. */
export const ALL_SCOPES: readonly string[] = ['*.read', '*.write'];

/** Returns the scopes with each wildcard replaced by the scopes that the wildcard includes. */
export const withoutWildcards = (scopes: readonly string[]): readonly string[] => [
  ...new Set([
    ...scopes.filter((scope) => !isWildcard(scope)),
    ...[...known].filter((scope) => !isWildcard(scope) && coversAny(scopes, scope)),
  ]),
];

const isWildcard = (scope: string): boolean => scope.startsWith('*.');
