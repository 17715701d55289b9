import { existsSync } from 'node:fs';
import { OperatorError } from '../../platform/operator-error.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { findService, type Access, type AccessOptions } from '../service/access.ts';
import { findNamed, readAccount, readActive, readVersion, type Account, type Version } from './account.ts';
import { shortRange } from './words/difference.ts';
import { readRoutingFile, writeRoutingFile, type RoutingFile } from './file.ts';
import { simple } from './names.ts';
import { namedRules } from './plan-push.ts';
import { readNumber } from './options.ts';

export type PullOptions = AccessOptions & {
  readonly ruleSet?: string | undefined;
  readonly number?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Writes a version of a rule set into a file. With `--json` prints the file instead. */
export async function pull(path: string, options: PullOptions): Promise<void> {
  const number = readNumber(options.number);
  const former = existsSync(path) ? await readRoutingFile(path) : null;
  const access = findService('routing', options);
  const account = await readAccount(access);
  const version = await versionFor(access, account, options.ruleSet ?? former?.ruleSet, number);
  const file = fileOf(version, account, former);
  if (options.json) return printJson(file);
  await writeRoutingFile(path, file);
  console.log(`${path} has version ${version.number} of the rule set "${version.ruleSet.name}".`);
}

async function versionFor(
  access: Access,
  account: Account,
  given: string | undefined,
  number: number | null,
): Promise<Version> {
  const name = given ?? (await readActive(access))?.version?.ruleSet.id ?? onlyOne(account);
  const ruleSet = findNamed('rule set', account.ruleSets, name);
  if (!ruleSet) throw new OperatorError(`No rule set has the name or the id "${name}".`);
  const version = await readVersion(access, ruleSet, number ?? ruleSet.latestVersion);
  if (version) return version;
  throw new OperatorError(
    number === null
      ? `The rule set "${ruleSet.name}" has no version yet.`
      : `The rule set "${ruleSet.name}" has no version ${number}. The latest is ${ruleSet.latestVersion}.`,
  );
}

function onlyOne({ ruleSets }: Account): string {
  const [first, ...others] = ruleSets;
  if (!first) throw new OperatorError('The merchant account has no rule set. Write a file, and push it.');
  if (others.length > 0) throw new UsageError('Name one of several rule sets with --rule-set.');
  return first.id;
}

/** Returns the file of a version. Names stand for ids where one record alone has the name. */
function fileOf(version: Version, account: Account, former: RoutingFile | null): RoutingFile {
  const { ruleSet, note, valueSets } = version;
  const isUnique = account.ruleSets.filter(({ name }) => name === ruleSet.name).length === 1;
  return {
    ...(former?.$schema !== undefined && { $schema: former.$schema }),
    ruleSet: isUnique ? ruleSet.name : ruleSet.id,
    ...(note !== null && { note }),
    valueSets: valueSets.map(({ valueSet: { id, name, kind }, values }) => ({
      ...(account.valueSets.filter((each) => each.name === name).length > 1 && { id }),
      name,
      kind,
      values: values.map(shortRange),
    })),
    rules: namedRules(version, account).map(simple),
  };
}
