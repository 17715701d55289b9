import { OperatorError } from '../../platform/operator-error.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { RefusedError } from '../exit-code.ts';
import type { Access } from '../service/access.ts';
import { readVersion, type Account, type Version } from './account.ts';
import type { RoutingFile } from './file.ts';
import { findRuleSet, planPush } from './plan-push.ts';

type Sought = { readonly number: number | null; readonly path: string };

/**
 * Finds the version with the number. Without a number, finds the latest version, which must have the rules of the file. Throws a
 * RefusedError if the file was not pushed.
 */
export async function versionOf(
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
