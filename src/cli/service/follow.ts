import WebSocket from 'ws';
import {
  PaygraphError,
  subscribeToEvents,
  type ConnectionStatus,
  type FeedEvent,
} from '../../client/index.ts';
import { cursorBefore } from '../../modules/events/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { forErrors } from '../colours.ts';
import { UsageError } from '../exit-code.ts';
import { firstSignal } from '../first-signal.ts';
import { findService, type Access, type AccessOptions } from './access.ts';
import { askService, requireService } from './ask.ts';

/** The options of every command that follows the feed. */
export type FollowOptions = AccessOptions & {
  /** Event names or patterns, with commas between. */
  readonly events?: string | undefined;
  /** The number of past events to begin with. */
  readonly replayLast?: string | undefined;
  readonly json?: boolean | undefined;
};

/**
 * Follows the feed until Ctrl-C. Each event arrives once and in order, and a broken connection resumes after the last
 * event. Reports the connection on standard error.
 */
export async function followFeed(
  command: string,
  options: FollowOptions,
  onEvent: (event: FeedEvent) => void | Promise<void>,
): Promise<void> {
  const replayLast = readCount(options.replayLast ?? '0');
  const access = findService(command, options);
  await requireService(access.url);
  const stopping = stopSignal();
  const subscription = {
    url: access.url,
    token: () => access.token(),
    merchantAccountId: access.merchantAccountId,
    types: readNames(options.events),
    signal: stopping,
    webSocketImpl: WebSocket,
    onStatus: statusReporter(access.url),
    onEvent,
  };
  try {
    const after = replayLast === 0 ? null : await placeOf(access, replayLast);
    await subscribeToEvents({ ...subscription, after }).catch((error: unknown) => {
      // Retention has removed a part of the past that was asked for.
      if (!(error instanceof PaygraphError) || error.code !== 'CURSOR_EXPIRED') throw error;
      return subscribeToEvents({ ...subscription, after: 'BEGIN' });
    });
  } catch (error) {
    if (error instanceof PaygraphError) throw new OperatorError(error.message);
    throw error;
  }
  process.stderr.write(`\n${forErrors.dim('Stopped.')}\n`);
}

const REPLAY_MAX = 10_000;

function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : REPLAY_MAX + 1;
  if (count <= REPLAY_MAX) return count;
  throw new UsageError(`--replay-last: must be a whole number from 0 to ${REPLAY_MAX}.`);
}

function readNames(list: string | undefined): readonly string[] | undefined {
  const names = list?.split(',').map((name) => name.trim());
  if (names?.some((name) => !/^[\w-]+(\.[\w-]+)*(\.\*)?$|^\*$/.test(name)))
    throw new UsageError(
      '--events: must be names or patterns with commas between, such as transaction.*,refund.succeeded.',
    );
  return names;
}

/** Returns the place before the last events. Asks as a single page does, so a missing service is a sentence. */
async function placeOf(access: Access, count: number): Promise<string> {
  const { data, errors } = await askService(access, { query: '{ events(first: 1) { head } }' });
  const head = (data?.['events'] as { readonly head: string } | undefined)?.head;
  if (head === undefined) throw new OperatorError(errors?.[0]?.message ?? 'The feed has no end.');
  return cursorBefore(head, count) ?? 'BEGIN';
}

/** Reports the first connection, each break and each return. The first failure says how to start a service. */
function statusReporter(url: string): (status: ConnectionStatus) => void {
  let broken = false;
  let connectedOnce = false;
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  return (status) => {
    if (status.state === 'disconnected') {
      const seconds = (status.retryInMs / 1_000).toFixed(1);
      print(forErrors.yellow(`${status.reason} Connecting again in ${seconds} s …`));
      broken = true;
    }
    if (status.state !== 'connected') return;
    if (!connectedOnce) print(forErrors.dim(`Connected to ${url}. Ctrl-C stops.`));
    else if (broken) print(forErrors.green('Connected again. No event is missed.'));
    connectedOnce = true;
    broken = false;
  };
}

/** Returns a signal that aborts at the first Ctrl-C. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  void firstSignal().then(() => stopping.abort());
  return stopping.signal;
}
