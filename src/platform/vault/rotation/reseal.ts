import { failpoint } from '../../failpoint.ts';
import { createDataKeys } from '../data-keys.ts';
import type { Rotation } from './rotation.ts';
import {
  countOutdated,
  countSealed,
  findSealed,
  replaceSealed,
  START,
  type Position,
  type Resealed,
  type SealedValue,
} from './rotation-store.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../sealed-columns.ts';
import { createVault, openSealed, type Vault } from '../vault.ts';

export type Resealing = {
  readonly resealed: number;
  readonly unreadable: readonly string[];
  readonly left: number;
};

/**
 * Seals again every value that an earlier version has sealed, column by column. Retired versions open here. A value is
 * replaced only if it is still the opened value, so concurrent writes of servers stay. With `dryRun` every value is
 * opened and nothing is written.
 */
export async function reseal(rotation: Rotation): Promise<Resealing> {
  const opener = createDataKeys({ ...rotation, openRetired: true });
  const vault = createVault(rotation);
  const open = async ({ context, sealed }: SealedValue): Promise<string | null> => {
    const opened = await openSealed(opener, context, sealed);
    return opened.ok ? opened.value : null;
  };
  const columns: Resealing[] = [];
  for (const place of SEALED_COLUMNS) columns.push(await resealColumn({ ...rotation, vault, open }, place));
  return {
    resealed: columns.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: columns.flatMap(({ unreadable }) => unreadable),
    left: columns.reduce((sum, { left }) => sum + left, 0),
  };
}

type Work = Rotation & {
  readonly vault: Vault;
  /** Returns the clear text, or null when no key opens it. */
  readonly open: (value: SealedValue) => Promise<string | null>;
};

/**
 * The most walks over a column. A row is usually locked for milliseconds. After the last walk, its lock counts as
 * permanent.
 */
const WALKS_MAX = 40;
const BETWEEN_WALKS_MS = 250;

async function resealColumn(work: Work, place: SealedColumn): Promise<Resealing> {
  const { db, clock, dryRun, say } = work;
  const total = await (dryRun ? countSealed : countOutdated)(db, place);
  let resealed = 0;
  for (let walk = 1; ; walk += 1) {
    const once = await walkColumn(work, place, (done) => {
      resealed += done;
      say(
        `${place.table}.${place.column}: ${resealed} of ${total} values ${dryRun ? 'open' : 'sealed again'}.`,
      );
    });
    // A complete walk is the last. An incomplete walk is followed by another after a pause.
    if (once.left === 0 || walk === WALKS_MAX) return { ...once, resealed };
    await clock.sleep(BETWEEN_WALKS_MS);
  }
}

async function walkColumn(
  work: Work,
  place: SealedColumn,
  report: (done: number) => void,
): Promise<Omit<Resealing, 'resealed'>> {
  const { db, batch, dryRun } = work;
  const unreadable: string[] = [];
  let left = 0;
  for (let after: Position = START; ;) {
    const values = await findSealed(db, place, { after, limit: batch, all: dryRun });
    const last = values.at(-1);
    if (!last) return { unreadable, left };
    const { fit, unfit } = await openAll(work, values);
    unreadable.push(...unfit);
    const done = dryRun ? fit.length : await replaceSealed(db, place, fit);
    left += fit.length - done;
    report(done);
    await failpoint('rotation.batch');
    after = [last.context.merchantAccountId, last.context.rowId];
  }
}

/** Separates the values that open from those that do not. Seals them again unless this is a dry run. */
async function openAll(
  { vault, open, dryRun }: Work,
  values: readonly SealedValue[],
): Promise<{ readonly fit: readonly Resealed[]; readonly unfit: readonly string[] }> {
  const fit: Resealed[] = [];
  const unfit: string[] = [];
  for (const value of values) {
    const { context } = value;
    const clear = await open(value);
    if (clear === null) unfit.push(`${context.table}.${context.column} ${context.rowId}`);
    else fit.push({ ...value, resealed: dryRun ? '' : await vault.seal(context, clear) });
  }
  return { fit, unfit };
}
