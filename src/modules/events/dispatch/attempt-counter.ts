import { Counter } from 'prom-client';
import type { App } from '../../../app.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Verdict } from './settled-attempt.ts';

const counterOf: (db: Db) => Counter<'verdict'> = oncePer(
  () =>
    new Counter({
      name: 'paygraph_webhook_attempts_total',
      help: 'Attempts of webhooks that this process sent, by verdict. Test events do not count.',
      labelNames: ['verdict'],
      registers: [],
    }),
);

/** Counts an attempt of a delivery in this process. */
export const countAttempt = ({ db }: Pick<App, 'db'>, verdict: Verdict): void =>
  counterOf(db).inc({ verdict });

/** Returns the counter of the attempts that this process sent. */
export const attemptCounter = ({ db }: Pick<App, 'db'>): Counter => counterOf(db);
