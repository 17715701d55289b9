import type { App, Viewer } from '../../../app.ts';
import { findCircuits, orderForeseen, type RoutingOfServices } from '../../payment-services/index.ts';
import type { Choice } from '../model/operation.ts';

/** The conditions under which a payment reaches a candidate, and the sentence about them. */
export type Way = { readonly choices: readonly Choice[]; readonly message: string };

/** The effect of an open circuit: the candidate is set behind the others, or tried again at its place. */
type Effect = 'behind' | 'tried';

type Heeded = {
  /** The routing with its candidates in the order of a payment of this moment. */
  readonly routing: RoutingOfServices;
  /** The effects by the ids of the candidates. */
  readonly circuits: ReadonlyMap<string, Effect>;
};

/** Puts the candidates in the order that open circuits leave. Circuits decide nothing about a single candidate. */
export async function heedCircuits(
  app: App,
  { merchantAccountId }: Viewer,
  routing: RoutingOfServices,
  named: boolean,
): Promise<Heeded> {
  if (named || routing.candidates.length < 2) return { routing, circuits: new Map() };
  const ids = routing.candidates.map(({ id }) => id);
  const found = await findCircuits(app, merchantAccountId, ids);
  const byService = new Map(found.map((circuit) => [circuit.paymentServiceId, circuit]));
  const known = routing.candidates.map((each) => ({ ...each, circuit: byService.get(each.id) ?? null }));
  const now = app.clock.now();
  const candidates = orderForeseen(known, now);
  const isAnyWell = candidates.some(({ circuit }) => circuit === null);
  const effects = candidates.flatMap(({ id, circuit }): [string, Effect][] => {
    if (!circuit || !isAnyWell) return [];
    return [[id, circuit.tryAgainAt > now ? 'behind' : 'tried']];
  });
  return { routing: { ...routing, candidates }, circuits: new Map(effects) };
}

/** Adds the effect of an open circuit to the way to a candidate. */
export const withCircuit = (
  way: Way,
  effect: Effect | undefined,
): Way & { readonly isSetBehind: boolean } => ({
  ...way,
  isSetBehind: effect === 'behind',
  message: effect === undefined ? way.message : `${way.message} ${SENTENCES[effect]}`,
});

const SENTENCES = {
  behind: 'The provider of this payment service fails, so the service comes after those that are well.',
  tried:
    'The provider of this payment service failed. One payment at a time tries the service again, and the others ask the service last.',
} as const satisfies Record<Effect, string>;
