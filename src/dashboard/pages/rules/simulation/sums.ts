type Move = {
  readonly fromPaymentServiceId: string | null;
  readonly toPaymentServiceId: string | null;
  readonly payments: number;
};

/** The payments that ask a service first, then and in the simulation. Null: no service. */
export type Sum = { readonly serviceId: string | null; readonly then: number; readonly now: number };

/** Sums the moves by service, those with the most payments first. */
export function sumsOf(moves: readonly Move[]): readonly Sum[] {
  const ids = new Set(moves.flatMap((move) => [move.fromPaymentServiceId, move.toPaymentServiceId]));
  const sum = (found: readonly Move[]): number => found.reduce((total, { payments }) => total + payments, 0);
  return [...ids]
    .map((serviceId) => ({
      serviceId,
      then: sum(moves.filter((move) => move.fromPaymentServiceId === serviceId)),
      now: sum(moves.filter((move) => move.toPaymentServiceId === serviceId)),
    }))
    .toSorted((one, other) => Math.max(other.then, other.now) - Math.max(one.then, one.now));
}
