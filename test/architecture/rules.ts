import { dirname, join, relative, sep } from 'node:path';
import { builtinModules } from 'node:module';
import ts from 'typescript';
import { circlesOf } from './circles.ts';

/** One import of a source file: `to` is a path below src, or the name of a package. */
export type Import = { readonly from: string; readonly to: string };

/** A source file: path below src, and its text. */
export type Source = { readonly path: string; readonly text: string };

/** Floors from top to bottom. Imports only go down. */
const FLOORS = ['top', 'http', 'graph', 'modules', 'app', 'connectors', 'platform', 'kernel'] as const;

/** Files beside the floors that wire them. */
const TOP: ReadonlySet<string> = new Set(['main.ts', 'open-connectors.ts', 'provision.ts']);

/** Modules by rank. Each may import those after it. */
const RANKS = [
  'exports',
  'reports',
  'payment-links',
  'routing-simulations',
  'routing-figures',
  'transactions',
  'disputes',
  'settlements',
  'three-ds',
  'payment-methods',
  'routing',
  'payment-services',
  'events',
  'people',
  'sessions',
  'accounts',
  'idempotency',
  'audit',
  'event-log',
] as const;

/** The rooms of a module or floor, from top to bottom. A room imports the rooms below it. A file outside of them is a door. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'modules/transactions': [
    'fraud-reports',
    'restored',
    'look-up',
    'sweep',
    'lines',
    'inbound',
    'inbound-match',
    'inbound-end',
    'review',
    'buyer-approval',
    'recovery',
    'update',
    'read',
    'past',
    'create',
    'retry-plans',
    'refund-approval',
    'follow-up',
    'follow-up-claim',
    'authorize',
    'differences',
    'unread',
    'named',
    'elsewhere',
    'engine',
    'take-back',
    'settle',
    'claim',
    'instrument',
    'input',
    'retry-rules',
    'notices',
    'awaiting',
    'redemption',
    'rows',
    'hold',
    'model',
  ],
  'modules/disputes': ['respond'],
  'modules/settlements': ['fetch', 'tell', 'match'],
  'modules/payment-methods': [
    'buyers',
    'reported',
    'stored',
    'gift-cards',
    'guesses',
    'store',
    'input',
    'model',
  ],
  'modules/exports': ['write', 'sources'],
  'modules/routing-simulations': ['run', 'model'],
  'modules/audit': ['chain'],
  'modules/routing': ['rule-sets', 'value-sets', 'input', 'model', 'figures'],
  'modules/payment-services': [
    'services',
    'routing',
    'circuit',
    'connection',
    'anti-fraud',
    'credentials',
    'model',
  ],
  'modules/accounts': ['tokens', 'merchant-accounts', 'api-keys', 'model'],
  'modules/events': ['replay', 'outlets', 'log', 'dispatch', 'delivery', 'endpoints', 'feed', 'partitions'],
  'connectors/adyen': ['webhooks', 'disputes', 'settlements', 'payments'],
  'connectors/braintree': ['books', 'webhooks', 'disputes', 'payments'],
  'connectors/checkout': ['books', 'webhooks', 'disputes', 'payments'],
  'connectors/paypal': ['books', 'webhooks', 'disputes', 'settlements', 'payments'],
  'connectors/stripe': [
    'books',
    'webhooks',
    'disputes',
    'settlements',
    'payments',
    'wire',
    'errors',
    'api',
    'model',
  ],
  graph: ['resolvers', 'execution', 'limits', 'federation'],
  platform: [
    'lists',
    'moves',
    'vault',
    'brokers',
    'feed',
    'connections',
    'database',
    'migrate',
    'postgres',
    'fairness',
    'http',
    'tracing',
    'process',
    'input',
  ],
  http: [
    'websocket',
    'rest',
    'graphql',
    'dashboard',
    'operations',
    'simulator',
    'checkout',
    'returns',
    'docs',
    'graphiql',
    'authentication',
    'operate',
    'pages',
    'limits',
    'answers',
  ],
};

/** The most files of a folder. */
const FILES_MAX = 15;

/** Folders with more files, and their numbers. A number may only fall, and a folder below the bound leaves the list. */
export const LARGE_ROOMS: Readonly<Record<string, number>> = {
  'modules/transactions/model': 17,
  'graph/federation': 17,
  'modules/payment-services/anti-fraud': 17,
};

/** Lists the folders with more files than they may have, and those whose number in the list is not true. */
export function crowded(paths: readonly string[], known: Readonly<Record<string, number>>): string[] {
  const counts = Map.groupBy(paths, dirname);
  const large = [...counts].filter(([, files]) => files.length > FILES_MAX);
  const wrong = large.filter(([folder, files]) => files.length !== known[folder]);
  const gone = Object.keys(known).filter((folder) => !large.some(([each]) => each === folder));
  return [
    ...wrong.map(
      ([folder, files]) => `${folder}: ${files.length} files, and at most ${known[folder] ?? FILES_MAX}`,
    ),
    ...gone.map((folder) => `${folder}: has room again, so it leaves the list`),
  ];
}

/** The owner of each package with a single owner, as a pattern over the path below src. */
const OWNERS: readonly (readonly [packages: RegExp, owner: RegExp])[] = [
  [/^(graphql|@graphql-tools\/.*|@apollo\/.*|graphql-jit|dataloader)$/, /^(graph|http|cli)\//],
  // Its checks of bank accounts also run outside of a schema.
  [/^graphql-scalars$/, /^(graph|http|cli)\/|^modules\/payment-methods\/input\/bank-account-numbers\.ts$/],
  [/^graphql-ws$/, /^(client|http|cli)\//],
  [/^(pg|@prisma\/.*)$/, /^platform\//],
  [/^(@nats-io\/.*|@platformatic\/kafka)$/, /^platform\/brokers\//],
  [/^(fastify|ws)$/, /^(http|cli)\//],
  // Types alone. The package is not installed in production.
  [/^@adyen\/api-library/, /^connectors\/adyen\//],
  [/^@paypal\/paypal-server-sdk/, /^connectors\/paypal\//],
  [/^stripe$/, /^connectors\/stripe\//],
];

/** The parts that connectors have in common. Each other folder of the floor is a connector. */
const CONNECTOR =
  /^connectors\/(?!(?:anti-fraud|buyer|calls|codes|interface|notices|packages|reading|wallets)\/)[^/]+\//;

/** The only file outside of its folder that a connector may import. Packages elsewhere have the same door. */
const CONNECTOR_DOOR = 'connectors/door.ts';

/** The permitted imports of the client, which consumers get without the service. */
const STANDS_ALONE = /^(client\/|node:|graphql-ws$)/;

/** The permitted imports of the dashboard: its own files, the client, and packages for browsers. */
const IN_BROWSERS =
  /^(dashboard\/|client\/|react(-dom\/client)?$|react-aria-components$|@tanstack\/react-virtual$|@simplewebauthn\/browser$|uqr$)/;

/** Names that say nothing about a file. */
const FORBIDDEN_NAMES =
  /(^|\/)(utils?|helpers?|common|misc|shared|base|manager|service|handler|types|v2)\.tsx?$/;

/**
 * The files that build statements from the filters of a list. A condition that accepts null would keep the planner from
 * every index, so these texts differ by their filters. The platform defines statements.
 */
const BUILDS_SQL: ReadonlySet<string> = new Set([
  'modules/events/delivery/deliveries.sql.ts',
  'modules/transactions/read/count.sql.ts',
  'modules/transactions/read/list.sql.ts',
  'platform/database/db.ts',
  'platform/lists/sorted-page.sql.ts',
  'platform/database/statement.ts',
]);

const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[\s\S]{0,200}\b(FROM|SET|VALUES|WHERE|INTO)\b/;

/** Lists every broken rule as a sentence. An empty list means that the code keeps every rule. */
export function violations(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, importsOf(source)]));
  return [
    ...sources.flatMap((source) => [
      ...(imports.get(source.path) ?? []).flatMap(checkImport),
      ...checkText(source),
      ...(FORBIDDEN_NAMES.test(source.path) ? [`${source.path}: a name that says nothing`] : []),
    ]),
    ...circlesAmong(imports),
  ];
}

/** Reports files that import each other in a circle. An import of a type counts as well. */
function circlesAmong(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const targets = new Map([...imports].map(([path, all]) => [path, all.map(({ to }) => to)]));
  return circlesOf(targets).map((circle) => `${circle.join(', ')}: import each other in a circle`);
}

function checkImport({ from, to }: Import): string[] {
  if (from.startsWith('client/')) return STANDS_ALONE.test(to) ? [] : [`${from}: the client imports ${to}`];
  if (from.startsWith('dashboard/'))
    return IN_BROWSERS.test(to) ? [] : [`${from}: the dashboard imports ${to}`];
  const broken: string[] = to.startsWith('dashboard/') ? [`${from}: imports the dashboard`] : [];
  if (isPackage(to)) {
    const owner = OWNERS.find(([packages]) => packages.test(to))?.[1];
    if (owner && !owner.test(from)) broken.push(`${from}: may not import ${to}`);
    return broken;
  }
  if (floorOf(to) < floorOf(from)) broken.push(`${from}: imports up to ${to}`);
  const connector = CONNECTOR.exec(from)?.[0];
  if (connector !== undefined && to !== CONNECTOR_DOOR && !to.startsWith(connector))
    broken.push(`${from}: reaches past the door of connectors to ${to}`);
  const [mine, theirs] = [moduleOf(from), moduleOf(to)];
  if (theirs !== null && mine !== theirs) {
    if (!to.endsWith('/index.ts')) broken.push(`${from}: reaches past the door of ${theirs}`);
    if (mine !== null && rankOf(theirs) <= rankOf(mine))
      broken.push(`${from}: imports the higher module ${theirs}`);
  }
  if (isRoomAbove(from, to)) broken.push(`${from}: imports up to the room of ${to}`);
  if (to.includes('generated/prisma') && !mayHoldSql(from))
    broken.push(`${from}: may not import Prisma's client`);
  return broken;
}

function checkText({ path, text }: Source): string[] {
  const broken: string[] = [];
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  if (/process\.env\b/.test(code) && !/^cli\//.test(path)) broken.push(`${path}: reads process.env`);
  if (!mayHoldSql(path) && SQL.test(code)) broken.push(`${path}: holds SQL`);
  if (!mayHoldSql(path) && /\.prisma\b|\btx\.\$?[a-z]\w*\.(find|create|update|delete|upsert)/.test(code)) {
    broken.push(`${path}: uses Prisma`);
  }
  if (!path.startsWith('platform/') && /\$(query|execute)Raw/.test(code))
    broken.push(`${path}: runs SQL that is not prepared`);
  if (!BUILDS_SQL.has(path) && /^\s*(name|text): [^,;]*,?\n(?:.*\n)*?\s*values(,|:)/m.test(code))
    broken.push(`${path}: builds a statement by hand`);
  if (/\.findUnique(OrThrow)?\(/.test(code))
    broken.push(`${path}: findUnique merges look-ups across tenants`);
  if (path.startsWith('modules/') && /\bnew Date\(\)|\bDate\.now\(\)|\bMath\.random\(/.test(code)) {
    broken.push(`${path}: takes time or chance from elsewhere than app`);
  }
  if (SERVES.test(path) && hasOwnGetter(path, code)) broken.push(`${path}: a getter outside a class`);
  return broken;
}

/** The floors that make objects for each request and each record. */
const SERVES = /^(http|graph|modules)\//;

/**
 * Tells of a getter in an object literal. V8 gives each such object a shape of its own, in old memory. The shape keeps the getter
 * and all that the getter sees until the next full collection.
 */
function hasOwnGetter(path: string, code: string): boolean {
  const isOne = (node: ts.Node): boolean =>
    (ts.isGetAccessor(node) && ts.isObjectLiteralExpression(node.parent)) ||
    ts.forEachChild(node, (child) => isOne(child) || undefined) === true;
  return /\bget \w+\(\)/.test(code) && isOne(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true));
}

/**
 * The places for SQL: the platform, a module's store, the statements beside their callers, and the record of keys.
 */
const mayHoldSql = (path: string): boolean =>
  /^(platform\/|modules\/[^/]+\/store(\.ts$|\/)|modules\/idempotency\/)|\.sql\.ts$/.test(path);

function importsOf({ path, text }: Source): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({
    from: path,
    to: fileName.startsWith('.')
      ? relative('.', join(dirname(path), fileName))
          .split(sep)
          .join('/')
      : fileName,
  }));
}

const isPackage = (to: string): boolean => !/\.(tsx?|json)$/.test(to) || builtinModules.includes(to);

function floorOf(path: string): number {
  const first = path.split('/')[0] ?? '';
  if (TOP.has(path) || ['cli', 'client', 'dashboard'].includes(first)) return 0;
  if (path === 'app.ts') return FLOORS.indexOf('app');
  const floor = (FLOORS as readonly string[]).indexOf(first);
  if (floor < 1) throw new Error(`${path} stands on no floor`);
  return floor;
}

/** True when both files are in rooms of one folder, and the second room is above the first. */
function isRoomAbove(from: string, to: string): boolean {
  for (const [harness, rooms] of Object.entries(ROOMS)) {
    if (!from.startsWith(`${harness}/`) || !to.startsWith(`${harness}/`)) continue;
    const [mine, theirs] = [from, to].map((path) =>
      rooms.indexOf(path.slice(harness.length + 1).split('/')[0] ?? ''),
    );
    return mine !== undefined && theirs !== undefined && mine >= 0 && theirs >= 0 && theirs < mine;
  }
  return false;
}

const moduleOf = (path: string): string | null => /^modules\/([^/]+)\//.exec(path)?.[1] ?? null;

function rankOf(module: string): number {
  const rank = (RANKS as readonly string[]).indexOf(module);
  if (rank < 0) throw new Error(`Module ${module} has no rank`);
  return rank;
}
