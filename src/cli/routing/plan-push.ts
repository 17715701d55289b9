import { findNamed, type Account, type RuleSet, type ValueSet, type Version } from './account.ts';
import { differenceOf, valuesDifference } from './words/difference.ts';
import type { FileValueSet, Json, RoutingFile } from './file.ts';
import { ownOf, valueSetOf, withIds, withNames } from './names.ts';
import { listed } from './words/rule-words.ts';

/** A value set of a file that the service has with other values. */
export type ChangedValueSet = { readonly stored: ValueSet; readonly own: FileValueSet };

/** The work of a push. */
export type PushPlan = {
  /** Null for a rule set that does not exist yet. */
  readonly ruleSet: RuleSet | null;
  readonly newValueSets: readonly FileValueSet[];
  readonly changedValueSets: readonly ChangedValueSet[];
  /** True if the rules, or the values that they copy, differ from those of the latest version. */
  readonly needsVersion: boolean;
  /** Every change in words. Empty if there is nothing to do. */
  readonly changes: readonly string[];
};

/** Compares a file with the latest version of its rule set, and with the value sets. Throws a RefusedError for an unknown name. */
export function planPush(file: RoutingFile, account: Account, latest: Version | null): PushPlan {
  const ruleSet = findRuleSet(file, account);
  const sets = file.valueSets.map((own) => ({ ...valueSetOf(own.id ?? own.name, file, account), own }));
  const newValueSets = sets.flatMap(({ own, stored }) => (stored ? [] : [own]));
  const compared = sets.flatMap(({ own, stored }) =>
    stored ? [{ own, stored, words: valuesDifference(own, stored.values, own.values) }] : [],
  );
  const changedValueSets = compared.filter(({ words }) => words.length > 0);
  const rules = ruleChanges(file, account, latest);
  const stale = staleCopies(file, account, latest, changedValueSets);
  return {
    ...{ ruleSet, newValueSets, changedValueSets },
    needsVersion: rules.length > 0 || stale.isStale,
    changes: [
      ...(ruleSet ? [] : [`The rule set "${file.ruleSet}" is new.`]),
      ...newValueSets.map(({ name, values }) => `The value set "${name}" is new: ${listed(values, 'and')}.`),
      ...changedValueSets.flatMap(({ words }) => words),
      ...stale.words,
      ...rules,
    ],
  };
}

/** Finds the rule set of a file. Null if the file has a new name. */
export const findRuleSet = ({ ruleSet }: RoutingFile, { ruleSets }: Account): RuleSet | null =>
  findNamed('rule set', ruleSets, ruleSet);

/** Says the differences between the rules of a version and of a file. */
export const ruleChanges = (
  file: RoutingFile,
  account: Account,
  version: Version | null,
): readonly string[] =>
  differenceOf(namedRules(version, account), withNames(withIds(file, account), account));

/** Returns the rules of a version with names in place of ids. */
export const namedRules = (version: Version | null, account: Account): readonly Json[] =>
  withNames(version?.rules ?? [], account);

type Stale = { readonly isStale: boolean; readonly words: readonly string[] };

/** Compares the values that a version copied with those that a new version would copy. */
function staleCopies(
  { valueSets }: RoutingFile,
  account: Account,
  latest: Version | null,
  changed: readonly ChangedValueSet[],
): Stale {
  const stale = (latest?.valueSets ?? []).filter(({ valueSet, values }) => {
    const now = account.valueSets.find(({ id }) => id === valueSet.id) ?? valueSet;
    const own = ownOf(valueSets, now.name, now);
    return valuesDifference(now, values, (own ?? now).values).length > 0;
  });
  const told = new Set(changed.map(({ stored }) => stored.id));
  const words = stale
    .filter(({ valueSet }) => !told.has(valueSet.id))
    .map(({ valueSet }) => `The rules copy the value set "${valueSet.name}" anew.`);
  return { isStale: stale.length > 0, words };
}
