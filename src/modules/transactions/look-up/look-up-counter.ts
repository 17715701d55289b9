import { Counter } from 'prom-client';
import type { App } from '../../../app.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Asked } from './ask.ts';

const counterOf: (db: Db) => Counter<'outcome'> = oncePer(
  () =>
    new Counter({
      name: 'paygraph_look_ups_total',
      help: 'Look-ups of this process after webhooks that only name a payment, by outcome.',
      labelNames: ['outcome'],
      registers: [],
    }),
);

/**
 * The outcome of a look-up.
 *
 * - `claimed`: another look-up of the payment is under way, or has just ended. Its process counts its outcome.
 * - `postponed`: beyond the bounds, so that the loop asks later.
 */
export type CountedLookUp = Asked | 'claimed' | 'postponed';

/** Counts a look-up of this process. */
export const countLookUp = ({ db }: Pick<App, 'db'>, outcome: CountedLookUp): void =>
  counterOf(db).inc({ outcome });

/** Returns the counter of the look-ups of this process. */
export const lookUpCounter = ({ db }: Pick<App, 'db'>): Counter => counterOf(db);
