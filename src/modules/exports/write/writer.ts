import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { SOURCES } from '../sources/sources.ts';
import { claimExport, recordPage, type Claimed } from './claim.sql.ts';
import { writeRows } from './file.ts';

/** The pause of an idle loop. */
const IDLE_MS = 500;

/** The time for a page. A condition that few of many records meet takes the longest, some minutes. */
const LEASE_MS = 5 * 60_000;

/** The lifetime of a file. */
const FILE_MS = 7 * 24 * 3_600_000;

/** The failed attempts in a row that end an export, and the pause after the first. */
const FAILURES_MAX = 5;
const PAUSE_MS = 10_000;

/**
 * Starts the loop that writes exports, one page at a time and the exports in turn. Every process may run one. One process
 * at a time works on an export. When that process dies, another continues after the last committed page.
 */
export const startExportWriter = (app: App): Loop =>
  startLoop({
    ...{ name: 'exports', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => writeNextChunk(app),
  });

/**
 * Writes the next page of the export that has waited longest. Keeps one page and its text in memory, and no transaction
 * open while reading. Returns true when more work may be due. A crash before the commit leaves the file without the page.
 */
export async function writeNextChunk(app: App): Promise<boolean> {
  const now = app.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const claimed = await claimExport(app.db, { now, leaseUntil, lease: app.ids.uuid() });
  if (!claimed) return false;
  await failpoint('exports.claimed');
  try {
    await writePage(app, claimed);
  } catch (error) {
    await recordFailure(app, claimed, error);
  }
  return true;
}

async function writePage(app: App, claimed: Claimed): Promise<void> {
  const { merchantAccountId, type, format, filter, createdAt: until, position: after, chunks } = claimed;
  const source = SOURCES[type];
  const read = await source.read(app, { merchantAccountId, filter, until, after });
  await failpoint('exports.read');
  const now = app.clock.now();
  const end = { endedAt: now, nextAt: now, failures: 0 };
  if (!read.ok) {
    await recordPage(app.db, claimed, { ...end, status: 'failed', failureReason: read.refusals[0] });
    return;
  }
  const { rows, position, hasMore } = read.value;
  const written = writeRows(format, source.columns, rows, chunks === 0);
  const isCut = written.rows < rows.length;
  const added = { ...written, position: isCut ? written.position : position };
  const expiresAt = new Date(now.getTime() + FILE_MS);
  const change =
    isCut || hasMore ? { nextAt: now, failures: 0 } : { ...end, status: 'succeeded' as const, expiresAt };
  await recordPage(app.db, claimed, change, added);
  await failpoint('exports.committed');
}

/** Ends the export after several failures in a row. Before, another attempt follows after a pause. */
async function recordFailure(app: App, claimed: Claimed, error: unknown): Promise<void> {
  const { merchantAccountId, id } = claimed;
  app.log.error({ merchantAccountId, exportId: id, err: error }, 'A page of an export was not written.');
  const now = app.clock.now();
  const failures = claimed.failures + 1;
  const nextAt = new Date(now.getTime() + failures * PAUSE_MS);
  await recordPage(
    app.db,
    claimed,
    failures < FAILURES_MAX
      ? { nextAt, failures }
      : { nextAt: now, failures, endedAt: now, status: 'failed', failureReason: 'internal_error' },
  );
}
