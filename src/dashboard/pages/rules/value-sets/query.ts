import type { RoutingValueKind, RoutingValueSet } from '../../../../client/generated/schema.ts';
import type { Answer } from '../../../../client/operations/selection.ts';
import { api } from '../../../app/data/api.ts';
import { pageOf, rowsOf, type Ask } from '../../../app/data/pages.ts';
import { readRuleSets, VERSION_NAME, type VersionName } from '../query.ts';
import type { Rule } from '../rule.ts';
import { usersOf } from './uses.ts';

const VALUE_SET = { id: true, name: true, kind: true, values: true, updatedAt: true } as const;

/** A named list of values. */
export type ValueSet = Answer<RoutingValueSet, typeof VALUE_SET>;

/** Reads a page of the value sets, newest first. */
export async function readValueSets({ after, signal }: Ask) {
  const wanted = [{ first: 20, after }, pageOf(VALUE_SET)] as const;
  return rowsOf((await api.query({ routingValueSets: wanted }, { signal })).routingValueSets);
}

/** A version whose rules use a value set. */
export type Use = { readonly version: VersionName; readonly rules: readonly string[] };

const RULES = { ...VERSION_NAME, rules: true } as const;

/** Finds the rules that use a value set. Looks at the active version, and at the latest version of the first 50 rule sets. */
export async function readUses(valueSetId: string, signal: AbortSignal): Promise<readonly Use[]> {
  const sets = await readRuleSets({ after: null, signal });
  const [{ activeRouting }, ...latest] = await Promise.all([
    api.query({ activeRouting: { version: RULES } }, { signal }),
    ...sets.rows.map(async ({ id }) => {
      const wanted = [{ ruleSetId: id, first: 1 }, { nodes: RULES }] as const;
      return (await api.query({ routingRuleSetVersions: wanted }, { signal })).routingRuleSetVersions.nodes;
    }),
  ]);
  const versions = [...(activeRouting?.version ? [activeRouting.version] : []), ...latest.flat()];
  const once = new Map(versions.map((version) => [version.id, version]));
  return [...once.values()]
    .map((version) => ({ version, rules: usersOf(valueSetId, version.rules as unknown as readonly Rule[]) }))
    .filter(({ rules }) => rules.length > 0);
}

/** A value set as a person fills it in. */
export type Filled = {
  readonly name: string;
  readonly kind: RoutingValueKind;
  readonly values: readonly string[];
};

/** Creates a value set. */
export const createValueSet = (input: Filled, idempotencyKey: string) =>
  api.mutate({ createRoutingValueSet: [{ input, idempotencyKey }, { routingValueSetId: true }] });

/** Changes the name and the values. The kind never changes. */
export const updateValueSet = (id: string, { name, values }: Filled) =>
  api.mutate({
    updateRoutingValueSet: [{ id, input: { name, values } }, { routingValueSet: { id: true } }],
  });
