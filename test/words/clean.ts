/**
 * Files and folders whose words follow the rules, one a line and sorted.
 *
 * Add a path once `npm run words <path>` prints nothing.
 */
export const CLEAN: readonly string[] = [
  '.github',
  'README.md',
  'schema',
  'src/app.ts',
  'src/cli',
  'src/client',
  'src/connectors',
  'src/docs',
  'src/graph',
  'src/http',
  'src/kernel',
  'src/main.ts',
  'src/modules/accounts',
  'src/modules/event-log',
  'src/modules/events',
  'src/modules/idempotency',
  'src/modules/payment-links',
  'src/modules/payment-methods',
  'src/modules/payment-services',
  'src/modules/three-ds',
  'src/modules/transactions',
  'src/platform',
  'src/provision.ts',
  'test',
];
