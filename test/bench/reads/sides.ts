import { mintFromFile, sandboxKeyFile } from '../../../src/cli/run/token.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { installApart } from '../../support/install-apart.ts';
import { startProcess } from '../../support/process.ts';
import { startChild } from '../child.ts';
import { openConnection, type Connection } from '../connection.ts';
import type { BenchSettings } from '../database.ts';
import { cpuMsWithConnections } from '../processor-time.ts';
import { READER } from './rows.ts';
import { applicationOf } from './statements.ts';

export const SIDES = ['Paygraph', 'PostGraphile', 'Mercurius', 'node:http'] as const;
export type SideName = (typeof SIDES)[number];

/** Concurrent requests at one server. */
export const PARALLEL = 8;

/** A server to measure. */
export type Side = {
  readonly name: SideName;
  connect(): Promise<Connection>;
  /** Returns the processor time so far of the server and of its connections at Postgres, in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<unknown>;
};

/** Starts a server. All sides read the same database. Paygraph runs without background work. */
export async function startSide(name: SideName, settings: BenchSettings): Promise<Side> {
  const { url, token, pid, application, stop } = await (name === 'Paygraph'
    ? startOurs(settings)
    : startPeer(name, settings));
  return {
    name,
    connect: () => openConnection(url, token),
    cpuMs: () => cpuMsWithConnections(pid, settings.DATABASE_URL, application),
    stop,
  };
}

type Started = {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** The name that Postgres knows the connections by begins with this text. */
  readonly application: string;
  readonly stop: () => Promise<unknown>;
};

async function startOurs(settings: BenchSettings): Promise<Started> {
  const server = await startProcess({ ...settings, PAYGRAPH_ROLES: 'api' });
  const key = sandboxKeyFile(server.dataFolder);
  const token = await mintFromFile(key, { merchantAccount: READER }, systemClock);
  return { url: server.url, token, pid: server.pid, application: 'paygraph', stop: () => server.stop() };
}

const FILES = {
  PostGraphile: 'postgraphile/server.mjs',
  Mercurius: 'reads/mercurius-server.ts',
  'node:http': 'reads/bare-server.ts',
} as const;

const APPLICATIONS = { PostGraphile: 'postgraphile', Mercurius: 'mercurius', 'node:http': 'bare' } as const;

async function startPeer(name: keyof typeof FILES, { DATABASE_URL }: BenchSettings): Promise<Started> {
  if (name === 'PostGraphile') await installApart('test/bench/postgraphile');
  // Grafast would otherwise ask on the screen for this word.
  const child = startChild(FILES[name], { GRAPHILE_ENV: 'production' });
  const url = await child.ask<string>('open', DATABASE_URL);
  return {
    url,
    token: 'none',
    pid: child.pid,
    application: applicationOf(APPLICATIONS[name]),
    stop: () => child.end(),
  };
}
