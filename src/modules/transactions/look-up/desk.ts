import { oncePer } from '../../../platform/database/once-per.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { LookUp } from '../named/look-up.ts';
import { createBudget } from './budget.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createPlaces, type LookUpEnd } from './places.ts';

/** A genuine payment changes a few times. The webhooks of its first minutes may come at once. */
const OF_PAYMENT = { most: 3, everyMs: 10_000 };

/** Ten look-ups a second suit a busy shop, and load no provider. */
const OF_SERVICE = { most: 100, everyMs: 100 };

/** The look-ups of a process. Each process has bounds of its own. */
export type Desk = {
  readonly lanes: Lanes;
  /** Begins a look-up directly after a webhook. False beyond the bounds of the payment or the payment service. */
  begin(lookUp: LookUp, now: Date): boolean;
  /** Begins a look-up of the loop. False beyond the bounds of the payment service. */
  beginDue(lookUp: LookUp, now: Date): boolean;
  end(lookUp: LookUp, how: LookUpEnd): void;
  /** The number of look-ups that may begin now, whatever the payment service. */
  free(): number;
  /** The payment services at which no look-up may begin. */
  busy(now: Date): readonly string[];
  /** Lets no further look-up begin. */
  close(): void;
};

/** Returns the look-ups of a process. Tests run several processes in one, each with its database. */
export const deskOf: (db: Db) => Desk = oncePer(openDesk);

function openDesk(): Desk {
  const [ofPayment, ofService] = [createBudget(OF_PAYMENT), createBudget(OF_SERVICE)];
  const places = createPlaces();
  let isClosed = false;
  const beginDue = ({ paymentServiceId: service }: LookUp, now: Date): boolean => {
    if (isClosed || !places.allows(service, now) || !ofService.allows(service, now)) return false;
    ofService.take(service, now);
    places.enter(service);
    return true;
  };
  return {
    lanes: createLanes(),
    begin: (lookUp, now) => {
      const name = nameOf(lookUp);
      if (!ofPayment.allows(name, now) || !beginDue(lookUp, now)) return false;
      ofPayment.take(name, now);
      return true;
    },
    beginDue,
    end: ({ paymentServiceId }, how) => places.leave(paymentServiceId, how),
    free: () => (isClosed ? 0 : places.free()),
    busy: (now) => places.busy(now),
    close: () => void (isClosed = true),
  };
}

/** Returns the name of a payment in its process. */
export const nameOf = ({ paymentServiceId, reference }: LookUp): string => `${paymentServiceId} ${reference}`;
