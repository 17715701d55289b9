import type { App } from '../../../app.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import type { ExportFailure } from '../export.ts';
import { SOURCES } from '../sources/sources.ts';
import { claimExport, recordChunk, type Added, type Claimed } from './claim.sql.ts';
import { beginText } from './file.ts';

/** The pause of an idle loop. */
const IDLE_MS = 500;

/** The time for a chunk. A condition that few of many records meet takes the longest, some minutes for a page. */
const LEASE_MS = 5 * 60_000;

/** The time after which a chunk ends with the page that is being read. So the progress of slow pages shows, and exports take turns. */
const CHUNK_MS = 1_000;

/** The lifetime of a file. */
const FILE_MS = 7 * 24 * 3_600_000;

/** The failed attempts in a row that end an export, and the pause after the first. */
const FAILURES_MAX = 5;
const PAUSE_MS = 10_000;

/**
 * Starts the loop that writes exports, one chunk at a time and the exports in turn. Every process may run one. One process
 * at a time works on an export. When that process dies, another continues after the last committed chunk.
 */
export const startExportWriter = (app: App): Loop =>
  startLoop({
    ...{ name: 'exports', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => writeNextChunk(app),
  });

/**
 * Writes the next chunk of the export that has waited longest, from as many pages as fill it. Keeps one page and the text in memory,
 * and no transaction open while reading. Returns true when more work may be due. A crash before the commit leaves the file
 * without the chunk.
 */
export async function writeNextChunk(app: App): Promise<boolean> {
  const now = app.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const claimed = await claimExport(app.db, { now, leaseUntil, lease: app.ids.uuid() });
  if (!claimed) return false;
  await failpoint('exports.claimed');
  try {
    await writeChunk(app, claimed);
  } catch (error) {
    await recordFailure(app, claimed, error);
  }
  return true;
}

async function writeChunk(app: App, claimed: Claimed): Promise<void> {
  const read = await readChunk(app, claimed);
  const now = app.clock.now();
  const change = { nextAt: now, failures: 0 };
  if (!read.ok) {
    const end = { status: 'failed', failureReason: read.refusals[0], endedAt: now } as const;
    await recordChunk(app.db, claimed, { ...change, end });
    return;
  }
  const { hasMore, ...added } = read.value;
  const expiresAt = new Date(now.getTime() + FILE_MS);
  const end = { status: 'succeeded', endedAt: now, expiresAt } as const;
  await failpoint('exports.writing');
  await recordChunk(app.db, claimed, hasMore ? change : { ...change, end }, added);
  await failpoint('exports.committed');
}

/** Reads pages until their text fills a chunk, the time for a chunk is over, or no page is left. */
async function readChunk(
  app: App,
  { merchantAccountId, type, filter, createdAt: until, position, chunks, ...form }: Claimed,
): Promise<Result<Added & { readonly hasMore: boolean }, ExportFailure>> {
  const source = SOURCES[type];
  const text = beginText(form, source.columns, chunks === 0);
  const endsAt = app.clock.now().getTime() + CHUNK_MS;
  for (let after = position; ;) {
    const read = await source.read(app, { merchantAccountId, filter, until, after });
    await failpoint('exports.read');
    if (!read.ok) return read;
    const { rows, hasMore } = read.value;
    const taken = text.add(rows);
    const isCut = taken < rows.length;
    after = (isCut ? rows[taken - 1]?.position : read.value.position) ?? after;
    if (isCut || !hasMore || app.clock.now().getTime() >= endsAt)
      return ok({ ...text.written(), position: after, hasMore: isCut || hasMore });
  }
}

/** Ends the export after several failures in a row. Before, another attempt follows after a pause. */
async function recordFailure(app: App, claimed: Claimed, error: unknown): Promise<void> {
  const { merchantAccountId, id } = claimed;
  app.log.error({ merchantAccountId, exportId: id, err: error }, 'A chunk of an export was not written.');
  const now = app.clock.now();
  const failures = claimed.failures + 1;
  const nextAt = new Date(now.getTime() + failures * PAUSE_MS);
  await recordChunk(
    app.db,
    claimed,
    failures < FAILURES_MAX
      ? { nextAt, failures }
      : { nextAt: now, failures, end: { status: 'failed', failureReason: 'internal_error', endedAt: now } },
  );
}
