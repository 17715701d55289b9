import type { FileValueSet, Json } from '../file.ts';
import { canonical } from '../names.ts';
import { actionWords, conditionWords, listed, listIn, ruleWords } from './rule-words.ts';

/**
 * Lists, in words, the changes that make `after` of `before`. Rules are compared by their names, because a split draws by the name.
 * Empty for rules that mean the same.
 */
export function differenceOf(before: readonly Json[], after: readonly Json[]): readonly string[] {
  const former = new Map(before.map((rule) => [rule['name'], rule]));
  const names = new Set(after.map(({ name }) => name));
  const stay = (rules: readonly Json[]): readonly unknown[] =>
    rules.map(({ name }) => name).filter((name) => former.has(name) && names.has(name));
  const moved = new Set(outOfOrder(stay(before), stay(after)));
  return [
    ...before.filter(({ name }) => !names.has(name)).map(({ name }) => `Rule ${quoted(name)} is gone.`),
    ...after.flatMap((rule, index) => {
      const { name } = rule;
      const old = former.get(name);
      if (!old) return [`Rule ${quoted(name)} is new at position ${index + 1}: ${ruleWords(rule)}.`];
      const from = before.indexOf(old) + 1;
      const move = moved.has(name)
        ? [`Rule ${quoted(name)} moves from position ${from} to ${index + 1}.`]
        : [];
      return [...move, ...changesOf(old, rule)];
    }),
  ];
}

function changesOf(before: Json, after: Json): readonly string[] {
  const rule = `Rule ${quoted(after['name'])}`;
  const [old, now] = [listIn(before['conditions']), listIn(after['conditions'])];
  const gone = without(old, now).map((each) => `${rule} loses the condition: ${conditionWords(each)}.`);
  const added = without(now, old).map((each) => `${rule} gets the condition: ${conditionWords(each)}.`);
  const changes = [...gone, ...added];
  if (canonical(before['action']) !== canonical(after['action']))
    changes.push(
      `${rule} changes from: ${actionWords(before['action'])}; to: ${actionWords(after['action'])}.`,
    );
  const [oldWish, wish] = [wishOf(before), wishOf(after)];
  if (oldWish !== wish) changes.push(`${rule} changes threeDSecure from ${oldWish} to ${wish}.`);
  // Conditions in another order mean the same, but make another version.
  const isSame = canonical(before) === canonical(after);
  return isSame || changes.length > 0 ? changes : [`${rule} lists its conditions in another way.`];
}

const wishOf = ({ threeDSecure }: Json): string =>
  typeof threeDSecure === 'string' ? threeDSecure : 'no wish';

function without(some: readonly Json[], others: readonly Json[]): readonly Json[] {
  const known = new Set(others.map(canonical));
  return some.filter((each) => !known.has(canonical(each)));
}

/** Lists the items that leave their order. The longest common sequence of both orders stays. */
function outOfOrder(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const places = new Map(before.map((item, place) => [item, place]));
  const placeOf = (item: unknown): number => places.get(item) ?? -1;
  // The longest sequence in order that ends with each item.
  const runs: (readonly unknown[])[] = [];
  for (const item of after) {
    const earlier = runs.filter((_, other) => placeOf(after[other]) < placeOf(item));
    runs.push([...longest(earlier), item]);
  }
  const kept = new Set(longest(runs));
  return after.filter((item) => !kept.has(item));
}

const longest = (runs: readonly (readonly unknown[])[]): readonly unknown[] =>
  runs.reduce((best, run) => (run.length > best.length ? run : best), []);

/** Says the difference of two lists of values. Empty for the same values in any order. */
export function valuesDifference(
  { name }: Pick<FileValueSet, 'name'>,
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  const [old, now] = [before.map(shortRange), after.map(shortRange)];
  const added = now.filter((value) => !old.includes(value));
  const gone = old.filter((value) => !now.includes(value));
  const changes = [
    ...(added.length > 0 ? [`gets ${listed(added, 'and')}`] : []),
    ...(gone.length > 0 ? [`loses ${listed(gone, 'and')}`] : []),
  ];
  return changes.length === 0 ? [] : [`The value set ${quoted(name)} ${changes.join(', and ')}.`];
}

/** Returns a range of one BIN as that BIN. A version shows both as a range. */
export const shortRange = (value: string): string => value.replace(/^(\d{6,8})-\1$/, '$1');

const quoted = (name: unknown): string => JSON.stringify(name);
