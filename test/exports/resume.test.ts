import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeNextChunk } from '../../src/modules/exports/index.ts';
import { claimExport, recordChunk } from '../../src/modules/exports/write/claim.sql.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { recordTestEvent } from '../support/record-test-event.ts';
import { relayAll } from '../support/relay-all.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { until } from '../support/until.ts';
import { exportingAs, linesOf, textOf, writeAll, type Exporting } from './exporting.ts';

/** Two whole pages and a part of a third. */
const ENTRIES = 1_204;

/** Longer than the time for a chunk, so that each page is a chunk of its own. */
const SLOW_MS = 1_000;

/** Longer than the lease of a chunk. */
const LEASE_MS = 6 * 60_000;

let harness: Harness;
let exporting: Exporting;
let readFast: () => void;

/** Makes each page slow, except at points where a test has an action of its own. */
const readSlowly = (): void => {
  readFast = setFailpoint('*', async (name) => {
    if (name === 'exports.read') await harness.pass(SLOW_MS);
  });
};

beforeAll(async () => {
  harness = await startHarness();
  await harness.captured();
  const { prisma } = harness.server.app.db;
  const first = await prisma.ledgerEntry.findFirstOrThrow({ omit: { position: true } });
  // Reversals of one operation are told apart by their key.
  const more = Array.from({ length: ENTRIES - (await prisma.ledgerEntry.count()) }, (_, index) => ({
    ...{ ...first, id: harness.server.app.ids.uuid() },
    ...{ kind: 'capture_reversal', reversalKey: `r ${index}`, amount: index + 1 },
  }));
  await prisma.ledgerEntry.createMany({ data: more });
  exporting = exportingAs(harness.server);
  readSlowly();
});
afterAll(async () => {
  readFast();
  await harness.stop();
});

const input = { type: 'LEDGER', format: 'CSV' };
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The file without any crash. */
const whole = async (): Promise<string> => textOf(await exporting.made(input));

it('writes several pages in one chunk', async () => {
  readFast();
  const { exportId } = await exporting.create(input);
  await writeNextChunk({ ...harness.server.app, clock: createSteppedClock() });
  readSlowly();

  const where = { id: exportId ?? '' };
  const row = await harness.server.app.db.prisma.export.findFirstOrThrow({ where });
  expect(row).toMatchObject({ status: 'succeeded', rowsWritten: ENTRIES });
});

it('stores a text in pieces, whatever its size', async () => {
  const { exportId } = await exporting.create(input);
  const { app } = harness.server;
  const now = app.clock.now();
  const claimed = await claimExport(app.db, { now, leaseUntil: now, lease: app.ids.uuid() });
  const content = Buffer.from('ä€'.repeat(500_000));
  const end = { status: 'succeeded', endedAt: now, expiresAt: new Date(now.getTime() + LEASE_MS) } as const;
  if (claimed)
    await recordChunk(
      app.db,
      claimed,
      { failures: 0, nextAt: now, end },
      { content, rows: 1, position: '1' },
    );

  const where = { exportId: exportId ?? '' };
  const pieces = await app.db.prisma.exportChunk.findMany({ where, orderBy: { number: 'asc' } });
  expect(pieces.map(({ number }) => number)).toEqual(pieces.map((_, index) => index + 1));
  expect(pieces.at(0)?.content.length).toBe(65_536);
  expect(pieces.at(-1)?.content.length).toBe(content.length % 65_536);
  const made = await exporting.find(exportId ?? '');
  expect(made && digestOf(await textOf(made))).toBe(digestOf(content.toString()));
});

it('writes slow pages one by one, and shows the progress', async () => {
  const { exportId } = await exporting.create({ type: 'LEDGER', format: 'NDJSON' });
  const id = exportId ?? '';
  const seen = [await exporting.find(id)];
  while (await writeNextChunk(harness.server.app)) seen.push(await exporting.find(id));

  expect(seen.map((one) => [one?.status, one?.rowsWritten])).toEqual([
    ...[
      ['PENDING', 0],
      ['RUNNING', 500],
      ['RUNNING', 1000],
      ['SUCCEEDED', ENTRIES],
    ],
  ]);
  expect(seen.map((one) => one?.downloadUrl !== null)).toEqual([false, false, false, true]);
  const found = seen.at(-1);
  expect(found && new Set(linesOf(await textOf(found)).map(({ id: entry }) => entry)).size).toBe(ENTRIES);
});

it.each(['exports.claimed', 'exports.read', 'exports.writing'])(
  'continues after a process that stands still at %s, and refuses its late page',
  async (point) => {
    const expected = digestOf(await whole());
    const { exportId } = await exporting.create(input);
    await writeNextChunk(harness.server.app);
    let release = (): void => undefined;
    const still = new Promise<void>((resolve) => (release = resolve));
    let reached = false;
    const remove = setFailpoint(point, () => {
      reached = true;
      return still;
    });
    const frozen = writeNextChunk(harness.server.app);
    await until(() => reached);
    remove();
    await harness.pass(LEASE_MS);
    await writeAll(harness.server);
    release();
    await frozen;
    await writeAll(harness.server);

    const made = await exporting.find(exportId ?? '');
    expect(made).toMatchObject({ status: 'SUCCEEDED', rowsWritten: ENTRIES });
    expect(made && digestOf(await textOf(made))).toBe(expected);
  },
);

it.each(['exports.read', 'exports.writing', 'exports.committed'])(
  'writes no row twice after a failure at %s',
  async (point) => {
    const expected = digestOf(await whole());
    const { exportId } = await exporting.create(input);
    await writeNextChunk(harness.server.app);
    const remove = setFailpoint(point, () => {
      throw new Error('stopped');
    });
    // The failure cannot be recorded either, as without a database.
    await writeNextChunk(harness.server.app).catch(() => undefined);
    remove();
    await harness.pass(LEASE_MS);
    await writeAll(harness.server);

    const made = await exporting.find(exportId ?? '');
    expect(made).toMatchObject({ status: 'SUCCEEDED', rowsWritten: ENTRIES });
    expect(made && digestOf(await textOf(made))).toBe(expected);
  },
);

it('fails after five failures in a row, keeps no conditions and removes the chunks', async () => {
  const { exportId } = await exporting.create({
    ...input,
    filter: { ledger: { createdAtGte: new Date(0) } },
  });
  await writeNextChunk(harness.server.app);
  const remove = setFailpoint('exports.read', () => {
    throw new Error('stopped');
  });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await writeNextChunk(harness.server.app);
    await harness.pass(LEASE_MS);
  }
  remove();

  const made = await exporting.find(exportId ?? '');
  expect(made).toMatchObject({ status: 'FAILED', failureReason: 'INTERNAL_ERROR', downloadUrl: null });
  const where = { id: exportId ?? '' };
  const row = await harness.server.app.db.prisma.export.findFirstOrThrow({ where });
  expect(row).toMatchObject({ filter: null, lease: null, rowsWritten: 500, expiresAt: null });
});

it('fails when retention removes events that were not read yet', async () => {
  const { app, merchantAccountId } = harness.server;
  for (let event = 1; event <= 150; event += 1)
    await app.db.transaction((tx) =>
      recordTestEvent(tx, {
        ...{ merchantAccountId, id: app.ids.uuid(), name: 'test.happened', createdAt: app.clock.now() },
        ...{ production: false, target: { type: 'test', id: 'one' } },
      }),
    );
  await relayAll(app);
  const { exportId } = await exporting.create({ type: 'EVENTS', format: 'NDJSON' });
  await writeNextChunk(app);
  expect(await exporting.find(exportId ?? '')).toMatchObject({ status: 'RUNNING', rowsWritten: 100 });
  await app.db.prisma.feedHead.updateMany({ where: { merchantAccountId }, data: { floor: 120n } });
  await writeAll(harness.server);

  const made = await exporting.find(exportId ?? '');
  expect(made).toMatchObject({ status: 'FAILED', failureReason: 'RECORDS_REMOVED', downloadUrl: null });
});

it('lets two workers share the exports, and writes each row of each export once', async () => {
  const expected = digestOf(await whole());
  const ids = [await exporting.create(input), await exporting.create(input), await exporting.create(input)];
  await Promise.all([writeAll(harness.server), writeAll(harness.server)]);
  // A worker that found the last export claimed has stopped early.
  await writeAll(harness.server);

  for (const { exportId } of ids) {
    const made = await exporting.find(exportId ?? '');
    expect(made && digestOf(await textOf(made))).toBe(expected);
  }
});
