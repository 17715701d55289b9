import type { App, Viewer } from '../../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { createOrRefuse, refuseKey } from '../../idempotency/index.ts';
import { createVersionInput, type GivenRule } from '../input/rules.ts';
import { checkRules, namedIn, namedInConditions, type ServiceTerms, type Warning } from '../model/check.ts';
import { CHARACTERS_MAX } from '../model/limits.ts';
import type { Rule } from '../model/rule.ts';
import { countVersion, findRuleSetsByIds, insertVersion } from '../store.ts';
import { recordRuleSetEvent } from './event.ts';
import type { Kept, StoredVersion } from '../model/rule-set.ts';
import { resolveValueSets } from './resolve-value-sets.ts';
import { readServiceTerms } from './service-terms.ts';

export type CreatedVersion = {
  /** Null after a dry run. */
  readonly version: StoredVersion | null;
  readonly warnings: readonly Warning[];
  /** True when the answer comes from the record of the idempotency key. */
  readonly replayed: boolean;
};

export type VersionRefusal = InvalidInput | NotFound | IdempotencyRefusal;

type Request = {
  /** Null only with `dryRun`: the rules of a rule set that is not made yet. */
  readonly ruleSetId?: string | null | undefined;
  readonly input: unknown;
  /** True to check the rules alone. */
  readonly dryRun: boolean;
  readonly idempotencyKey?: string | null | undefined;
};

/**
 * Adds a version to a rule set, with warnings about its weaknesses. A version never changes, and decides only after its activation.
 * Refuses a payment service that the merchant account does not have. Commits once: the version, the event of its rule set and the
 * record of the idempotency key. A dry run stores nothing and uses no key.
 */
export async function createRoutingRuleSetVersion(
  app: App,
  viewer: Viewer,
  { ruleSetId: givenId, input, dryRun, idempotencyKey }: Request,
): Promise<Result<CreatedVersion, VersionRefusal>> {
  const parsed = parseInput(createVersionInput, input);
  const badKey = refuseKey(idempotencyKey);
  if (!parsed.ok) return badKey ? refuse(...parsed.refusals, badKey) : parsed;
  if (badKey) return refuse(badKey);
  const ruleSetId = givenId?.toLowerCase() ?? null;
  const { merchantAccountId } = viewer;
  const { note } = parsed.value;
  const checked = await checkVersion(app, viewer, parsed.value.rules);
  if (dryRun) return await answerDryRun(app, { merchantAccountId, ruleSetId }, checked);
  if (ruleSetId === null) return refuse(NO_RULE_SET);
  const now = app.clock.now();
  const once = {
    ...{ merchantAccountId, operation: 'createRoutingRuleSetVersion', key: idempotencyKey, now },
    input: { ruleSetId, input: parsed.value },
  };
  const created = await createOrRefuse(app.db, once, async (tx): Promise<Result<Made, VersionRefusal>> => {
    if (!checked.ok) return checked;
    const { rules, warnings } = checked.value;
    const ruleSet = await countVersion(tx, { merchantAccountId, id: ruleSetId }, now);
    if (!ruleSet) return refuse(notFound('routing rule set', ['ruleSetId']));
    const version = {
      ...{ merchantAccountId, id: app.ids.uuid(), ruleSetId: ruleSet.id, number: ruleSet.latestVersion },
      ...{ rules, note, createdAt: now },
    };
    await insertVersion(tx, version);
    await recordRuleSetEvent(app, tx, 'updated', ruleSet);
    return ok({ version: { ...version, createdAt: now.toISOString() }, warnings });
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  const { version, warnings } = value;
  return ok({ version: { ...version, createdAt: new Date(version.createdAt) }, warnings, replayed });
}

type Made = { readonly version: Kept<StoredVersion>; readonly warnings: readonly Warning[] };

type Checked = { readonly rules: readonly Rule[]; readonly warnings: readonly Warning[] };

/** Copies value sets into the rules, and lists the weaknesses of the rules. Refuses an unknown value set or payment service. */
async function checkVersion(
  app: App,
  viewer: Viewer,
  given: readonly GivenRule[],
): Promise<Result<Checked, InvalidInput>> {
  const resolved = await resolveValueSets(app, viewer.merchantAccountId, given);
  if (!resolved.ok) return resolved;
  const rules = resolved.value;
  if (JSON.stringify(rules).length > CHARACTERS_MAX) return refuse(TOO_LONG);
  const services = await readServiceTerms(
    app,
    viewer,
    rules.flatMap((rule) => namedServices(rule)),
  );
  const [first, ...more] = unknownServices(rules, services);
  return first ? refuse(first, ...more) : ok({ rules, warnings: checkRules(rules, services) });
}

async function answerDryRun(
  app: App,
  { merchantAccountId, ruleSetId }: { readonly merchantAccountId: string; readonly ruleSetId: string | null },
  checked: Result<Checked, InvalidInput>,
): Promise<Result<CreatedVersion, VersionRefusal>> {
  if (!checked.ok) return checked;
  if (ruleSetId !== null) {
    const [ruleSet] = await findRuleSetsByIds(app.db, merchantAccountId, [ruleSetId]);
    if (!ruleSet) return refuse(notFound('routing rule set', ['ruleSetId']));
  }
  return ok({ version: null, warnings: checked.value.warnings, replayed: false });
}

const NO_RULE_SET = invalidInput(['ruleSetId'], 'Name the rule set. Only a dry run goes without.');

const TOO_LONG = invalidInput(
  ['input', 'rules'],
  `Must have at most ${CHARACTERS_MAX} characters in all, with the copied value sets. Divide long lists among rule sets.`,
);

const unknownServices = (
  rules: readonly Rule[],
  services: readonly ServiceTerms[],
): readonly InvalidInput[] =>
  rules.flatMap(({ action, conditions }, index) =>
    Object.entries({ action: namedIn(action), conditions: namedInConditions(conditions) })
      .filter(([, ids]) => ids.some((id) => services.every((service) => service.id !== id)))
      .map(([part]) => invalidInput(['input', 'rules', String(index), part], UNKNOWN_SERVICE)),
  );

const namedServices = ({ action, conditions }: Rule): readonly string[] => [
  ...namedIn(action),
  ...namedInConditions(conditions),
];

const UNKNOWN_SERVICE = 'Must name payment services of the merchant account that are not deleted.';
