/** Counts by group and name. */
export type Tally = Map<string, Map<string, number>>;

export function count(tally: Tally, group: string, name: string, times = 1): void {
  const names = tally.get(group) ?? new Map<string, number>();
  names.set(name, (names.get(name) ?? 0) + times);
  tally.set(group, names);
}

/** Adds one tally to another. */
export function addTally(to: Tally, from: Tally): void {
  for (const [group, names] of from) for (const [name, times] of names) count(to, group, name, times);
}

export const totalOf = (tally: Tally, group: string): number =>
  [...(tally.get(group)?.values() ?? [])].reduce((sum, times) => sum + times, 0);

export type TallyJson = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const tallyToJson = (tally: Tally): TallyJson =>
  Object.fromEntries([...tally].map(([group, names]) => [group, Object.fromEntries(names)]));

export const tallyFromJson = (json: TallyJson): Tally =>
  new Map(Object.entries(json).map(([group, names]) => [group, new Map(Object.entries(names))]));
