import { OperatorError } from '../../platform/operator-error.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { EXIT, RefusedError, UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { findService, type Access, type AccessOptions } from '../service/access.ts';
import { readAccount, readActive, readVersion, type Account, type Version } from './account.ts';
import { differenceOf } from './difference.ts';
import { readRoutingFile, type RoutingFile } from './file.ts';
import { findRuleSet, namedRules, planPush } from './plan-push.ts';
import { plannedWords, readPlanned } from './planned.ts';
import { change } from './push.ts';
import { readNumber } from './version-number.ts';

export type ActivateOptions = AccessOptions & {
  readonly number?: string | undefined;
  readonly at?: string | undefined;
  readonly note?: string | undefined;
  readonly none?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
};

/**
 * Makes the version of a file decide about payments, and prints the differences to the version that decides now. With a number, a
 * former version decides again. With `--none`, the order of positions decides.
 */
export async function activate(path: string, options: ActivateOptions): Promise<void> {
  const number = readNumber(options.number);
  const activeFrom = readMoment(options.at);
  if (options.none && number !== null) throw new UsageError('Give one of --number and --none.');
  const file = options.none ? null : await readRoutingFile(path);
  const access = findService('routing', options);
  const account = await readAccount(access);
  const version = file && (await versionOf(access, account, file, { number, path }));
  const activation = await readActive(access);
  const active = activation?.version ?? null;
  const isDone = (active?.id ?? null) === (version?.id ?? null) && activeFrom === null;
  const changes = differenceOf(namedRules(active, account), namedRules(version, account));
  if (!options.json) for (const line of changes) console.log(line);
  const isPlanned = options.dryRun === true && !isDone;
  const input = { versionId: version?.id ?? null, activeFrom, note: options.note };
  if (!isDone && !isPlanned) await change(access, ACTIVATE, { input });
  const planned = await readPlanned(access, isDone || isPlanned ? activation : await readActive(access));
  if (options.json)
    printJson({ changes, version: version && { id: version.id, number: version.number }, planned });
  else
    for (const line of [endOf({ isDone, isPlanned, version, activeFrom }), ...planned.map(plannedWords)])
      console.log(line);
  if (isPlanned) process.exitCode = EXIT.differs;
}

const ACTIVATE = `mutation ($input: ActivateRoutingRuleSetInput!) {
  done: activateRoutingRuleSet(input: $input) { routingActivationId userErrors { path message } } }`;

type Sought = { readonly number: number | null; readonly path: string };

/** Finds the version with the number. Without a number, finds the latest version, which must have the rules of the file. */
async function versionOf(
  access: Access,
  account: Account,
  file: RoutingFile,
  { number, path }: Sought,
): Promise<Version> {
  const ruleSet = findRuleSet(file, account);
  const version = ruleSet && (await readVersion(access, ruleSet, number ?? ruleSet.latestVersion));
  if (number !== null) {
    if (version) return version;
    throw new OperatorError(`The rule set "${file.ruleSet}" has no version ${number}.`);
  }
  const { changes } = planPush(file, account, version);
  if (version && changes.length === 0) return version;
  throw new RefusedError(
    `The latest version differs from ${path}. Push the file first: ${howToRun('routing', `push ${path}`)}`,
  );
}

function readMoment(text: string | undefined): string | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new UsageError('--at: must be a moment such as 2026-01-31T08:00:00Z.');
}

type End = {
  readonly isDone: boolean;
  readonly isPlanned: boolean;
  readonly version: Version | null;
  readonly activeFrom: string | null;
};

function endOf({ isDone, isPlanned, version, activeFrom }: End): string {
  if (isDone) return 'Nothing to do.';
  if (isPlanned) return 'Nothing was changed, because this was a dry run.';
  const what = version ? `Version ${version.number} of "${version.ruleSet.name}"` : 'The order of positions';
  return activeFrom === null ? `${what} decides now.` : `${what} decides from ${activeFrom} on.`;
}
