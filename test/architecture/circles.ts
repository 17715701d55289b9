/** Finds the circles among files that import each other. Each circle names its files in alphabetical order. */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const waiting: string[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();

  const visit = (file: string): number => {
    const mine = order.size;
    order.set(file, mine);
    waiting.push(file);
    let low = mine;
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (waiting.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? mine);
    }
    lowest.set(file, low);
    if (low === mine) {
      const circle = waiting.splice(waiting.indexOf(file));
      if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle.toSorted());
    }
    return low;
  };

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
