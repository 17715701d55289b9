import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { jetstream } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { compatibilityPartitioner, Producer, stringSerializers } from '@platformatic/kafka';
import { HEADERS } from '../../../src/platform/brokers/broker.ts';
import { startKafkaMock } from '../../deploy/kafka-mock.ts';
import { startNats } from '../../deploy/nats-server.ts';
import { nowMs } from '../child.ts';

/** A message of the bare client. It has the key, the headers and the bytes of an event. */
export type BareMessage = {
  readonly account: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A broker to measure. */
export type Target = {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Publishes messages with a bare client, and resolves when all are acknowledged. */
  publish(messages: readonly BareMessage[]): Promise<void>;
  /** Watches what a consumer gets. Returns the arrivals by the id of the event, in milliseconds since 1970. */
  watch(): Promise<{ readonly arrivals: ReadonlyMap<string, number>; close(): Promise<void> }>;
  close(): Promise<void>;
};

/** Messages under way at once, as many as a batch of an outlet has at most. */
const BATCH = 2_000;

/** Starts a real NATS server. Its streams are in files. */
export async function startNatsTarget(): Promise<Target> {
  const server = await startNats();
  await server.createStream({ name: 'paygraph', subjects: ['paygraph.>'] });
  await server.createStream({ name: 'bare', subjects: ['bare.>'] });
  const connection = await connect({ servers: server.url });
  const client = jetstream(connection);
  const publishOne = async ({ account, body, headers: given }: BareMessage): Promise<void> => {
    const made = headers();
    for (const [name, value] of Object.entries(given)) made.set(name, value);
    const msgID = given[HEADERS.id] ?? '';
    await client.publish(`bare.${account}.transaction.captured`, body, { msgID, headers: made });
  };
  return {
    name: 'a NATS server',
    settings: { PAYGRAPH_OUTLET_NATS_URL: server.url },
    publish: async (messages) => {
      for (const batch of batchesOf(messages, BATCH)) await Promise.all(batch.map(publishOne));
    },
    watch: async () => {
      const arrivals = new Map<string, number>();
      const consumer = await connect({ servers: server.url });
      consumer.subscribe('paygraph.>', {
        callback: (_, message) => void arrivals.set(message.headers?.get(HEADERS.id) ?? '', nowMs()),
      });
      await consumer.flush();
      return { arrivals, close: () => consumer.close() };
    },
    close: async () => {
      await connection.close();
      await server.close();
    },
  };
}

/** A request of Kafka's client holds at most so many messages of an outlet. */
const KAFKA_BATCH = 450;

/** Starts the mock of Kafka in librdkafka. It keeps records in memory. */
export async function startKafkaTarget(): Promise<Target> {
  const mock = await startKafkaMock(TOPIC);
  const producer = new Producer<string, string, string, string>({
    clientId: 'bare',
    bootstrapBrokers: [mock.address],
    serializers: stringSerializers,
    partitioner: compatibilityPartitioner,
    idempotent: true,
    producerId: -1n,
    producerEpoch: -1,
  });
  return {
    name: 'a mock of Kafka',
    settings: { PAYGRAPH_OUTLET_KAFKA_BROKERS: mock.address },
    publish: async (messages) => {
      for (const batch of batchesOf(messages, KAFKA_BATCH))
        await producer.send({
          messages: batch.map((each) => ({
            ...{ topic: TOPIC, key: each.account, value: each.body, headers: { ...each.headers } },
          })),
        });
    },
    watch: () => watchTopic(mock.address),
    close: async () => {
      await producer.close(true);
      await mock.close();
    },
  };
}

const TOPIC = 'paygraph.events';

/** Consumes a topic from its end with kcat, which prints the headers of each record at once. */
async function watchTopic(address: string): ReturnType<Target['watch']> {
  const arrivals = new Map<string, number>();
  const words = ['-C', '-u', '-q', '-o', 'end', '-b', address, '-t', TOPIC, '-f', '%h\\n'];
  const child = spawn('kcat', [...words, '-X', 'fetch.wait.max.ms=5'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = new RegExp(`${HEADERS.id}=([0-9a-f-]{36})`).exec(line)?.[1];
    if (id !== undefined) arrivals.set(id, nowMs());
  });
  return {
    arrivals,
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  );
