import type { Circuit } from './circuit.ts';

/** The effect of open circuits on a payment, as stored with the transaction. */
export type CircuitDecision = {
  /** The ids of the services that were set behind the others. */
  readonly setBehind: readonly string[];
  /** The ids of the services that the payment tried again. */
  readonly tried: readonly string[];
};

type Ordered = { readonly id: string; readonly circuit: Circuit | null };

/**
 * Adds the effect of the circuits on an attempt to the effects before. The services are those of the attempt. `tried` names the one to
 * be tried again, or is null. Returns null if no circuit had an effect.
 */
export function decisionAfter(
  before: CircuitDecision | null,
  { services, tried }: { readonly services: readonly Ordered[]; readonly tried: string | null },
): CircuitDecision | null {
  const hasFirst = tried !== null || services.some(({ circuit }) => circuit === null);
  const open = services.filter(({ circuit }) => hasFirst && circuit !== null).map(({ id }) => id);
  const setBehind = new Set([...(before?.setBehind ?? []), ...open]);
  const decision = {
    setBehind: [...setBehind].filter((id) => id !== tried),
    tried: [...(before?.tried ?? []), ...(tried === null ? [] : [tried])],
  };
  return decision.setBehind.length + decision.tried.length === 0 ? null : decision;
}
