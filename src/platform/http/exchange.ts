import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Deadline } from './deadline.ts';
import type { HttpRequest } from './request.ts';
import { startStopwatch, type HttpTiming } from './timing.ts';

/** One request over one connection. */
export type Attempt = {
  readonly request: HttpRequest;
  readonly url: URL;
  /** The agent of a shared connection. False: a new connection for this request alone. */
  readonly agent: http.Agent | false;
  readonly lookup: LookupFunction;
  /** Ends the attempt in every phase. */
  readonly deadline: Deadline;
};

export type AttemptEnd = { readonly timing: HttpTiming } & (Replied | Failed);

type Replied = {
  readonly kind: 'replied';
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
};

type Failed = {
  readonly kind: 'failed';
  /** The code of Node or OpenSSL, or an empty text. */
  readonly code: string;
  /** The progress of the request. From `sent` on, the peer may have seen the request. */
  readonly reached: 'nothing' | 'connected' | 'sent' | 'reply';
  /** True if the connection served an earlier request. The peer may then have closed the idle connection. */
  readonly reused: boolean;
};

/** Sends a request and reads the reply up to its limit. Never rejects. */
export function attempt({ request, url, agent, lookup, deadline }: Attempt): Promise<AttemptEnd> {
  return new Promise((resolve) => {
    let reached: Failed['reached'] = 'nothing';
    const watch = startStopwatch();
    const end = (how: Replied | Failed): void => resolve({ ...how, timing: watch.timing() });
    const fail = (error: Error & { readonly code?: string }, reused = false): void =>
      end({ kind: 'failed', code: error.code ?? '', reached, reused });
    try {
      const module = url.protocol === 'https:' ? https : http;
      const options = {
        method: request.method,
        headers: request.headers,
        agent,
        lookup: timed(lookup, () => watch.lap('lookupMs')),
        rejectUnauthorized: true,
        ...(request.identity && { cert: request.identity.certificate, key: request.identity.key }),
      };
      const outgoing = module.request(url, options);
      outgoing.once('socket', (socket) => {
        if (outgoing.reusedSocket) return void (reached = 'sent');
        socket.once('connect', () => {
          watch.lap('connectMs');
          reached = url.protocol === 'https:' ? 'connected' : 'sent';
        });
        socket.once('secureConnect', () => {
          watch.lap('tlsMs');
          reached = 'sent';
        });
      });
      outgoing.on('error', (error) => fail(error, outgoing.reusedSocket));
      // The deadline ends the wait, whatever Node does with the connection.
      deadline.onOver(() => {
        fail(new Error('aborted'));
        outgoing.destroy();
      });
      outgoing.once('response', (incoming) => {
        watch.lap('firstByteMs');
        reached = 'reply';
        readReply(incoming, request.replyBytesMax).then(end, fail);
      });
      // A peer that switches protocols has replied. Without a listener Node would drop the connection silently.
      outgoing.once('upgrade', (incoming, socket) => {
        watch.lap('firstByteMs');
        socket.destroy();
        end(replied(incoming, ''));
      });
      outgoing.end(request.body);
    } catch (error) {
      // Node refuses header values with control characters before it sends anything.
      fail(error as Error);
    }
  });
}

/** Wraps a look-up and reports its end. The socket's own event may come too early: a cached name resolves at once. */
const timed =
  (lookup: LookupFunction, ended: () => void): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (...answer) => {
      ended();
      callback(...answer);
    });

/** Reads at most `bytesMax`. Closes the connection without waiting for more. */
function readReply(incoming: http.IncomingMessage, bytesMax: number): Promise<Replied> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (): void => {
      resolve(replied(incoming, Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8')));
    };
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= bytesMax) return;
      done();
      incoming.destroy();
    });
    incoming.once('end', done);
    incoming.once('error', reject);
  });
}

const replied = ({ statusCode, headers }: http.IncomingMessage, body: string): Replied => ({
  kind: 'replied',
  status: statusCode ?? 0,
  headers: flatten(headers),
  body,
});

const flatten = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
