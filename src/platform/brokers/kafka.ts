import { readFile } from 'node:fs/promises';
import type { Producer, ProducerOptions, SASLMechanismValue } from '@platformatic/kafka';
import type { Config } from '../process/config.ts';
import type { Broker, BrokerMessage } from './broker.ts';
import { reopening } from './connection.ts';
import { loadClient } from './load-client.ts';

/** The settings with brokers. */
export type KafkaConfig = Config & { readonly PAYGRAPH_OUTLET_KAFKA_BROKERS: readonly string[] };

type TextProducer = Producer<string, string, string, string>;

/** The longest waits for a connection and for an answer. */
const CONNECT_MS = 3_000;
const ANSWER_MS = 5_000;

/** The client repeats a request so often. A repeated request has the same numbers, so the broker stores it once. */
const RETRIES = 2;
const RETRY_AFTER_MS = 200;

/** The bytes of one request. By default a broker takes a megabyte for each partition, and all messages may be of one. */
const BYTES_MAX = 700_000;

/** The bytes of a message beside its body: key, headers and lengths. */
const ENVELOPE_BYTES = 500;

/**
 * Creates the broker of a topic of Kafka. The key of an event is its merchant account, so the account's events have one partition.
 * The producer is idempotent, and every replica in sync acknowledges.
 */
export function createKafkaBroker(config: KafkaConfig): Broker {
  const topic = config.PAYGRAPH_OUTLET_KAFKA_TOPIC;
  const opened = reopening(
    () => open(config),
    (producer) => producer.close(true),
  );
  return {
    name: `kafka:${topic}`,
    publish: async (messages) => {
      let count = 0;
      try {
        for (const part of partsOf(messages)) {
          const producer = await opened.get();
          await producer.send({ messages: part.map((message) => recordOf(topic, message)) });
          count += part.length;
        }
        return { count, failure: null };
      } catch (failure) {
        // A new producer begins with new numbers, and asks for the leaders again.
        await opened.drop();
        return { count, failure };
      }
    },
    last: async () => null,
    check: async () => {
      try {
        await (await opened.get()).metadata({ topics: [topic], forceUpdate: true });
      } catch (error) {
        await opened.drop();
        throw error;
      }
    },
    close: () => opened.drop(),
  };
}

/** Splits messages into requests, in their order. */
export function partsOf(messages: readonly BrokerMessage[]): readonly (readonly BrokerMessage[])[] {
  const parts: BrokerMessage[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = Buffer.byteLength(message.body) + ENVELOPE_BYTES;
    const part = bytes + size > BYTES_MAX ? undefined : parts.at(-1);
    bytes = part ? bytes + size : size;
    if (part) part.push(message);
    else parts.push([message]);
  }
  return parts;
}

const recordOf = (topic: string, { merchantAccountId, body, headers }: BrokerMessage) => ({
  topic,
  key: merchantAccountId,
  value: body,
  headers: { ...headers },
});

async function open(config: KafkaConfig): Promise<TextProducer> {
  const { Producer, stringSerializers, compatibilityPartitioner } = await loadClient(
    'kafka',
    () => import('@platformatic/kafka'),
  );
  return new Producer({
    clientId: 'paygraph',
    bootstrapBrokers: [...config.PAYGRAPH_OUTLET_KAFKA_BROKERS],
    serializers: stringSerializers,
    // The partitioner of the other clients, so that every producer of a key has the same partition.
    partitioner: compatibilityPartitioner,
    idempotent: true,
    // The protocol's values for a new producer.
    producerId: -1n,
    producerEpoch: -1,
    connectTimeout: CONNECT_MS,
    timeout: ANSWER_MS,
    requestTimeout: ANSWER_MS + CONNECT_MS,
    retries: RETRIES,
    retryDelay: RETRY_AFTER_MS,
    ...(await securityOf(config)),
  });
}

async function securityOf(
  config: KafkaConfig,
): Promise<Pick<ProducerOptions<string, string, string, string>, 'tls' | 'sasl' | 'tlsServerName'>> {
  const {
    PAYGRAPH_OUTLET_KAFKA_TLS: usesTls,
    PAYGRAPH_OUTLET_KAFKA_MECHANISM: mechanism,
    PAYGRAPH_OUTLET_KAFKA_USER: username,
    PAYGRAPH_OUTLET_KAFKA_PASSWORD: password,
    PAYGRAPH_OUTLET_CA_FILE: caFile,
    PAYGRAPH_OUTLET_CERT_FILE: certFile,
    PAYGRAPH_OUTLET_KEY_FILE: keyFile,
  } = config;
  const tls = {
    ...(caFile !== undefined && { ca: await readFile(caFile) }),
    ...(certFile !== undefined && { cert: await readFile(certFile) }),
    ...(keyFile !== undefined && { key: await readFile(keyFile) }),
  };
  const name = mechanism.toUpperCase() as SASLMechanismValue;
  return {
    ...(usesTls && { tls, tlsServerName: true }),
    ...(username !== undefined &&
      password !== undefined && { sasl: { mechanism: name, username, password } }),
  };
}
