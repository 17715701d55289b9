import { OperatorError } from '../../platform/operator-error.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { forErrors } from '../colours.ts';
import { EXIT, RefusedError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { findService, type Access, type AccessOptions } from '../service/access.ts';
import { askService } from '../service/ask.ts';
import { readAccount, readVersion, type Account, type ValueSet } from './account.ts';
import { readRoutingFile, type RoutingFile } from './file.ts';
import { withIds, withValues } from './names.ts';
import { findRuleSet, planPush, type PushPlan } from './plan-push.ts';
import { refuseMistakes } from './mistakes.ts';

export type PushOptions = AccessOptions & {
  readonly dryRun?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly json?: boolean | undefined;
};

type Warning = { readonly code: string; readonly rule: number; readonly message: string };

/**
 * Makes a version of a file's rules, after a dry run. Prints the differences in words, and the warnings on standard error. Does
 * nothing if the latest version has these rules already.
 */
export async function push(path: string, options: PushOptions): Promise<void> {
  const file = await readRoutingFile(path);
  const access = findService('routing', options);
  const account = await readAccount(access);
  const ruleSet = findRuleSet(file, account);
  const latest = ruleSet && (await readVersion(access, ruleSet, ruleSet.latestVersion));
  const plan = planPush(file, account, latest);
  refuseMistakes(plan, file);
  const isChecked = plan.needsVersion || options.strict === true;
  const warnings = isChecked ? await check(access, plan, file, account) : [];
  report(plan, warnings, file, options);
  if (options.strict && warnings.length > 0) {
    if (options.json) printJson({ changes: plan.changes, warnings, version: null });
    throw new RefusedError('The rules have warnings, and --strict refuses them. Nothing was changed.');
  }
  const isDone = plan.changes.length === 0;
  const isPlanned = options.dryRun === true && !isDone;
  const version = isDone || isPlanned ? null : await carryOut(access, plan, file, account);
  if (options.json) printJson({ changes: plan.changes, warnings, version });
  else console.log(endOf({ isDone, isPlanned, version }, path));
  if (isPlanned) process.exitCode = EXIT.differs;
}

type End = {
  readonly isDone: boolean;
  readonly isPlanned: boolean;
  readonly version: { readonly number: number } | null;
};

function endOf({ isDone, isPlanned, version }: End, path: string): string {
  if (isDone) return 'Nothing to do.';
  if (isPlanned) return 'Nothing was changed, because this was a dry run.';
  if (version === null) return 'The value sets are as in the file. No rule needs a new version.';
  return `Version ${version.number} is made. Activate it with: ${howToRun('routing', `activate ${path}`)}`;
}

function report(
  { changes }: PushPlan,
  warnings: readonly Warning[],
  { rules }: RoutingFile,
  { json }: PushOptions,
): void {
  if (!json) for (const line of changes) console.log(line);
  for (const { rule, message } of warnings) {
    const name = JSON.stringify(rules[rule - 1]?.['name']);
    process.stderr.write(`${forErrors.yellow(`Warning for rule ${rule}, ${name}: ${message}`)}\n`);
  }
}

const CHECK = `mutation ($ruleSetId: ID, $input: CreateRoutingRuleSetVersionInput!) {
  done: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input, dryRun: true) {
    warnings { code rule message } userErrors { path message } } }`;

async function check(
  access: Access,
  { ruleSet }: PushPlan,
  file: RoutingFile,
  account: Account,
): Promise<readonly Warning[]> {
  const input = { rules: withValues(file, account), note: file.note };
  const variables = { ruleSetId: ruleSet?.id ?? null, input };
  return (await change<{ readonly warnings: readonly Warning[] }>(access, CHECK, variables)).warnings;
}

const NEW_SET = `mutation ($input: CreateRoutingValueSetInput!) {
  done: createRoutingValueSet(input: $input) { routingValueSet { id name kind values } userErrors { path message } } }`;
const CHANGE_SET = `mutation ($id: ID!, $input: UpdateRoutingValueSetInput!) {
  done: updateRoutingValueSet(id: $id, input: $input) { routingValueSet { id } userErrors { path message } } }`;
const NEW_RULE_SET = `mutation ($input: CreateRoutingRuleSetInput!) {
  done: createRoutingRuleSet(input: $input) { routingRuleSetId userErrors { path message } } }`;
const NEW_VERSION = `mutation ($ruleSetId: ID!, $input: CreateRoutingRuleSetVersionInput!) {
  done: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input) {
    routingRuleSetVersion { id number } userErrors { path message } } }`;

/**
 * Carries a plan out: value sets, the rule set, the version. A push that breaks in between is finished by the next one, which finds
 * the rest to do. No payment changes its way before the activation.
 */
async function carryOut(
  access: Access,
  plan: PushPlan,
  file: RoutingFile,
  account: Account,
): Promise<Made | null> {
  const added: ValueSet[] = [];
  for (const input of plan.newValueSets) {
    const made = await change<{ readonly routingValueSet: ValueSet }>(access, NEW_SET, { input });
    added.push(made.routingValueSet);
  }
  for (const { stored, own } of plan.changedValueSets)
    await change(access, CHANGE_SET, { id: stored.id, input: { values: own.values } });
  if (!plan.needsVersion) return null;
  const ruleSetId = plan.ruleSet?.id ?? (await makeRuleSet(access, file));
  const rules = withIds(file, { ...account, valueSets: [...account.valueSets, ...added] });
  const input = { rules, note: file.note };
  const made = await change<{ readonly routingRuleSetVersion: Made }>(access, NEW_VERSION, {
    ...{ ruleSetId, input },
  });
  return made.routingRuleSetVersion;
}

type Made = { readonly id: string; readonly number: number };

async function makeRuleSet(access: Access, { ruleSet: name }: RoutingFile): Promise<string> {
  const made = await change<{ readonly routingRuleSetId: string }>(access, NEW_RULE_SET, { input: { name } });
  return made.routingRuleSetId;
}

type Payload = {
  readonly userErrors: readonly { readonly path: readonly string[] | null; readonly message: string }[];
};

/** Runs a mutation. Throws a RefusedError with each reason, under the path of its part in the file. */
export async function change<Done>(
  access: Access,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Done> {
  const { data, errors = [] } = await askService(access, { query, variables });
  const messages = errors.map(({ message }) => message).join('\n');
  if (errors.some(({ extensions }) => extensions?.code === 'BAD_USER_INPUT'))
    throw new RefusedError(messages);
  if (errors.length > 0) throw new OperatorError(messages);
  const done = data?.['done'] as Payload & Done;
  if (done.userErrors.length > 0)
    throw new RefusedError(
      done.userErrors
        .map(
          ({ path, message }) => `${(path ?? []).filter((part) => part !== 'input').join('.')}: ${message}`,
        )
        .join('\n'),
    );
  return done;
}
