import { useEffect, useRef } from 'react';
import type { FeedEvent } from '../../../client/event.ts';
import { paymentsOf, useLive } from './live.tsx';
import { useRead, type Read } from './read.ts';

/** Tells whether a group of events may change the page. An empty group asks for a new read. */
export type Concerns = (events: readonly FeedEvent[]) => boolean;

type Moving = {
  /** True while something is under way that ends without an event, such as a delivery. */
  readonly isMoving?: boolean;
  /** The time between two reads while something is under way. Two seconds by default. */
  readonly everyMs?: number;
};

/** Calls `reload` after events, and every few seconds while something is under way. */
export function useRefresh(reload: () => void, concerns: Concerns, moving: Moving = {}): void {
  const { isMoving = false, everyMs = MOVING_MS } = moving;
  const latest = useRef(reload);
  latest.current = reload;
  useLive((events) => {
    if (concerns(events)) reload();
  });
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isMoving, everyMs]);
}

const MOVING_MS = 2_000;

/** Tells whether a group of events is about records of a type, or asks for a new read. */
export const isAbout =
  (...types: readonly string[]): Concerns =>
  (events) =>
    events.length === 0 || events.some(({ target }) => types.includes(target.type));

/** Tells whether a group of events is about one record, or asks for a new read. */
export const isAboutRecord =
  (id: string): Concerns =>
  (events) =>
    events.length === 0 || events.some(({ target }) => target.id === id);

/** Tells whether a group of events is about one payment, or asks for a new read. */
export const isAboutPayment =
  (id: string | undefined): Concerns =>
  (events) =>
    events.length === 0 || (id !== undefined && paymentsOf(events).has(id));

/** Passes over events. Only a break of the connection causes a new read. */
export const isNew: Concerns = (events) => events.length === 0;

type Follow<Data> = {
  readonly concerns: (events: readonly FeedEvent[], data: Data | null) => boolean;
  /** True while something of the record is under way that ends without an event. */
  readonly isMoving?: (data: Data) => boolean;
};

/** Reads the record of an address, and again after the events that concern it. Another address is another record. */
export function useRecord<Data>(
  id: string,
  read: (signal: AbortSignal) => Promise<Data | null>,
  { concerns, isMoving = () => false }: Follow<Data>,
): Read<Data | null> {
  const state = useRead(id, read, { forget: true });
  const { data } = state;
  useRefresh(state.reload, (events) => concerns(events, data), { isMoving: data !== null && isMoving(data) });
  return state;
}
