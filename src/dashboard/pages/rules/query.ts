import type {
  ActivateRoutingRuleSetInput,
  RoutingActivation,
  RoutingDecision,
  RoutingRuleSet,
  RoutingRuleSetVersion,
} from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api, idOf, isUuid } from '../../app/data/api.ts';
import { pageOf, readAll, rowsOf, type Ask } from '../../app/data/pages.ts';
import type { Rule } from './rule.ts';

/** The name of a version. */
export const VERSION_NAME = { id: true, number: true, ruleSet: { id: true, name: true } } as const;

export type VersionName = Answer<RoutingRuleSetVersion, typeof VERSION_NAME>;

/** The selection of the decision of rules about a payment. */
export const DECISION = {
  ...{ rule: true, ruleName: true, share: true, refusalCode: true, version: VERSION_NAME },
  retries: { attempt: true, rule: true, ruleName: true, share: true },
} as const;

/** The decision of rules about a payment. */
export type Decision = Answer<RoutingDecision, typeof DECISION>;

const ACTIVATION = {
  ...{ id: true, apiKeyPairId: true, activeFrom: true, note: true, createdAt: true, canceledAt: true },
  version: VERSION_NAME,
} as const;

export type Activation = Answer<RoutingActivation, typeof ACTIVATION>;

/** The activations of the page of rules, newest first. */
const ACTIVATIONS_SHOWN = 50;

/** The activation that decides now, and the latest ones. */
export type Activity = {
  readonly active: Activation | null;
  readonly activations: readonly Activation[];
  /** True if the list begins with the very first activation. */
  readonly isWhole: boolean;
};

/** Reads which version decides for the merchant account, and the activations before and after. Those of keys are left out. */
export async function readActivity(signal: AbortSignal): Promise<Activity> {
  const { activeRouting, routingActivations } = await api.query(
    {
      activeRouting: ACTIVATION,
      routingActivations: [{ first: ACTIVATIONS_SHOWN }, pageOf(ACTIVATION)],
    },
    { signal },
  );
  const { rows, hasMore } = rowsOf(routingActivations);
  const activations = rows.filter(({ apiKeyPairId }) => apiKeyPairId === null);
  return { active: activeRouting, activations, isWhole: !hasMore };
}

const RULE_SET = { id: true, name: true, latestVersion: true, updatedAt: true } as const;

export type RuleSet = Answer<RoutingRuleSet, typeof RULE_SET>;

/** Reads a page of the rule sets, newest first. */
export async function readRuleSets({ after, signal }: Ask) {
  const wanted = [{ first: 50, after }, pageOf(RULE_SET)] as const;
  return rowsOf((await api.query({ routingRuleSets: wanted }, { signal })).routingRuleSets);
}

/** Reads a rule set. Null without such a rule set. */
export async function readRuleSet(id: string, signal: AbortSignal): Promise<RuleSet | null> {
  if (!isUuid(id)) return null;
  return (await api.query({ routingRuleSet: [{ id }, RULE_SET] }, { signal })).routingRuleSet;
}

const LINE = { id: true, number: true, note: true, createdAt: true } as const;

/** A version in a list, without its rules. */
export type VersionLine = Answer<RoutingRuleSetVersion, typeof LINE>;

/** Reads a page of the versions of a rule set, newest first. */
export async function readVersions(ruleSetId: string, { after, signal }: Ask) {
  const wanted = [{ ruleSetId, first: 20, after }, pageOf(LINE)] as const;
  return rowsOf((await api.query({ routingRuleSetVersions: wanted }, { signal })).routingRuleSetVersions);
}

const VERSION = {
  ...LINE,
  rules: true,
  valueSets: { valueSetId: true, name: true },
  ruleSet: RULE_SET,
} as const;

/** A version with its rules. */
export type Version = Omit<Answer<RoutingRuleSetVersion, typeof VERSION>, 'rules'> & {
  readonly rules: readonly Rule[];
};

/** Reads a version. Null without such a version. The API answers its rules in the form of their input. */
export async function readVersion(id: string, signal: AbortSignal): Promise<Version | null> {
  if (!isUuid(id)) return null;
  const { routingRuleSetVersion: version } = await api.query(
    { routingRuleSetVersion: [{ id }, VERSION] },
    { signal },
  );
  return version && { ...version, rules: version.rules as unknown as readonly Rule[] };
}

/** Checks rules without storing them. Returns their weaknesses. */
export async function checkRules(ruleSetId: string, rules: readonly Rule[], signal?: AbortSignal) {
  const given = { ruleSetId, input: { rules }, dryRun: true };
  const { createRoutingRuleSetVersion } = await api.mutate(
    { createRoutingRuleSetVersion: [given, { warnings: { code: true, rule: true, message: true } }] },
    signal && { signal },
  );
  return createRoutingRuleSetVersion.warnings;
}

/** A weakness of a rule. */
export type Warning = Awaited<ReturnType<typeof checkRules>>[number];

/** The rules of a new version. */
type NewVersion = { readonly ruleSetId: string; readonly rules: readonly Rule[]; readonly note: string };

/** Adds a version to a rule set. Returns its id. */
export async function createVersion(
  { ruleSetId, rules, note }: NewVersion,
  idempotencyKey: string,
): Promise<string> {
  const input = { rules, ...(note.trim() !== '' && { note: note.trim() }) };
  const { createRoutingRuleSetVersion } = await api.mutate({
    createRoutingRuleSetVersion: [{ ruleSetId, input, idempotencyKey }, { routingRuleSetVersionId: true }],
  });
  return idOf(createRoutingRuleSetVersion.routingRuleSetVersionId);
}

/** Creates a rule set. Returns its id. */
export async function createRuleSet(name: string, idempotencyKey: string): Promise<string> {
  const { createRoutingRuleSet } = await api.mutate({
    createRoutingRuleSet: [{ input: { name }, idempotencyKey }, { routingRuleSetId: true }],
  });
  return idOf(createRoutingRuleSet.routingRuleSetId);
}

/** Makes a version decide, or none. */
export const activate = (input: ActivateRoutingRuleSetInput, idempotencyKey: string) =>
  api.mutate({ activateRoutingRuleSet: [{ input, idempotencyKey }, { routingActivationId: true }] });

/** Cancels an activation that has not begun. */
export const cancelActivation = (id: string) =>
  api.mutate({ cancelRoutingActivation: [{ id }, { routingActivation: { id: true } }] });

const SERVICE = {
  ...{ id: true, displayName: true, method: true, acceptedCurrencies: true, acceptedCountries: true },
  ...{ paymentServiceDefinitionId: true, position: true, active: true, status: true, isDeleted: true },
  definition: { displayName: true },
} as const;

const VALUE_SET = { id: true, name: true, kind: true } as const;

const DECLINE_CODE = { code: true, description: true, goesOn: true } as const;

const DELETED = { id: true, displayName: true } as const;

/**
 * Reads the values that rules name: the account's payment services and value sets, and the codes of declines. Old rules name deleted
 * services, too.
 */
export async function readOwn(signal: AbortSignal) {
  const [services, deleted, valueSets, declineCodes] = await Promise.all([
    readAll(signal, async ({ after }) => {
      const wanted = [{ first: 100, after }, pageOf(SERVICE)] as const;
      return rowsOf((await api.query({ paymentServices: wanted }, { signal })).paymentServices);
    }),
    readAll(signal, async ({ after }) => {
      const wanted = [{ first: 100, after, deleted: true }, pageOf(DELETED)] as const;
      return rowsOf((await api.query({ paymentServices: wanted }, { signal })).paymentServices);
    }),
    readAll(signal, async ({ after }) => {
      const wanted = [{ first: 100, after }, pageOf(VALUE_SET)] as const;
      return rowsOf((await api.query({ routingValueSets: wanted }, { signal })).routingValueSets);
    }),
    api.query({ declineCodes: DECLINE_CODE }, { signal }).then((answer) => answer.declineCodes),
  ]);
  return { services, deleted, valueSets, declineCodes };
}

/** The account's own values. */
export type Own = Awaited<ReturnType<typeof readOwn>>;
