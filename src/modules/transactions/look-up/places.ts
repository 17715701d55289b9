import type { Asked } from './ask.ts';
import { AWAY_AFTER, AWAY_MS } from '../sweep/passes.ts';

/** The most look-ups of a process under way. */
export const PLACES_MAX = 32;

/** The most of them at one payment service. A silent provider holds no more places. */
export const PLACES_OF_SERVICE = 8;

/** The places for look-ups under way in a process. Nobody waits for a place. */
export type Places = {
  /** The number of free places, whatever the payment service. */
  free(): number;
  /** Tells whether a look-up may begin at a payment service. */
  allows(service: string, now: Date): boolean;
  /** The payment services at which no look-up may begin. */
  busy(now: Date): readonly string[];
  enter(service: string): void;
  leave(service: string, end: LookUpEnd): void;
};

export type LookUpEnd = { readonly asked: Asked; readonly now: Date };

type At = { underWay: number; silences: number; pausedUntil: number };

/**
 * Creates places. After several look-ups in a row without an answer, the provider seems to be away. The payment service then has no
 * look-up for a minute.
 */
export function createPlaces(): Places {
  const services = new Map<string, At>();
  let underWay = 0;
  const isBusy = (at: At, now: Date): boolean =>
    at.underWay >= PLACES_OF_SERVICE || at.pausedUntil > now.getTime();
  return {
    free: () => PLACES_MAX - underWay,
    allows: (service, now) => {
      const at = services.get(service);
      return underWay < PLACES_MAX && !(at && isBusy(at, now));
    },
    busy: (now) => [...services].filter(([, at]) => isBusy(at, now)).map(([service]) => service),
    enter: (service) => {
      const at = services.get(service) ?? { underWay: 0, silences: 0, pausedUntil: 0 };
      services.set(service, at);
      at.underWay += 1;
      underWay += 1;
    },
    leave: (service, { asked, now }) => {
      const at = services.get(service);
      if (!at) return;
      at.underWay -= 1;
      underWay -= 1;
      if (asked === 'answered') at.silences = 0;
      if (asked === 'silent') at.silences += 1;
      // One more silence after the pause begins the next pause.
      if (asked === 'silent' && at.silences >= AWAY_AFTER) at.pausedUntil = now.getTime() + AWAY_MS;
      if (at.underWay === 0 && at.silences === 0) services.delete(service);
    },
  };
}
