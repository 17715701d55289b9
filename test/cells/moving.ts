import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { App } from '../../src/app.ts';
import { chainOnce } from '../../src/modules/audit/index.ts';
import { projectOnce } from '../../src/modules/reports/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemIds } from '../../src/platform/ids.ts';
import type { MoveApp } from '../../src/platform/moves/depart.ts';
import { closeAccount } from '../../src/platform/moves/give-up.ts';
import { exportAccount } from '../../src/platform/moves/export-account.ts';
import { connectOnce } from '../../src/platform/postgres/connect.ts';
import { localKeyProvider } from '../../src/platform/vault/master-key/local-keys.ts';
import type { KeyProvider } from '../../src/platform/vault/master-key/key-provider.ts';
import { masterKeyOf } from '../support/master-key.ts';
import { relayAll } from '../support/relay-all.ts';
import { until } from '../support/until.ts';

/** A cell as the command of a move works on it. */
export type CellAtHand = MoveApp & { readonly close: () => Promise<void> };

/** Opens the database of a cell for steps of a move. No process has to learn of them, so the steps wait for none. */
export async function openCell(url: string): Promise<CellAtHand> {
  const client: pg.Client = await connectOnce(url);
  const clock = { ...systemClock, sleep: () => systemClock.sleep(5) };
  return { client, clock, ids: systemIds, say: () => undefined, close: () => client.end() };
}

/** The keys of a test's master key. */
export const keysOf = (seed: number): KeyProvider =>
  localKeyProvider({ masterKeys: [masterKeyOf(seed)], ids: systemIds });

/** Creates a folder for files of accounts. */
export async function openFolder(): Promise<{
  readonly at: (name: string) => string;
  close(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-moves-'));
  return { at: (name) => join(folder, name), close: () => rm(folder, { recursive: true, force: true }) };
}

const WAITS = { callsMs: 0, logsMs: 40_000 };

/** Exports an account while its workers read the logs. Waits for no call that is under way. */
export const exportWithWorkers = async (
  cell: CellAtHand,
  app: App,
  { account, path }: { readonly account: string; readonly path: string },
): Promise<void> => void (await withWorkers(app, exportAccount(cell, { account, cell: 'b', path }, WAITS)));

/** Closes an account that is in the cell b, while the workers read the logs. */
export const closeWithWorkers = (cell: CellAtHand, app: App, account: string): Promise<void> =>
  withWorkers(app, closeAccount(cell, { account, cell: 'b' }, WAITS));

async function withWorkers<Value>(app: App, work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const working = work.finally(() => (isOver = true));
  // The last line rejects with the error of work that failed.
  working.catch(() => undefined);
  await until(async () => {
    await relayAll(app);
    while (await chainOnce(app)) continue;
    while (await projectOnce(app)) continue;
    return isOver;
  }, 'the hold');
  return await working;
}
