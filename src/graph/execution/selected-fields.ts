import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Returns the names of the fields that an operation may select below the current field, at any of these paths. Fields under
 * @skip and @include count as selected. So do fields of every type condition.
 */
export function selectedFields(info: Info, paths: readonly (readonly string[])[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of paths) {
    const sets = path.reduce<readonly SelectionSetNode[]>(
      (found, name) => setsOf(fieldsIn(found, info).filter((field) => field.name.value === name)),
      setsOf(info.fieldNodes),
    );
    for (const field of fieldsIn(sets, info)) names.add(field.name.value);
  }
  return names;
}

/**
 * Decides something by the selected fields, once for each place in a document. A compiled operation keeps its document, so
 * the decision is made when the operation first runs.
 */
export function decidedBySelection<Decision>(
  paths: readonly (readonly string[])[],
  decide: (fields: ReadonlySet<string>) => Decision,
): (info: Info) => Decision {
  const decided = new WeakMap<FieldNode, { readonly decision: Decision }>();
  return (info) => {
    const [node, ...others] = info.fieldNodes;
    // Several nodes of one key may meet in another combination elsewhere.
    if (!node || others.length > 0) return decide(selectedFields(info, paths));
    const known = decided.get(node);
    if (known) return known.decision;
    const decision = decide(selectedFields(info, paths));
    decided.set(node, { decision });
    return decision;
  };
}

const setsOf = (fields: readonly FieldNode[]): readonly SelectionSetNode[] =>
  fields.flatMap(({ selectionSet }) => selectionSet ?? []);

/** Lists the fields of selection sets, through fragments. The validation has refused a fragment within itself. */
const fieldsIn = (sets: readonly SelectionSetNode[], info: Info): readonly FieldNode[] =>
  sets.flatMap(({ selections }) =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsIn([selection.selectionSet], info);
      const fragment = info.fragments[selection.name.value];
      return fragment ? fieldsIn([fragment.selectionSet], info) : [];
    }),
  );
