/** Beside which other rule one is put. */
export type Placement = { readonly side: 'before' | 'after'; readonly id: string };

/**
 * The order after one element is put beside another: both must be in it and differ. All others keep their order among
 * themselves.
 */
export function moved(ids: readonly string[], id: string, { side, id: neighbour }: Placement): string[] {
  const others = ids.filter((other) => other !== id);
  const at = others.indexOf(neighbour) + (side === 'after' ? 1 : 0);
  return others.toSpliced(at, 0, id);
}
