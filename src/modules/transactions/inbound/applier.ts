import type { App } from '../../../app.ts';
import type { Db } from '../../../platform/db.ts';
import { applyLeaseUntil } from './webhook.ts';

/** How many one process applies at once. */
const AT_ONCE = 8;

/** Something that was told by a webhook, and how it is taken up and applied. */
type Kind<Told> = {
  readonly claim: (
    db: Db,
    now: Date,
    taken: { readonly leaseUntil: Date; readonly limit: number },
  ) => Promise<readonly Told[]>;
  readonly apply: (app: App, told: Told) => Promise<void>;
  /** What is logged of one that could not be applied. */
  readonly about: (told: Told) => Readonly<Record<string, string>>;
  readonly failed: string;
};

export type Applier<Told> = {
  /** Takes up what is due now and waits for all of it; true when there may be more. */
  readonly applyDue: (app: App) => Promise<boolean>;
  /** Applies what was just stored, in its order; never throws. What cannot be applied now is taken up by the loop. */
  readonly applyReceived: (app: App, received: readonly Told[]) => Promise<void>;
};

/** Applies what was told and is stored. One that throws is logged and comes up again after its lease. */
export function applierOf<Told>({ claim, apply, about, failed }: Kind<Told>): Applier<Told> {
  const applyOne = async (app: App, told: Told): Promise<void> => {
    try {
      await apply(app, told);
    } catch (error) {
      app.log.error({ ...about(told), err: error }, failed);
    }
  };
  return {
    applyDue: async (app) => {
      const now = app.clock.now();
      const due = await claim(app.db, now, { leaseUntil: applyLeaseUntil(now), limit: AT_ONCE });
      await Promise.all(due.map((told) => applyOne(app, told)));
      return due.length === AT_ONCE;
    },
    applyReceived: async (app, received) => {
      for (const told of received) await applyOne(app, told);
    },
  };
}
