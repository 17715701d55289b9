import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { PaygraphError } from '../../../client/error.ts';
import type { FeedEvent } from '../../../client/event.ts';
import { parsePayload } from '../../../client/payload.ts';
import { subscribeToEvents } from '../../../client/subscribe.ts';
import { addressOf, openSession } from '../session.ts';
import { api } from './api.ts';

/** The state of the connection to the feed. */
export type LiveState = 'connecting' | 'connected' | 'disconnected';

type Live = { readonly state: LiveState; readonly listen: (listener: Listener) => () => void };
type Listener = (events: readonly FeedEvent[]) => void;

const LiveContext = createContext<Live>({ state: 'connecting', listen: () => () => undefined });

/** The time in which events gather before the pages learn of them, so that a burst causes one read. */
const GATHER_MS = 250;

/** Follows the feed once for all pages. The client resumes after each break at the last event, so that no event is lost. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<LiveState>('connecting');
  const listeners = useRef(new Set<Listener>());
  useEffect(() => {
    const abort = new AbortController();
    const tellAll: Listener = (events) => listeners.current.forEach((listener) => listener(events));
    const refresh = (): void => tellAll([]);
    void follow({ signal: abort.signal, setState, tell: gather(tellAll), refresh });
    return () => abort.abort();
  }, []);
  const [listen] = useState(() => (listener: Listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  });
  return <LiveContext value={{ state, listen }}>{children}</LiveContext>;
}

type Following = {
  readonly signal: AbortSignal;
  readonly setState: (state: LiveState) => void;
  readonly tell: (event: FeedEvent) => void;
  readonly refresh: () => void;
};

/**
 * Subscribes until the page closes. The pages read once more after the end of the feed is known. So no change falls between their
 * first read and the subscription. An ended session is renewed, and the subscription goes on after the last event.
 */
async function follow({ signal, setState, tell, refresh }: Following): Promise<void> {
  let after: string | null = null;
  // A function, because the signal changes while the loop waits.
  const isOver = (): boolean => signal.aborted;
  const readHead = async (): Promise<string> => {
    const { events } = await api.query({ events: [{ first: 1 }, { head: true }] }, { signal });
    refresh();
    return events.head;
  };
  while (!isOver()) {
    try {
      after ??= await readHead();
      await subscribeToEvents({
        ...{ url: addressOf('graphql'), token: () => null, after, signal },
        retry: { firstMs: 300, mostMs: 10_000 },
        onEvent: (event) => {
          after = event.cursor;
          tell(event);
        },
        onStatus: ({ state }) => setState(state),
      });
    } catch (error) {
      // Retention removed the events after the cursor.
      if (error instanceof PaygraphError && error.code === 'CURSOR_EXPIRED') after = null;
    }
    if (isOver()) return;
    setState('disconnected');
    await openSession().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, RENEW_MS));
  }
}

const RENEW_MS = 5_000;

function gather(tell: Listener): (event: FeedEvent) => void {
  let events: FeedEvent[] = [];
  return (event) => {
    if (events.length === 0)
      setTimeout(() => {
        const gathered = events;
        events = [];
        tell(gathered);
      }, GATHER_MS);
    events.push(event);
  };
}

/** Returns the state of the connection. */
export const useLiveState = (): LiveState => useContext(LiveContext).state;

/** Calls the listener with each group of events while the component is shown. An empty group asks for a new read. */
export function useLive(listener: Listener): void {
  const { listen } = useContext(LiveContext);
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => listen((events) => latest.current(events)), [listen]);
}

/** Tells whether a list of payments may have changed. */
export const mayChangePayments = (events: readonly FeedEvent[]): boolean =>
  events.length === 0 || paymentsOf(events).size > 0;

/** Tells whether payment services, or the payments that they made, may have changed. */
export const mayChangeServices = (events: readonly FeedEvent[]): boolean =>
  mayChangePayments(events) || events.some(({ target }) => target.type === 'payment-service');

/** Returns the ids of the payments that events are about. */
export function paymentsOf(events: readonly FeedEvent[]): ReadonlySet<string> {
  return new Set(events.map(paymentOf).filter((id) => id !== null));
}

function paymentOf({ target, payload }: FeedEvent): string | null {
  if (target.type === 'transaction') return target.id;
  const { target: about } = parsePayload({ payload });
  return 'transaction_id' in about ? about.transaction_id : null;
}
