import type { App } from '../../app.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { findDecidingVersions, needsFigures } from '../routing/index.ts';
import { claimRound } from './claim.sql.ts';
import { makeFigures } from './make.ts';
import { endRounds, keepFigures, postponeRound } from './store.ts';

/** The pause of an idle loop. */
const IDLE_MS = 1_000;

/** The time from one snapshot of a merchant account to the next. */
const ROUND_MS = 5 * 60_000;

/** The time for a snapshot. After a failure, the next try follows its end. */
const LEASE_MS = 2 * 60_000;

/**
 * Starts the loop that counts the past for rules by success and by cost, one merchant account at a time. Every process may run one. One
 * process at a time counts for an account. When that process dies, another counts after two minutes.
 */
export const startRoutingFigures = (app: App): Loop =>
  startLoop({
    ...{ name: 'routing figures', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => makeNextFigures(app),
  });

/**
 * Makes the due snapshot that has waited longest. Ends the rounds of an account whose active and planned versions compare nothing.
 * Returns true when more may be due. A crash before the commit leaves the former snapshot.
 */
export async function makeNextFigures(app: App): Promise<boolean> {
  const now = app.clock.now();
  const claimed = await claimRound(app.db, { now, leaseUntil: new Date(now.getTime() + LEASE_MS) });
  if (!claimed) return false;
  const { merchantAccountId } = claimed;
  const { versions, isComplete } = await findDecidingVersions(app, merchantAccountId, now);
  const rules = versions.flatMap((version) => version.rules);
  const nextAt = new Date(now.getTime() + ROUND_MS);
  if (!needsFigures(rules)) {
    await (isComplete ? endRounds(app.db, claimed) : postponeRound(app.db, claimed, nextAt));
    return true;
  }
  const figures = await makeFigures(app, merchantAccountId, { rules, at: now });
  await failpoint('routing-figures.made');
  await keepFigures(app.db, claimed, figures, nextAt);
  return true;
}
