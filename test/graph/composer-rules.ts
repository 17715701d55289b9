import {
  getNamedType,
  isListType,
  isObjectType,
  buildASTSchema,
  Kind,
  parse,
  visit,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type ObjectTypeDefinitionNode,
  type TypeNode,
} from 'graphql';

// The rules of Apollo's composer that its documentation states. Its licence does not allow the package itself.
// https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/composition-rules
// https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/errors

/** The directives of GraphQL itself that the composer knows without a definition. */
const BUILT_IN: readonly string[] = ['deprecated', 'specifiedBy', 'skip', 'include', 'link'];

/** The directives of federation 2.9 that `@link` can import. */
const FEDERATION: readonly string[] = [
  ...['key', 'requires', 'provides', 'external', 'tag', 'extends', 'shareable', 'inaccessible', 'override'],
  ...['composeDirective', 'interfaceObject', 'authenticated', 'requiresScopes', 'policy', 'context'],
  ...['fromContext', 'cost', 'listSize'],
];

type Subgraph = { readonly name: string; readonly document: DocumentNode };

/** Lists the places of served SDLs that Apollo's composer refuses by its published rules. Each begins with its code. */
export function composerFaults(sdls: ReadonlyMap<string, string>): readonly string[] {
  const subgraphs = [...sdls].map(([name, sdl]) => ({ name, document: parse(sdl) }));
  return [...subgraphs.flatMap(faultsIn), ...sharingFaults(subgraphs), ...inputFaults(subgraphs)];
}

const faultsIn = (subgraph: Subgraph): readonly string[] =>
  [...directiveFaults(subgraph), ...stubFaults(subgraph), ...keyFaults(subgraph)].map(
    (fault) => `${fault} in ${subgraph.name}`,
  );

/** Each used directive has a definition, or comes by `@link` from the federation specification. */
function directiveFaults({ document }: Subgraph): readonly string[] {
  const imported = importsOf(document);
  const known = new Set([...BUILT_IN, ...imported]);
  const used = new Set<string>();
  visit(document, {
    DirectiveDefinition: ({ name }) => void known.add(name.value),
    Directive: ({ name }) => void used.add(name.value),
  });
  return [
    ...imported
      .filter((name) => !FEDERATION.includes(name))
      .map((name) => `INVALID_LINK_DIRECTIVE_USAGE @${name}`),
    ...[...used]
      .filter((name) => !known.has(name))
      .map((name) => `INVALID_GRAPHQL @${name} has no definition`),
  ];
}

function importsOf(document: DocumentNode): readonly string[] {
  const names: string[] = [];
  visit(document, {
    Directive: ({ name, arguments: given = [] }) => {
      const list = given.find((each) => each.name.value === 'import')?.value;
      if (name.value !== 'link' || list?.kind !== Kind.LIST) return;
      for (const each of list.values) if (each.kind === Kind.STRING) names.push(each.value.replace('@', ''));
    },
  });
  return names;
}

/** A type that only refers to another subgraph has no description. The composer then takes that of its home. */
const stubFaults = ({ document }: Subgraph): readonly string[] =>
  objectsOf(document)
    .filter(({ directives = [], description }) => description && keysOf(directives).some(isStubKey))
    .map(({ name }) => `INCONSISTENT_DESCRIPTION ${name.value} refers only, and has a description`);

const keysOf = (directives: readonly ConstDirectiveNode[]) =>
  directives.filter(({ name }) => name.value === 'key');

const isStubKey = ({ arguments: given = [] }: ConstDirectiveNode): boolean =>
  given.some(({ name, value }) => name.value === 'resolvable' && value.kind === Kind.BOOLEAN && !value.value);

const objectsOf = (document: DocumentNode): readonly ObjectTypeDefinitionNode[] =>
  document.definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION);

/** Each field of a key exists, takes no arguments, and is neither a list nor a union. */
function keyFaults({ document }: Subgraph): readonly string[] {
  const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
  return objectsOf(document).flatMap(({ name, directives = [] }) => {
    const type = schema.getType(name.value);
    const fields = isObjectType(type) ? type.getFields() : {};
    return keysOf(directives)
      .flatMap(fieldsOfKey)
      .flatMap((key) => {
        const field = fields[key];
        if (!field) return `KEY_INVALID_FIELDS ${name.value}.${key}`;
        if (field.args.length > 0) return `KEY_FIELDS_HAS_ARGS ${name.value}.${key}`;
        const named = getNamedType(field.type);
        const isWrong = String(field.type).startsWith('[') || isListType(field.type) || 'getTypes' in named;
        return isWrong ? `KEY_FIELDS_SELECT_INVALID_TYPE ${name.value}.${key}` : [];
      });
  });
}

/** The fields at the top of a key. */
function fieldsOfKey({ arguments: given = [] }: ConstDirectiveNode): readonly string[] {
  const fields = given.find(({ name }) => name.value === 'fields')?.value;
  return fields?.kind === Kind.STRING ? (fields.value.replaceAll(/\{[^}]*\}/g, '').match(/\w+/g) ?? []) : [];
}

/** A field that several subgraphs resolve is a key or shareable in all of them, and has one type. The composer removes `_Service`. */
function sharingFaults(subgraphs: readonly Subgraph[]): readonly string[] {
  const places = new Map<string, { readonly shared: boolean; readonly type: string }[]>();
  for (const { document } of subgraphs)
    for (const type of objectsOf(document).filter(
      ({ name }) => !/^(Query|Mutation|Subscription|_.*)$/.test(name.value),
    ))
      for (const field of type.fields ?? [])
        push(places, `${type.name.value}.${field.name.value}`, {
          ...{ shared: isShared(type, field), type: textOf(field.type).replaceAll('!', '') },
        });
  return [...places].flatMap(([name, all]) => {
    if (all.length < 2) return [];
    const types = new Set(all.map(({ type }) => type));
    return [
      ...(all.every(({ shared }) => shared) ? [] : [`INVALID_FIELD_SHARING ${name}`]),
      ...(types.size > 1 ? [`FIELD_TYPE_MISMATCH ${name}`] : []),
    ];
  });
}

const isShared = ({ directives = [] }: ObjectTypeDefinitionNode, field: FieldDefinitionNode): boolean =>
  [...directives, ...(field.directives ?? [])].some(({ name }) => name.value === 'shareable') ||
  keysOf(directives).flatMap(fieldsOfKey).includes(field.name.value);

const textOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE
    ? type.name.value
    : type.kind === Kind.LIST_TYPE
      ? `[${textOf(type.type)}]`
      : `${textOf(type.type)}!`;

/** An input type or an enum of several subgraphs has the same fields or values in all of them. */
function inputFaults(subgraphs: readonly Subgraph[]): readonly string[] {
  const shapes = new Map<string, string[]>();
  for (const { document } of subgraphs)
    for (const node of document.definitions) {
      if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
        push(
          shapes,
          `REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH ${node.name.value}`,
          (node.fields ?? []).map(({ name, type }) => `${name.value}:${textOf(type)}`).join(),
        );
      if (node.kind === Kind.ENUM_TYPE_DEFINITION)
        push(
          shapes,
          `ENUM_VALUE_MISMATCH ${node.name.value}`,
          (node.values ?? []).map(({ name }) => name.value).join(),
        );
    }
  return [...shapes].filter(([, each]) => new Set(each).size > 1).map(([name]) => name);
}

function push<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  map.set(name, [...(map.get(name) ?? []), value]);
}
