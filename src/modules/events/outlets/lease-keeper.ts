import type { App } from '../../../app.ts';
import { accountAwayOf, type Db } from '../../../platform/database/db.ts';
import { commitPositions, giveBackLease, takeLease, type Lease, type Positions } from './outlets.sql.ts';

/** The right of this process to publish for an outlet. */
export type LeaseKeeper = {
  /**
   * Takes or keeps the lease. Returns `taken` when the lease was not held before. Returns `other` while another process
   * has the lease.
   */
  hold(): Promise<'kept' | 'taken' | 'other'>;
  /** Keeps the lease while work runs. */
  during<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Stores the last published sequences, unless another process has taken the lease. Then the lease counts as lost. */
  commit(positions: Positions): Promise<void>;
  giveBack(): Promise<void>;
};

/** After a crash, another process takes over within this time. */
const LEASE_S = 6;

/** The lease is lengthened so often. */
const RENEW_MS = 1_500;

/** Creates the keeper of an outlet's lease. The clock of Postgres decides, so the processes' clocks may differ. */
export function createLeaseKeeper({ db, ids }: App, outlet: string): LeaseKeeper {
  const lease = { outlet, lease: ids.uuid() };
  let renewedAt = -Infinity;
  let isMine = false;
  const renew = async (): Promise<void> => {
    const before = performance.now();
    isMine = await takeLease(db, lease, LEASE_S);
    if (isMine) renewedAt = before;
  };
  return {
    hold: async () => {
      const wasMine = isMine && performance.now() - renewedAt < LEASE_S * 1_000;
      if (wasMine && performance.now() - renewedAt < RENEW_MS) return 'kept';
      await renew();
      return isMine ? (wasMine ? 'kept' : 'taken') : 'other';
    },
    during: async (work) => {
      // Without a renewal, the lease ends and another process continues. It first asks what the broker has.
      let renewing = Promise.resolve();
      const timer = setInterval(() => {
        renewing = renew().catch(() => undefined);
      }, RENEW_MS);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        // A renewal after the end of the lease would take it back.
        await renewing;
      }
    },
    commit: async (positions) => {
      if (!(await commitOthers(db, lease, positions))) isMine = false;
    },
    giveBack: async () => {
      if (!isMine) return;
      isMine = false;
      await giveBackLease(db, lease);
    },
  };
}

/**
 * Stores positions. Returns false if another process has taken the lease. An account that moves to another cell keeps its
 * position. The outlet of that cell publishes the last events again.
 */
async function commitOthers(db: Db, lease: Lease, positions: Positions): Promise<boolean> {
  if (positions.size === 0) return true;
  try {
    return (await commitPositions(db, lease, positions)) === positions.size;
  } catch (error) {
    const away = accountAwayOf(error);
    if (away === null || !positions.has(away)) throw error;
    return await commitOthers(db, lease, new Map([...positions].filter(([account]) => account !== away)));
  }
}
