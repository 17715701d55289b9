import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { mintFromFile, sandboxKeyFile } from '../../src/cli/run/token.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { settingsOf } from './behind-pooler.ts';
import { paygraphOf, type Ended, type Settings } from './command.ts';
import { ask, headersOf, openSocket, type AskOptions, type TestServer } from './server.ts';
import { until } from './until.ts';

/** A service in a separate process, started by the command line. */
export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** The process removes the folder when it ends. */
  readonly dataFolder: string;
  /** A token with every scope, valid for an hour and signed with the key in the data folder. */
  readonly token: string;
  readonly graphql: TestServer['graphql'];
  /** Opens a graphql-ws client that connects once, with the first operation. The caller disposes of the client. */
  socket(options?: AskOptions): Client;
  /** Returns the complete output so far. */
  output(): string;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<Ended>;
  /** Kills the process as `kill -9` does. */
  kill(): Promise<Ended>;
  /** Ends the process as a supervisor does. */
  stop(): Promise<Ended>;
};

/** A process that only does background work. */
export type WorkerProcess = Pick<
  ServerProcess,
  'url' | 'pid' | 'dataFolder' | 'output' | 'ended' | 'kill' | 'stop'
>;

/**
 * Starts `paygraph start` on a free port with a new data folder and these settings. Resolves when the service is
 * ready. The settings must name a database. The service also ends when this process ends, for any reason. By default it is this
 * version of Paygraph, otherwise the one in the folder.
 */
export async function startProcess(settings: Settings, folder = '.'): Promise<ServerProcess> {
  const started = await startOne(settings, /GraphQL +(\S+)\/graphql/, folder);
  const token = await mintFromFile(sandboxKeyFile(started.dataFolder), {}, systemClock);
  return {
    ...started,
    token,
    graphql: ask(started.url, token),
    socket: (options) => openSocket(started.url, headersOf(token, options)),
  };
}

/** Starts a process with the role `worker` alone, as `startProcess` does. */
export const startWorkerProcess = (settings: Settings): Promise<WorkerProcess> =>
  startOne({ ...settings, PAYGRAPH_ROLES: 'worker' }, /Probes +(\S+)\/health/);

/** Starts a process, and finds its address by the pattern. */
async function startOne(settings: Settings, address: RegExp, folder = '.') {
  const dataFolder = await mkdtemp(join(tmpdir(), 'paygraph-process-'));
  // Work of a test may wait for seconds on a busy machine.
  const defaults = { PORT: '0', PAYGRAPH_DATA_DIR: dataFolder, PAYGRAPH_LATE_WORK_MS: 'off' };
  const { DATABASE_URL } = settings;
  const database =
    DATABASE_URL === undefined || 'DATABASE_READ_URL' in settings ? {} : settingsOf(DATABASE_URL);
  const running = paygraphOf(folder, ['start'], { ...defaults, ...settings, ...database });
  endWithUs(running.child);
  const ended = running.ended.then(async (end) => {
    await rm(dataFolder, { recursive: true, force: true });
    return end;
  });
  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    running.child.kill(signal);
    return ended;
  };
  let url = '';
  await until(() => {
    url = address.exec(running.stdout())?.[1] ?? '';
    if (running.child.exitCode !== null) throw new Error(`It ended first: ${running.stderr()}`);
    return url !== '';
  }, 'the address of the process');
  const refused = await whenReady(url);
  if (refused !== null) {
    await end('SIGKILL');
    throw new Error(`The service is not ready: ${refused}`);
  }
  return {
    ...{ url, dataFolder, ended },
    pid: running.child.pid ?? 0,
    output: () => running.stdout() + running.stderr(),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** The first checks may exceed their limit on a busy machine or while the database recovers. */
const READY_TRIES = 30;

/** Returns null when the service is ready, otherwise its last complaint. */
async function whenReady(url: string): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    const ready = await fetch(`${url}/ready`);
    if (ready.ok) return null;
    if (tries === READY_TRIES) return await ready.text();
    await delay(200);
  }
}

/**
 * Starts a process that waits for the end of this process, then ends the child. The watcher also ends with the child.
 */
function endWithUs(child: ChildProcess): void {
  const script = 'read -r _ || kill "$1"';
  const watcher = spawn('sh', ['-c', script, 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
}
