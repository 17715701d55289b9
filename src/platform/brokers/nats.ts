import { readFile } from 'node:fs/promises';
import type { JetStreamClient, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { ConnectionOptions, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { OperatorError } from '../operator-error.ts';
import type { Config } from '../process/config.ts';
import { HEADERS, type Broker, type BrokerMessage, type LastMessage } from './broker.ts';
import { reopening } from './connection.ts';
import { loadClient } from './load-client.ts';

/** The settings with a server. */
export type NatsConfig = Config & { readonly PAYGRAPH_OUTLET_NATS_URL: readonly string[] };

/** An open connection to a stream. */
type Open = {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly headersOf: (headers: BrokerMessage['headers']) => MsgHdrs;
  /** The last sequence of the stream, as far as this process knows. */
  last: number;
};

/** The longest wait for a connection, an answer or an acknowledgement. */
const WAIT_MS = 5_000;

/**
 * Creates the broker of a stream of NATS JetStream. The subject of an event is the prefix, the merchant account and the name.
 *
 * Each message expects the one before it to be the last one of the stream. A message that the server does not store therefore
 * ends the batch. A process that was frozen cannot publish between the messages of its successor.
 */
export function createNatsBroker(config: NatsConfig): Broker {
  const { PAYGRAPH_OUTLET_NATS_STREAM: stream, PAYGRAPH_OUTLET_NATS_SUBJECT: prefix } = config;
  const opened = reopening(
    () => open(config),
    ({ connection }) => connection.close(),
  );
  /** Asks the server. After an error the next question has a new connection. */
  const ask = async <Answer>(question: (to: Open) => Promise<Answer>): Promise<Answer> => {
    try {
      return await question(await opened.get());
    } catch (error) {
      await opened.drop();
      throw error;
    }
  };
  return {
    name: `nats:${stream}`,
    publish: async (messages) => {
      const to = await opened.get();
      const acks = await publishAll(to, { stream, prefix }, messages);
      const count = acks.findIndex(({ status }) => status === 'rejected');
      const failed = acks[count];
      if (failed?.status === 'rejected') {
        // The last sequence of the stream is unknown now. The next connection reads it.
        await opened.drop();
        return { count, failure: failed.reason };
      }
      to.last += messages.length;
      return { count: messages.length, failure: null };
    },
    last: (merchantAccountId) =>
      ask(async ({ manager }) =>
        lastOf(
          await manager.streams.getMessage(stream, { last_by_subj: `${prefix}.${merchantAccountId}.>` }),
        ),
      ),
    check: () => ask(async ({ manager }) => requireSubjects(await manager.streams.info(stream), prefix)),
    close: () => opened.drop(),
  };
}

/** Sends the messages in their order, without a wait between them. */
const publishAll = (
  { client, headersOf, last }: Open,
  { stream, prefix }: { readonly stream: string; readonly prefix: string },
  messages: readonly BrokerMessage[],
) =>
  Promise.allSettled(
    messages.map(({ merchantAccountId, id, name, body, headers }, index) =>
      client.publish(`${prefix}.${merchantAccountId}.${name}`, body, {
        msgID: id,
        headers: headersOf(headers),
        timeout: WAIT_MS,
        expect: { streamName: stream, lastSequence: last + index, ...afterMessage(messages[index - 1]) },
      }),
    ),
  );

/** By the number alone, a message could follow that of somebody else, in the place of a refused message. */
const afterMessage = (before: BrokerMessage | undefined) => before && { lastMsgID: before.id };

function lastOf(message: Awaited<ReturnType<JetStreamManager['streams']['getMessage']>>): LastMessage | null {
  const id = message?.header.get(HEADERS.id) ?? '';
  const sequence = message?.header.get(HEADERS.sequence) ?? '';
  return id === '' || !/^\d+$/.test(sequence) ? null : { id, sequence: BigInt(sequence) };
}

/** Throws an OperatorError unless a stream takes all subjects below a prefix. */
export function requireSubjects(
  { config: { name, subjects } }: { readonly config: Pick<StreamInfo['config'], 'name' | 'subjects'> },
  prefix: string,
): void {
  const parts = prefix.split('.');
  const covering = [...parts.keys(), parts.length].map((end) => [...parts.slice(0, end), '>'].join('.'));
  if (!subjects.some((subject) => covering.includes(subject)))
    throw new OperatorError(`The stream ${name} lacks the subjects ${prefix}.> of the events. Add them.`);
}

async function open(config: NatsConfig): Promise<Open> {
  const [{ connect, headers }, { jetstream, jetstreamManager, JetStreamApiError }] = await loadClient(
    'nats',
    () => Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]),
  );
  const connection = await connect(await optionsOf(config));
  try {
    // The check of the API would need a further permission.
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: WAIT_MS });
    const stream = config.PAYGRAPH_OUTLET_NATS_STREAM;
    const { state } = await manager.streams.info(stream).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError)) throw error;
      throw new OperatorError(`NATS refuses the stream ${stream}: ${error.message}. Create it, or allow it.`);
    });
    const headersOf = (given: BrokerMessage['headers']): MsgHdrs => {
      const made = headers();
      for (const [name, value] of Object.entries(given)) made.set(name, value);
      return made;
    };
    return {
      connection,
      client: jetstream(connection, { timeout: WAIT_MS }),
      manager,
      headersOf,
      last: state.last_seq,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function optionsOf(config: NatsConfig): Promise<ConnectionOptions> {
  const { credsAuthenticator } = await import('@nats-io/transport-node');
  const {
    PAYGRAPH_OUTLET_NATS_URL: servers,
    PAYGRAPH_OUTLET_NATS_USER: user,
    PAYGRAPH_OUTLET_NATS_PASSWORD: pass,
    PAYGRAPH_OUTLET_NATS_CREDENTIALS_FILE: credentials,
    PAYGRAPH_OUTLET_CA_FILE: caFile,
    PAYGRAPH_OUTLET_CERT_FILE: certFile,
    PAYGRAPH_OUTLET_KEY_FILE: keyFile,
  } = config;
  const files = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  const usesTls = servers.some((server) => server.startsWith('tls:')) || Object.keys(files).length > 0;
  return {
    servers: servers.map((server) => server.replace(/^(nats|tls):\/\//, '').replace(/\/$/, '')),
    name: 'paygraph',
    timeout: WAIT_MS,
    // The outlet connects again by itself, and then reads the end of the stream.
    reconnect: false,
    ...(usesTls && { tls: files }),
    ...(user !== undefined && pass !== undefined && { user, pass }),
    ...(credentials !== undefined && { authenticator: credsAuthenticator(await readFile(credentials)) }),
  };
}
