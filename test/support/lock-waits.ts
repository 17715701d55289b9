import type { App } from '../../src/app.ts';

/** Resolves when a statement waits for the locks of this backend. */
export async function somebodyWaitsFor({ db }: App, pid: number): Promise<void> {
  for (;;) {
    const waiting = await db.prisma.$queryRaw<readonly unknown[]>`
      SELECT pid FROM pg_stat_activity WHERE ${pid}::int = ANY (pg_blocking_pids(pid))`;
    if (waiting.length > 0) return;
  }
}
