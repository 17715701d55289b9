import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { definitionsWith, leaseOf } from '../../payment-services/index.ts';
import { fetchPage } from './fetch.ts';
import { rematchDue } from './rematch.ts';
import { claimSources } from './source.sql.ts';
import type { SettlementSource } from './source.ts';

/** The most payment services that one process asks at once. Each has one page under way at most. */
const AT_ONCE = 8;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 5_000;

/**
 * Starts the loop that fetches settlements where `settlementReportingEnabled`, one page after another. Any number of processes
 * may run the loop. A silent provider delays no other payment service. Stopping waits for the pages under way.
 */
export function startSettlementFetcher(app: App): Loop {
  const underWay = new Set<Promise<void>>();
  const loop: Loop = startLoop({
    ...{ name: 'settlements', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: async () => {
      for (const source of await claim(app, AT_ONCE - underWay.size)) {
        const fetched = fetchOne(app, source).finally(() => {
          underWay.delete(fetched);
          // A slot is free now, and a further page may be due.
          loop.poke();
        });
        underWay.add(fetched);
      }
      return rematchDue(app);
    },
  });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

/** Fetches one page of each due payment service and matches due differences again. True when more may be due. */
export async function fetchDueSettlements(app: App): Promise<boolean> {
  const due = await claim(app, AT_ONCE);
  await Promise.all(due.map((source) => fetchOne(app, source)));
  return (await rematchDue(app)) || due.length > 0;
}

async function claim(app: App, limit: number): Promise<readonly SettlementSource[]> {
  if (limit <= 0) return [];
  const now = app.clock.now();
  const definitions = definitionsWith(app, 'settlement_reporting');
  return claimSources(app.db, { now, leaseUntil: leaseOf(app, now), limit, definitions });
}

/** Fetches one page. A page that throws is logged, and fetched again after the lease. */
async function fetchOne(app: App, source: SettlementSource): Promise<void> {
  const { merchantAccountId, paymentServiceId } = source;
  try {
    await fetchPage(app, source);
  } catch (error) {
    // The message may hold a secret, so the log names the kind of error only.
    const name = error instanceof Error ? error.name : typeof error;
    app.log.error(
      { merchantAccountId, paymentServiceId, error: name },
      'A page of settlements was not stored.',
    );
  }
}
