import type { Access } from '../service/access.ts';
import { readAll, type Named } from './account.ts';

/** The version of an activation. Null: the order of positions decides. */
type Deciding = { readonly id: string; readonly number: number; readonly ruleSet: Named } | null;

/** An activation that has not begun. */
export type Planned = { readonly id: string; readonly activeFrom: string; readonly version: Deciding };

type Listed = Planned & { readonly canceledAt: string | null; readonly apiKeyPairId: string | null };

/**
 * Reads the activations of the merchant account that have not begun, the next one first. Leaves out those of keys. The later one of two with the same moment counts. The activation
 * that decides now tells the time, so no clock of this computer does.
 */
export async function readPlanned(access: Access, active: { readonly activeFrom: string } | null) {
  const listed = await readAll<Listed>(
    access,
    'routingActivations',
    'id activeFrom canceledAt apiKeyPairId version { id number ruleSet { id name } }',
  );
  const ahead = listed.filter(
    ({ activeFrom, canceledAt, apiKeyPairId }) =>
      canceledAt === null &&
      apiKeyPairId === null &&
      (active === null || Date.parse(activeFrom) > Date.parse(active.activeFrom)),
  );
  // The list begins with the newest, which then replaces the older one of the same moment.
  const byMoment = new Map(ahead.toReversed().map((each) => [Date.parse(each.activeFrom), each]));
  return [...byMoment.entries()]
    .toSorted(([one], [other]) => one - other)
    .map(([, { id, activeFrom, version }]): Planned => ({ id, activeFrom, version }));
}

/** Says a planned activation in words. */
export const plannedWords = ({ id, activeFrom, version }: Planned): string =>
  `Planned: ${nameOf(version)} decides from ${activeFrom} on (activation ${id}).`;

/** Names a version with its rule set. Null is the order of positions. */
export const nameOf = (version: Pick<NonNullable<Deciding>, 'number' | 'ruleSet'> | null): string =>
  version ? `version ${version.number} of "${version.ruleSet.name}"` : 'the order of positions';
