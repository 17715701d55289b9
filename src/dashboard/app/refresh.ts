import { useEffect, useRef } from 'react';
import type { FeedEvent } from '../../client/event.ts';
import { useLive } from './live.tsx';

type Refresh = {
  /** Tells whether a group of events may change the page. An empty group asks for a new read. */
  readonly concerns: (events: readonly FeedEvent[]) => boolean;
  /** True while something is under way that ends without an event, such as a delivery. */
  readonly isMoving: boolean;
  /** The time between two reads while something is under way. Two seconds by default. */
  readonly everyMs?: number;
};

/** Calls `reload` after events, and every few seconds while something is under way. */
export function useRefresh(reload: () => void, { concerns, isMoving, everyMs = MOVING_MS }: Refresh): void {
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
  (type: string): Refresh['concerns'] =>
  (events) =>
    events.length === 0 || events.some(({ target }) => target.type === type);
