/** Moves a row directly before another row. */
export type Step = { readonly id: string; readonly before: string };

/** Lists the steps from one order to another, from the top. Each row that is in its place already stays. */
export function stepsTo(now: readonly string[], wished: readonly string[]): readonly Step[] {
  const order = [...now];
  return wished.flatMap((id, at) => {
    const before = order[at];
    if (before === undefined || before === id) return [];
    order.splice(order.indexOf(id), 1);
    order.splice(at, 0, id);
    return [{ id, before }];
  });
}
