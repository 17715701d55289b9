/** A node of a plan from `EXPLAIN (FORMAT JSON)`, with the fields that a test reads. */
type Branching<Node> = { readonly Plans?: readonly Node[] };

/** Lists a node and all its descendants. */
export const nodesOf = <Node extends Branching<Node>>(node: Node): readonly Node[] => [
  node,
  ...(node.Plans ?? []).flatMap((below) => nodesOf(below)),
];
