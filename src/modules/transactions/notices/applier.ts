import type { App } from '../../../app.ts';
import type { ClaimDue } from './claim-notices.ts';
import { applyLeaseUntil } from './schedule.ts';
import { createTurns, type Applied, type Received } from './turns.ts';

/** The most webhooks that one process applies at once. */
const AT_ONCE = 8;

/** A kind of stored webhook, with the functions that claim and apply a webhook of this kind. */
type Kind<Stored> = {
  readonly claim: ClaimDue<Stored>;
  readonly apply: (app: App, webhook: Stored) => Promise<Applied>;
  /** Returns the name of the subject. Webhooks of one subject are applied one after the other, oldest first. */
  readonly subject: (webhook: Stored) => string;
  /** Returns the log fields of a webhook that could not be applied. */
  readonly about: (webhook: Stored) => Readonly<Record<string, string>>;
  readonly failed: string;
};

export type Applier<Stored> = {
  /** Applies the due webhooks and waits for all of them. True when more may be due. */
  readonly applyDue: (app: App) => Promise<boolean>;
  /**
   * Applies webhooks that were just stored, in their order, after those of the same subject that this process received before.
   * Never throws. The loop retries a webhook that fails here.
   */
  readonly applyReceived: (app: App, received: readonly Stored[]) => Promise<void>;
};

/** Creates an applier of stored webhooks. A webhook that throws is logged, and retried after its lease. */
export function applierOf<Stored extends Received>({
  claim,
  apply,
  subject,
  about,
  failed,
}: Kind<Stored>): Applier<Stored> {
  const applyOne = async (app: App, webhook: Stored): Promise<Applied> => {
    try {
      return await apply(app, webhook);
    } catch (error) {
      app.log.error({ ...about(webhook), err: error }, failed);
      return 'done';
    }
  };
  const turnsOf = (app: App) => createTurns<Stored>((webhook) => applyOne(app, webhook));
  // Tests run several processes in one.
  const received = new WeakMap<App, ReturnType<typeof turnsOf>>();
  return {
    applyDue: async (app) => {
      const now = app.clock.now();
      const due = await claim(app.db, now, { leaseUntil: applyLeaseUntil(now), limit: AT_ONCE });
      const inTurn = turnsOf(app);
      await Promise.all(due.map((webhook) => inTurn(subject(webhook), webhook)));
      return due.length === AT_ONCE;
    },
    applyReceived: async (app, webhooks) => {
      const inTurn = received.get(app) ?? turnsOf(app);
      received.set(app, inTurn);
      for (const webhook of webhooks) await inTurn(subject(webhook), webhook);
    },
  };
}
