/** A payment service with its rank. */
export type Placed = { readonly id: string; readonly position: number };

/** A new rank. */
export type Move = { readonly id: string; readonly position: number };

/** Sorts services as routing asks them: by position, then by id. */
export const inOrder = <Row extends Placed>(services: readonly Row[]): readonly Row[] =>
  services.toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));

/**
 * Lists the new positions after some services swap places among themselves. The others keep their places. Equal positions are
 * parted, because their ids alone would decide. Give all services in their present order, and the ids of some in the new order.
 */
export function movesTo(services: readonly Placed[], ids: readonly string[]): readonly Move[] {
  const byId = new Map(services.map((service) => [service.id, service]));
  const waiting = [...ids];
  const next = services.map((each) =>
    ids.includes(each.id) ? (byId.get(waiting.shift() ?? '') ?? each) : each,
  );
  const positions = services.map(({ position }) => position);
  const areParted = positions.every((position, at) => at === 0 || position > (positions[at - 1] ?? position));
  return next
    .map(({ id, position }, at) => ({
      id,
      before: position,
      position: areParted ? (positions[at] ?? at + 1) : at + 1,
    }))
    .filter(({ before, position }) => position !== before)
    .map(({ id, position }) => ({ id, position }));
}
