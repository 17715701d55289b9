import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from '../support/command.ts';
import { until } from '../support/until.ts';

/** A record of a topic. */
export type StoredRecord = {
  readonly partition: number;
  readonly key: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The mock of a Kafka cluster inside librdkafka, which kcat runs. It speaks Kafka's protocol and keeps records in memory. So it shows
 * the protocol, the order and the handling of errors, and nothing about durability.
 */
export type KafkaMock = {
  /** The address of the first broker. */
  readonly address: string;
  /** Reads a topic from its beginning, each partition in its order. */
  read(topic: string): Promise<readonly StoredRecord[]>;
  /** Stops the brokers as a frozen machine does. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/** Starts the mock with a topic of four partitions. */
export async function startKafkaMock(topic: string): Promise<KafkaMock> {
  const args = ['-C', '-q', '-t', topic, '-b', 'mock:1', '-X', 'test.mock.num.brokers=3', '-d', 'mock'];
  const child = spawn('kcat', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    // The log goes on and on. Its first lines have the address.
    if (log.length < LOG_MAX) log += chunk.toString();
  });
  const isReady = (): boolean => log.includes(`Created topic "${topic}"`);
  await until(isReady, 'the Kafka mock');
  const address = /bootstrap\.servers=([\d.]+:\d+)/.exec(log)?.[1] ?? '';
  return {
    address,
    read: (name) => readTopic(address, name),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    close: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const LOG_MAX = 100_000;

async function readTopic(address: string, topic: string): Promise<readonly StoredRecord[]> {
  const { stdout } = await run('kcat', ['-C', '-q', '-e', '-J', '-b', address, '-t', topic], {}).ended;
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { partition, key, payload, headers = [] } = JSON.parse(line) as Line;
      const pairs = Array.from({ length: headers.length / 2 }, (_, nth) => [
        headers[nth * 2],
        headers[nth * 2 + 1],
      ]);
      return { partition, key, body: payload, headers: Object.fromEntries(pairs) as Record<string, string> };
    });
}

type Line = {
  readonly partition: number;
  readonly key: string;
  readonly payload: string;
  readonly headers?: readonly string[];
};
