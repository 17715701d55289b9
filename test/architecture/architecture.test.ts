import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { crowded, LARGE_ROOMS, ROOMS, violations, type Source } from './rules.ts';

const sources: Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('generated/'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));

const text = (path: string, line: string): Source[] => [{ path, text: line }];

describe('the architecture', () => {
  it('lists every room with an order', () => {
    const found = sources
      .map(({ path }) => path)
      .flatMap((path) => {
        const folder = Object.keys(ROOMS).find((each) => path.startsWith(`${each}/`));
        const [room, file] = folder === undefined ? [] : path.slice(folder.length + 1).split('/');
        return file === undefined || room === undefined ? [] : [`${folder}/${room}`];
      });
    const listed = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
      rooms.map((room) => `${folder}/${room}`),
    );
    expect([...new Set(found)].toSorted()).toEqual(listed.toSorted());
  });

  it('has room for each file', () => {
    expect(
      crowded(
        sources.map(({ path }) => path),
        LARGE_ROOMS,
      ),
    ).toEqual([]);
    const full = Array.from({ length: 16 }, (_, nth) => `kernel/${nth}.ts`);
    expect(crowded(full, {})).toEqual(['kernel: 16 files, and at most 15']);
    expect(crowded(full, { kernel: 16, http: 20 })).toEqual(['http: has room again, so it leaves the list']);
  });

  it('has a row in the page of payments for each of its rooms, in their order', () => {
    const page = readFileSync('src/modules/transactions/README.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([\w-]+)` /gm)].map(([, room]) => room);
    expect(rows).toEqual(ROOMS['modules/transactions']);
  });

  it('keeps its own rules', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(violations(sources)).toEqual([]);
  });
});

// Each rule fails once here, so that no rule can pass without looking.
describe('the rules', () => {
  it.each([
    [
      'imports that go up',
      'kernel/a.ts',
      `import { x } from '../platform/b.ts';`,
      'kernel/a.ts: imports up to platform/b.ts',
    ],
    [
      'modules that import the transport',
      'modules/events/a.ts',
      `import { x } from '../../graph/b.ts';`,
      'modules/events/a.ts: imports up to graph/b.ts',
    ],
    [
      'connectors that import the app',
      'connectors/a.ts',
      `import type { App } from '../app.ts';`,
      'connectors/a.ts: imports up to app.ts',
    ],
    [
      'connectors that import more than their door',
      'connectors/acme/payments/a.ts',
      `import { door } from '../../door.ts'; import { own } from '../b.ts'; import { isObject } from '../../../kernel/json.ts';`,
      'connectors/acme/payments/a.ts: reaches past the door of connectors to kernel/json.ts',
    ],
    [
      'connectors that import each other',
      'connectors/acme/a.ts',
      `import { x } from '../stripe/index.ts';`,
      'connectors/acme/a.ts: reaches past the door of connectors to connectors/stripe/index.ts',
    ],
    [
      'a client that needs the service',
      'client/a.ts',
      `import type { Event } from '../kernel/b.ts';`,
      'client/a.ts: the client imports kernel/b.ts',
    ],
    [
      'a client that needs more packages',
      'client/a.ts',
      `import { WebSocket } from 'ws';`,
      'client/a.ts: the client imports ws',
    ],
    [
      'a dashboard that needs the service',
      'dashboard/a.tsx',
      `import type { Money } from '../kernel/money.ts';`,
      'dashboard/a.tsx: the dashboard imports kernel/money.ts',
    ],
    [
      'a dashboard with packages of the service',
      'dashboard/a.tsx',
      `import { parse } from 'graphql';`,
      'dashboard/a.tsx: the dashboard imports graphql',
    ],
    [
      'parts of the dashboard in the service',
      'cli/a.ts',
      `import { x } from '../dashboard/b.tsx';`,
      'cli/a.ts: imports the dashboard',
    ],
    [
      'lower modules that import higher ones',
      'modules/accounts/a.ts',
      `import { x } from '../events/index.ts';`,
      'modules/accounts/a.ts: imports the higher module events',
    ],
    [
      'paths past a module door',
      'graph/a.ts',
      `import { x } from '../modules/events/store.ts';`,
      'graph/a.ts: reaches past the door of events',
    ],
    [
      'rooms that import a room above',
      'modules/transactions/engine/a.ts',
      `import type { X } from '../follow-up/b.ts';`,
      'modules/transactions/engine/a.ts: imports up to the room of modules/transactions/follow-up/b.ts',
    ],
    [
      'graphql outside its floors',
      'modules/events/a.ts',
      `import { parse } from 'graphql';`,
      'modules/events/a.ts: may not import graphql',
    ],
    [
      'the driver outside the platform',
      'modules/events/store.ts',
      `import pg from 'pg';`,
      'modules/events/store.ts: may not import pg',
    ],
    [
      'the web server outside its floor',
      'graph/a.ts',
      `import fastify from 'fastify';`,
      'graph/a.ts: may not import fastify',
    ],
    [
      'the Prisma client outside the platform',
      'modules/events/a.ts',
      `import { Prisma } from '../../platform/generated/prisma/client.ts';`,
      "modules/events/a.ts: may not import Prisma's client",
    ],
    [
      'the environment outside its owner',
      'platform/log.ts',
      `const level = process.env['LOG_LEVEL'];`,
      'platform/log.ts: reads process.env',
    ],
    [
      'SQL outside a store',
      'modules/events/a.ts',
      'const q = `SELECT 1 FROM event`;',
      'modules/events/a.ts: holds SQL',
    ],
    [
      'SQL that is not prepared',
      'modules/events/a.sql.ts',
      'await tx.$queryRaw`SELECT 1`;',
      'modules/events/a.sql.ts: runs SQL that is not prepared',
    ],
    [
      'statements built by hand',
      'modules/events/a.sql.ts',
      "await db.query({\n  name: 'x',\n  text: TEXT,\n  values: [],\n});",
      'modules/events/a.sql.ts: builds a statement by hand',
    ],
    [
      'Prisma outside a store',
      'modules/events/a.ts',
      'app.db.prisma.event.findMany();',
      'modules/events/a.ts: uses Prisma',
    ],
    [
      'findUnique',
      'modules/events/store.ts',
      'db.prisma.event.findUnique({});',
      'modules/events/store.ts: findUnique merges look-ups across tenants',
    ],
    [
      'time from elsewhere',
      'modules/events/a.ts',
      'const now = Date.now();',
      'modules/events/a.ts: takes time or chance from elsewhere than app',
    ],
    [
      'a getter outside a class',
      'graph/a.ts',
      'class A { get id() { return 1; } }\nconst b = { c: { get id() { return 1; } } };',
      'graph/a.ts: a getter outside a class',
    ],
    ['names that say nothing', 'platform/utils.ts', '', 'platform/utils.ts: a name that says nothing'],
  ])('refuse %s', (_, path, line, sentence) => {
    expect(violations(text(path, line))).toEqual([sentence]);
  });

  it('let a class have getters', () => {
    expect(violations(text('graph/a.ts', 'class A { get id() { return 1; } }'))).toEqual([]);
  });

  it('refuse circles of imports, by type too', () => {
    const sources = [
      { path: 'kernel/a.ts', text: `import type { B } from './b.ts';` },
      { path: 'kernel/b.ts', text: `export type { C } from './c.ts';` },
      { path: 'kernel/c.ts', text: `import { a } from './a.ts';` },
      { path: 'kernel/d.ts', text: `import { a } from './a.ts';` },
    ];
    expect(violations(sources)).toEqual([
      'kernel/a.ts, kernel/b.ts, kernel/c.ts: import each other in a circle',
    ]);
  });
});
