import { EXIT, UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { findService, type AccessOptions } from '../service/access.ts';
import { readAccount, readActive, type Version } from './account.ts';
import { differenceOf } from './words/difference.ts';
import { readRoutingFile } from './file.ts';
import { namedRules } from './plan-push.ts';
import { plannedWords, readPlanned } from './planned.ts';
import { change } from './push.ts';
import { readMoment, readNumber } from './options.ts';
import { versionOf } from './version-of.ts';

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
  const activeFrom = readMoment('--at', options.at);
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
