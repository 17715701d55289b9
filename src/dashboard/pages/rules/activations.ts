/** The parts of an activation that order activations. */
export type Activated = {
  readonly id: string;
  readonly activeFrom: string;
  readonly createdAt: string;
  readonly canceledAt: string | null;
  readonly version: { readonly id: string } | null;
};

export type ActivationState = 'ACTIVE' | 'PLANNED' | 'PAST' | 'REPLACED' | 'CANCELED';

/** Tells the state of each activation by its id. The service names the active one, so no clock of a browser decides. */
export function statesOf(
  activations: readonly Activated[],
  active: Activated | null,
): ReadonlyMap<string, ActivationState> {
  const kept = activations.filter(({ canceledAt }) => canceledAt === null);
  const latestOf = new Map(kept.toSorted(byBeginning).map((each) => [timeOf(each), each.id]));
  const stateOf = (each: Activated): ActivationState => {
    if (each.canceledAt !== null) return 'CANCELED';
    if (each.id === active?.id) return 'ACTIVE';
    if (latestOf.get(timeOf(each)) !== each.id) return 'REPLACED';
    return active === null || timeOf(each) > timeOf(active) ? 'PLANNED' : 'PAST';
  };
  return new Map(activations.map((each) => [each.id, stateOf(each)]));
}

/** Lists the activations that have not begun, the next one first. */
export function plannedOf<Activation extends Activated>(
  activations: readonly Activation[],
  active: Activated | null,
): readonly Activation[] {
  const states = statesOf(activations, active);
  return activations.filter(({ id }) => states.get(id) === 'PLANNED').toSorted(byBeginning);
}

/**
 * Finds the version that decided before the active one. Null: no rules decided. Undefined: there is nothing to go back to, or it
 * lies behind the listed activations.
 */
export function formerOf<Activation extends Activated>(
  activations: readonly Activation[],
  active: Activated | null,
  isWhole: boolean,
): Activation['version'] | undefined {
  if (!active) return undefined;
  const states = statesOf(activations, active);
  const before = activations
    .filter(({ id }) => states.get(id) === 'PAST')
    .toSorted(byBeginning)
    .findLast(({ version }) => version?.id !== active.version?.id);
  if (before) return before.version;
  return isWhole && active.version !== null ? null : undefined;
}

const timeOf = ({ activeFrom }: Activated): number => Date.parse(activeFrom);

const byBeginning = (one: Activated, other: Activated): number =>
  timeOf(one) - timeOf(other) || Date.parse(one.createdAt) - Date.parse(other.createdAt);
