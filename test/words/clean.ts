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
  'src/docs',
  'src/graph/context.ts',
  'src/graph/federation',
  'src/graph/graph.ts',
  'src/graph/limits',
  'src/graph/loaders.ts',
  'src/graph/scalars.ts',
  'src/graph/schema.ts',
  'src/http/docs',
  'src/kernel',
  'src/main.ts',
  'src/modules/accounts',
  'src/modules/event-log',
  'src/modules/events',
  'src/modules/idempotency',
  'src/modules/transactions/create',
  'src/modules/transactions/inbound',
  'src/modules/transactions/input',
  'src/modules/transactions/instrument',
  'src/modules/transactions/read',
  'src/modules/transactions/recovery',
  'src/modules/transactions/review',
  'src/provision.ts',
  'test/docs',
  'test/words',
];
