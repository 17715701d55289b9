/** The place for a rule, beside another rule. */
export type Placement = { readonly side: 'before' | 'after'; readonly id: string };

/**
 * Returns the order with one element put beside another. Both must be present and differ. All others keep their order.
 */
export function moved(ids: readonly string[], id: string, { side, id: neighbour }: Placement): string[] {
  const others = ids.filter((other) => other !== id);
  const at = others.indexOf(neighbour) + (side === 'after' ? 1 : 0);
  return others.toSpliced(at, 0, id);
}
