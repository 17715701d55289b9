/** A node of a plan as EXPLAIN (FORMAT JSON) has it, by as much of it as a test looks at. */
type Branching<Node> = { readonly Plans?: readonly Node[] };

/** A node and all that are below it. */
export const nodesOf = <Node extends Branching<Node>>(node: Node): readonly Node[] => [
  node,
  ...(node.Plans ?? []).flatMap((below) => nodesOf(below)),
];
