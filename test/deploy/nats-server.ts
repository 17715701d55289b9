import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { lastingPort } from '../support/lasting-port.ts';
import { until } from '../support/until.ts';

/** A message of a stream. */
export type StoredMessage = {
  readonly subject: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A real NATS server with JetStream, whose files outlive it. */
export type NatsServer = {
  readonly url: string;
  /** Creates a stream with files. The server must run. */
  createStream(config: Partial<StreamConfig> & { readonly name: string }): Promise<void>;
  /** Publishes a message of somebody else. */
  publish(subject: string, headers: Readonly<Record<string, string>>): Promise<void>;
  /** Reads a whole stream from its beginning. */
  read(stream: string): Promise<readonly StoredMessage[]>;
  /** Kills the server as `kill -9` does. */
  kill(): Promise<void>;
  /** Starts the server again with its files. */
  start(): Promise<void>;
  close(): Promise<void>;
};

export async function startNats(): Promise<NatsServer> {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'paygraph-nats-')), lastingPort()]);
  const url = `nats://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder];
    child = spawn('nats-server', args, { stdio: 'ignore' });
    await until(() => accepts(port), 'the NATS server');
  };
  const kill = async (): Promise<void> => {
    const ended = child && child.exitCode === null ? once(child, 'exit') : null;
    child?.kill('SIGKILL');
    child = null;
    await ended;
  };
  await start();
  return {
    url,
    createStream: async (config) => {
      const connection = await connect({ servers: url });
      const manager = await jetstreamManager(connection);
      await manager.streams.add(config);
      await connection.close();
    },
    publish: async (subject, given) => {
      const connection = await connect({ servers: url });
      const made = headers();
      for (const [name, value] of Object.entries(given)) made.set(name, value);
      await jetstream(connection).publish(subject, '{}', { headers: made });
      await connection.close();
    },
    read: (stream) => readStream(url, stream),
    kill,
    start,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1');
  const greeted = await Promise.race([
    once(socket, 'data').then(
      () => true,
      () => false,
    ),
    once(socket, 'close').then(() => false),
  ]);
  socket.destroy();
  return greeted;
}

async function readStream(url: string, stream: string): Promise<readonly StoredMessage[]> {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(stream);
  const consumer = await jetstream(connection).consumers.get(stream);
  const found: StoredMessage[] = [];
  if (state.messages > 0)
    for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 30_000 }))
      found.push({
        subject: message.subject,
        body: message.string(),
        headers: Object.fromEntries(
          (message.headers?.keys() ?? []).map((name) => [name, message.headers?.get(name) ?? '']),
        ),
      });
  await connection.close();
  return found;
}
