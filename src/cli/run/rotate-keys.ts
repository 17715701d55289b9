import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/process/config.ts';
import { openDb } from '../../platform/database/db.ts';
import { registerFailpoints } from '../../platform/failpoint.ts';
import { systemIds } from '../../platform/ids.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { UsageError } from '../exit-code.ts';
import { openKeyProvider } from '../../platform/vault/master-key/open-keys.ts';
import { rotateKeys, type Rotated } from '../../platform/vault/rotation/rotate.ts';
import { requireThisVersion, withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { printJson } from '../json.ts';

/** The options as written on the command line. */
export type RotateOptions = {
  readonly dryRun?: boolean;
  readonly batch: string;
  /** Seconds. */
  readonly wait: string;
  readonly json?: boolean | undefined;
};

/**
 * Rotates keys and prints each step. With `--json` the steps are on standard error, and the result is JSON. Ends with an error when a value does not open or stayed locked. The key of such a
 * value is not retired.
 */
export async function rotateKeysCommand(options: RotateOptions): Promise<void> {
  const config = readConfig();
  const batch = readNumber('--batch', options.batch, 1, 1_000);
  const waitMs = readNumber('--wait', options.wait, 0, 86_400) * 1_000;
  registerFailpoints(config.PAYGRAPH_FAILPOINTS);
  const { dryRun = false, json = false } = options;
  await withDatabase(config, async (url) => {
    const rotated = await rotate(config, url, { dryRun, batch, waitMs, json });
    if (json) printJson({ dryRun, ...rotated });
    else console.log(summary(rotated, dryRun));
    const faults = faultsOf(rotated);
    if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  });
}

type Settings = {
  readonly dryRun: boolean;
  readonly batch: number;
  readonly waitMs: number;
  readonly json: boolean;
};

async function rotate(config: Config, url: string, { json, ...settings }: Settings): Promise<Rotated> {
  const keys = await openKeyProvider(config, systemIds);
  const db = openDb({ url, connectionMax: 8, applicationName: 'paygraph rotate-keys' });
  try {
    await requireThisVersion(db);
    const say = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
    return await rotateKeys({ db, keys, ids: systemIds, clock: systemClock, say, ...settings });
  } finally {
    await db.close();
  }
}

function summary({ rewrapped, renewed, resealed, retired }: Rotated, dryRun: boolean): string {
  const what = `${rewrapped} data keys wrapped again, ${renewed} created, ${resealed} values sealed again, ${retired} data keys retired`;
  return dryRun
    ? `Nothing was changed. A rotation would give: ${what}.`
    : `Done: ${what}. Former master keys are no longer needed.`;
}

/** Returns the faults for the operator, as sentences. */
function faultsOf({ unreadable, left }: Rotated): string[] {
  return [
    ...(unreadable.length > 0
      ? [`Values that no key opens, because they were changed or moved: ${unreadable.join(', ')}.`]
      : []),
    ...(left > 0 ? [`${left} values stayed locked and keep their former seal. Run rotate-keys again.`] : []),
  ];
}

function readNumber(option: string, text: string, min: number, max: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new UsageError(`${option}: must be a whole number from ${min} to ${max}.`);
}
