import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import type { Random } from '../simulation/random.ts';
import { lastingPort } from '../support/lasting-port.ts';

/** The behaviour of a receiver: an answer, or a broken connection before or after reading. */
export type Manner = 'answer' | 'drop_unread' | 'drop_read';

/** A receiver of the chaos test. It stores a digest of each body instead of the body, so that a run may be long. */
export type ChaosReceiver = {
  readonly name: string;
  readonly url: string;
  /** Event names and patterns of its endpoint. */
  readonly eventNames: readonly string[];
  /** Digests of all bodies by event id, with counts: read and answered, or read and dropped. */
  readonly received: ReadonlyMap<string, Received>;
  /** Invalid requests, as sentences. */
  readonly violations: readonly string[];
  readonly dropped: () => number;
  /** Sets the secret of its endpoint, which exists only after the endpoint's creation. */
  trust(secret: string): void;
  /** Ends all faults. */
  calm(): Promise<void>;
  /** Closes the port and breaks all connections, or opens the same port again. */
  down(): Promise<void>;
  up(): Promise<void>;
};

export type Received = { readonly digests: Set<string>; answered: number; droppedAfterReading: number };

type ReceiverSettings = {
  readonly name: string;
  readonly eventNames: readonly string[];
  readonly manner?: (id: string) => Manner;
  readonly delayMs?: () => number;
};

export const digestOf = (body: string): string => createHash('sha256').update(body).digest('base64');

/**
 * Starts four receivers: a good one, a slow one, one with absences, and one that breaks connections at random.
 */
export const startReceivers = (random: Random): Promise<readonly ChaosReceiver[]> =>
  Promise.all([
    startOne({ name: 'good', eventNames: [] }),
    startOne({ name: 'slow', eventNames: ['transaction.*'], delayMs: () => random.int(100, 300) }),
    startOne({ name: 'away', eventNames: ['capture.*', 'refund.*', 'transaction.authorized'] }),
    startOne({ name: 'dropping', eventNames: ['*'], manner: dropTwice(random) }),
  ]);

/** Drops one request in five, at most two of one event, because the schedule's third pause is 45 s. */
function dropTwice(random: Random): (id: string) => Manner {
  const drops = new Map<string, number>();
  return (id) => {
    const manner = random.weighted<Manner>([
      [8, 'answer'],
      [1, 'drop_unread'],
      [1, 'drop_read'],
    ]);
    const before = drops.get(id) ?? 0;
    if (manner === 'answer' || before === 2) return 'answer';
    drops.set(id, before + 1);
    return manner;
  };
}

async function startOne(settings: ReceiverSettings): Promise<ChaosReceiver> {
  const { name, eventNames, manner = () => 'answer', delayMs = () => 0 } = settings;
  const received = new Map<string, Received>();
  const violations: string[] = [];
  let verifiers: readonly Verifier[] = [];
  let dropped = 0;
  let calm = false;

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = String(request.headers['webhook-id']);
    const how = calm ? 'answer' : manner(id);
    if (how !== 'answer') dropped += 1;
    if (how === 'drop_unread') return void response.destroy();
    const body = await bodyOf(request);
    // A sender that was killed during its request has sent nothing.
    if (body === null) return;
    if (verifiers.length === 0 || !verifiers.every((verify) => isTrue(verify, body, request)))
      violations.push(`signatures: ${name} got ${id} with one that is not valid`);
    const known = received.get(id) ?? { digests: new Set(), answered: 0, droppedAfterReading: 0 };
    received.set(id, known);
    known.digests.add(digestOf(body));
    if (how === 'drop_read') {
      known.droppedAfterReading += 1;
      return void response.destroy();
    }
    known.answered += 1;
    setTimeout(() => response.writeHead(204).end(), calm ? 0 : delayMs());
  };

  const port = await lastingPort();
  let server = await listen(port, take);
  const up = async (): Promise<void> => {
    if (!server.listening) server = await listen(port, take);
  };
  return {
    name,
    url: `http://127.0.0.1:${port}/${name}`,
    eventNames,
    received,
    violations,
    dropped: () => dropped,
    trust: (secret) => {
      const [ours, svix] = [new Webhook(secret), new SvixWebhook(secret)];
      verifiers = [
        (body, headers) => ours.verify(body, headers),
        (body, headers) => svix.verify(body, headers),
      ];
    },
    calm: async () => {
      calm = true;
      await up();
    },
    up,
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Verifier = (body: string, headers: Record<string, string>) => unknown;

/** Verifies a request on arrival, because a signature is valid for five minutes. */
function isTrue(verify: Verifier, body: string, { headers }: IncomingMessage): boolean {
  try {
    verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

async function listen(
  port: number,
  take: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

/** Null when the connection ended first. */
const bodyOf = (request: IncomingMessage): Promise<string | null> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
