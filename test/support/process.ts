import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { mintFromFile } from '../../src/cli/token.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { paygraph, type Ended, type Settings } from './command.ts';
import { ask, headersOf, openSocket, type AskOptions, type TestServer } from './server.ts';

/** A service in a process of its own, started by the command line. */
export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** Removed when the process has ended. */
  readonly dataFolder: string;
  /** A token with every scope, for an hour, signed with the key in the data folder. */
  readonly token: string;
  readonly graphql: TestServer['graphql'];
  /** A graphql-ws client that connects once, with the first operation. Dispose of it. */
  socket(options?: AskOptions): Client;
  /** Everything that it has written so far. */
  output(): string;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<Ended>;
  /** Ends it at once as `kill -9` does. */
  kill(): Promise<Ended>;
  /** Asks it to end as a supervisor does. */
  stop(): Promise<Ended>;
};

/**
 * Starts `paygraph start` on a free port, with a data folder of its own and these settings, and resolves when it is ready.
 * The settings must name a database. It is told to end when this process does, however that happens.
 */
export async function startProcess(settings: Settings): Promise<ServerProcess> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'paygraph-process-'));
  const running = paygraph(['start'], { PORT: '0', PAYGRAPH_DATA_DIR: dataFolder, ...settings });
  endWithUs(running.child);
  const ended = running.ended.then(async (end) => {
    await rm(dataFolder, { recursive: true, force: true });
    return end;
  });
  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    running.child.kill(signal);
    return ended;
  };
  const screen = await running.said('Ctrl-C stops');
  const url = /GraphQL +(\S+)\/graphql/.exec(screen)?.[1] ?? '';
  const refused = await whenReady(url);
  if (refused !== null) {
    await end('SIGKILL');
    throw new Error(`The service is not ready: ${refused}`);
  }
  const token = await mintFromFile(dataFolder, {}, systemClock);
  return {
    url,
    pid: running.child.pid ?? 0,
    dataFolder,
    token,
    graphql: ask(url, token),
    socket: (options) => openSocket(url, headersOf(token, options)),
    output: () => running.stdout() + running.stderr(),
    ended,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** On a busy machine, or beside a database that recovers, a check takes longer at first than it may. */
const READY_TRIES = 30;

/** Null when it is ready, otherwise what it still said at last. */
async function whenReady(url: string): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    const ready = await fetch(`${url}/ready`);
    if (ready.ok) return null;
    if (tries === READY_TRIES) return await ready.text();
    await delay(200);
  }
}

/** A process that waits for the end of this one, then tells the child to end too. It goes when the child does. */
function endWithUs(child: ChildProcess): void {
  const script = 'read -r _ || kill "$1"';
  const watcher = spawn('sh', ['-c', script, 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
}
