import { z } from 'zod';

const nonEmpty = z.string().min(1);
const items = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** Addresses without a user, because logs and error messages name them. */
const NATS_ADDRESS = /^(nats|tls):\/\/[^\s/@:]+(:\d{1,5})?\/?$/;
const BROKER_ADDRESS = /^[^\s/@:]+:\d{1,5}$/;

const addresses = (pattern: RegExp, sentence: string) =>
  z
    .string()
    .transform(items)
    .refine((all) => all.length > 0 && all.every((one) => pattern.test(one)), sentence);

/** The settings of the outlets: the brokers that the event feed is published to. */
export const outletSettings = {
  /** Addresses of NATS servers (comma-separated) whose JetStream gets every event. tls:// requires TLS. */
  PAYGRAPH_OUTLET_NATS_URL: addresses(
    NATS_ADDRESS,
    'must be addresses such as nats://host:4222 or tls://host:4222, with a comma between, and without a user',
  ).optional(),
  /** Stream that gets the events. It belongs to Paygraph alone. */
  PAYGRAPH_OUTLET_NATS_STREAM: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the name of a stream, with letters, digits, _ and -')
    .default('paygraph'),
  /** First part of the subjects. The merchant account and the name of the event follow. */
  PAYGRAPH_OUTLET_NATS_SUBJECT: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'must be a subject such as paygraph or payments.eu')
    .default('paygraph'),
  /** User at NATS. Needs PAYGRAPH_OUTLET_NATS_PASSWORD. */
  PAYGRAPH_OUTLET_NATS_USER: nonEmpty.optional(),
  PAYGRAPH_OUTLET_NATS_PASSWORD: nonEmpty.optional(),
  /** File with the credentials of a NATS user: a JWT and its seed. */
  PAYGRAPH_OUTLET_NATS_CREDENTIALS_FILE: nonEmpty.optional(),
  /** Kafka brokers (host:port, comma-separated) whose cluster gets every event. */
  PAYGRAPH_OUTLET_KAFKA_BROKERS: addresses(
    BROKER_ADDRESS,
    'must be brokers such as host:9092, with a comma between',
  ).optional(),
  /** Topic that gets the events. */
  PAYGRAPH_OUTLET_KAFKA_TOPIC: z
    .string()
    .regex(/^[\w.-]{1,249}$/, 'must be the name of a topic, with letters, digits, ., _ and -')
    .default('paygraph.events'),
  /** Connects to the brokers with TLS. */
  PAYGRAPH_OUTLET_KAFKA_TLS: z
    .enum(['true', 'false'], 'must be one of true, false')
    .transform((word) => word === 'true')
    .default(false),
  /** SASL mechanism of the user. */
  PAYGRAPH_OUTLET_KAFKA_MECHANISM: z
    .enum(['scram-sha-512', 'scram-sha-256', 'plain'], 'must be one of scram-sha-512, scram-sha-256, plain')
    .default('scram-sha-512'),
  /** User at Kafka. Needs PAYGRAPH_OUTLET_KAFKA_PASSWORD. */
  PAYGRAPH_OUTLET_KAFKA_USER: nonEmpty.optional(),
  PAYGRAPH_OUTLET_KAFKA_PASSWORD: nonEmpty.optional(),
  /** PEM file with the authorities that sign the brokers' certificates. The default is the list of Node. */
  PAYGRAPH_OUTLET_CA_FILE: nonEmpty.optional(),
  /** PEM files with a certificate and its key, for brokers that ask for one. */
  PAYGRAPH_OUTLET_CERT_FILE: nonEmpty.optional(),
  PAYGRAPH_OUTLET_KEY_FILE: nonEmpty.optional(),
} as const;

/** Settings that only work together. */
const PAIRS = [
  ['PAYGRAPH_OUTLET_NATS_USER', 'PAYGRAPH_OUTLET_NATS_PASSWORD'],
  ['PAYGRAPH_OUTLET_KAFKA_USER', 'PAYGRAPH_OUTLET_KAFKA_PASSWORD'],
  ['PAYGRAPH_OUTLET_CERT_FILE', 'PAYGRAPH_OUTLET_KEY_FILE'],
] as const;

/** Returns the mistakes among the settings of the outlets that no single setting shows. */
export const outletMistakes = (given: Readonly<Record<string, string | undefined>>): string[] =>
  PAIRS.flatMap(([one, other]) => [
    ...(given[one] !== undefined && given[other] === undefined ? [`${other}: required with ${one}`] : []),
    ...(given[other] !== undefined && given[one] === undefined ? [`${one}: required with ${other}`] : []),
  ]);
