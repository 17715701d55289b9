import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  type DocumentNode,
  type ExecutionResult,
} from 'graphql';
import type { App, Viewer } from '../../app.ts';
import { createContext, type Requested } from '../../graph/context.ts';
import { coded } from '../../graph/errors.ts';
import { parseOptions } from '../../graph/limits/check-limits.ts';
import { untraced } from '../../platform/tracing/trace.ts';
import { UNAUTHENTICATED } from '../authentication/authenticate.ts';
import { credentialsOfHeaders } from '../authentication/credentials.ts';
import type { ConnectionLimits } from '../operations/connection-limits.ts';
import type { GivenOperation } from '../operations/documents.ts';
import type { Operations } from '../operations/operations.ts';
import { subscribeWithinLimit } from '../operations/subscribe-within-limit.ts';
import { watchToken } from '../operations/token-watch.ts';
import { requestIds } from '../answers/request-id.ts';
import { isObject } from '../../kernel/json.ts';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** True for a caller who takes an event stream and no JSON. */
export const takesOnlyEvents = (accept = ''): boolean =>
  accept.includes(EVENT_STREAM) && !/\*\/\*|\bjson\b/.test(accept);

/** Answers subscriptions as server-sent events: GraphQL over SSE in the mode of distinct connections. */
export type EventStreams = {
  /**
   * Answers a subscription of a caller who takes an event stream. Returns null, with nothing read, for any other request. The
   * request must have been counted in the budget before.
   */
  answer(request: FastifyRequest, reply: FastifyReply, subscriber: Subscriber): Promise<FastifyReply> | null;
  /** Ends the open streams without the event `complete`, so that clients connect again. */
  close(): void;
};

/** The caller of a subscription, and the graph that answers. */
export type Subscriber = {
  readonly viewer: Viewer;
  readonly requested: Requested;
  readonly operations: Operations;
};

export type EventStreamsSettings = {
  readonly app: App;
  readonly limits: ConnectionLimits;
  /** The time between two comments, 12 s by default. They keep proxies from closing the connection. */
  readonly pingMs?: number | undefined;
};

const PING_MS = 12_000;

export function createEventStreams({ app, limits, pingMs = PING_MS }: EventStreamsSettings): EventStreams {
  const open = new Set<Stream>();
  let isClosed = false;
  const follow = async (
    given: GivenOperation,
    { viewer, requested, operations }: Subscriber,
  ): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> => {
    const context = createContext(app, viewer, requested);
    const prepared = operations.prepare(given, context, 'http');
    return 'contextValue' in prepared
      ? subscribeWithinLimit(prepared, operations, limits.subscriptions)
      : { errors: prepared };
  };
  return {
    answer: (request, reply, subscriber) => {
      const given = subscriptionOf(request);
      if (!given) return null;
      const run = async (): Promise<FastifyReply> => {
        const started = await follow(given, subscriber);
        void reply.headers({ 'content-type': EVENT_STREAM, 'x-accel-buffering': 'no' });
        if (!(Symbol.asyncIterator in started)) return reply.send(streamOf(started));
        const stream = createStream(started, pingMs);
        open.add(stream);
        const stop = watchToken(app, credentialsOfHeaders(request.headers), subscriber.viewer, {
          renewed: () => undefined,
          ended: () => stream.end(streamOf({ errors: [coded('UNAUTHENTICATED', UNAUTHENTICATED)] })),
        });
        stream.readable.once('close', () => {
          stop();
          open.delete(stream);
        });
        // A client may subscribe again while the process stops.
        if (isClosed) stream.end('');
        return reply.send(stream.readable);
      };
      // The statements of hours would all be parts of one trace.
      return untraced(() => requestIds.run(request.id, run));
    },
    close: () => {
      isClosed = true;
      open.forEach((stream) => stream.end(''));
    },
  };
}

/** Returns a subscription in its plain form. Null for any other operation, and for a caller who takes no event stream. */
function subscriptionOf({ method, headers, body }: FastifyRequest): GivenOperation | null {
  if (method !== 'POST' || !headers.accept?.includes(EVENT_STREAM) || !isObject(body)) return null;
  const { query, operationName, variables } = body;
  if (typeof query !== 'string' || !query.includes('subscription')) return null;
  if (operationName != null && typeof operationName !== 'string') return null;
  if (variables != null && !isObject(variables)) return null;
  const document = tryParse(query);
  const operation = document && getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
}

function tryParse(query: string): DocumentNode | null {
  try {
    return parse(query, parseOptions);
  } catch (error) {
    // Apollo refuses the text with the place of the mistake.
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

/** Returns the events of one result. `json` is the result as text. */
export const eventsOf = (json: string): string => `${nextOf(json)}${COMPLETE}`;

const nextOf = (json: string): string => `event: next\ndata: ${json}\n\n`;

const COMPLETE = 'event: complete\ndata:\n\n';

const streamOf = (result: ExecutionResult): string => eventsOf(JSON.stringify(result));

type Stream = {
  readonly readable: Readable;
  /** Sends a last text and ends the stream. Does nothing after the end. */
  end(last: string): void;
};

/**
 * Writes each result as an event, as fast as the client reads. The end of the connection ends the results, even while they
 * wait.
 */
function createStream(results: AsyncIterableIterator<ExecutionResult>, pingMs: number): Stream {
  let [waiting, over] = [false, false];
  const end = (last: string): void => {
    if (over) return;
    over = true;
    if (last !== '') readable.push(last);
    readable.push(null);
  };
  const next = async (): Promise<void> => {
    waiting = true;
    try {
      const result = await results.next();
      waiting = false;
      if (result.done) end(COMPLETE);
      else if (!over) readable.push(nextOf(JSON.stringify(result.value)));
    } catch (fault) {
      end(streamOf({ errors: [fault as GraphQLError] }));
    }
  };
  const readable = new Readable({
    read: () => void (waiting || over || next()),
    destroy: (error, done) => {
      over = true;
      clearInterval(pings);
      Promise.resolve(results.return?.()).then(
        () => done(error),
        () => done(error),
      );
    },
  });
  // Headers leave with the first bytes. A client waits for the headers, and a proxy for any bytes.
  readable.push(PING);
  const pings = setInterval(() => {
    if (readable.readableLength === 0 && !over) readable.push(PING);
  }, pingMs);
  return { readable, end };
}

const PING = ':\n\n';
