import { isTypeDefinitionNode, isTypeExtensionNode, Kind, visit, type ConstDirectiveNode } from 'graphql';
import {
  argumentOf,
  isObjectNode,
  isStub,
  keyFields,
  ROOT_TYPES,
  type ObjectModel,
  type SubgraphModel,
} from './subgraph-model.ts';

/**
 * Refuses a subgraph that is incomplete or needs more of federation than the graph serves. Throws one error that lists every
 * problem. The graph serves:
 * - `@key` on object types, with one or several scalar fields
 * - references and extended entities
 * - `@shareable`, `@inaccessible`, and `@requiresScopes` on fields and object types
 * - `@tag`, which only routers read
 */
export function refuseOutsideSubset(model: SubgraphModel): void {
  const problems = [
    ...directiveProblems(model),
    ...[...model.objects.values()].flatMap((object) => [
      ...keyProblems(model, object),
      ...entityProblems(model, object),
    ]),
    ...scopeProblems(model),
    ...resolverProblems(model),
  ];
  refuseProblems(`The subgraph "${model.name}" cannot be served`, problems);
}

/** Throws one error with all problems. Returns when there are none. */
export function refuseProblems(what: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw new Error(`${what}:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
}

const SERVED_DIRECTIVES: readonly string[] = [
  'link',
  'key',
  'shareable',
  'inaccessible',
  'requiresScopes',
  'tag',
  'external',
  'deprecated',
  'oneOf',
];

function directiveProblems({ document, objects }: SubgraphModel): string[] {
  const problems: string[] = [];
  visit(document, {
    Directive(node) {
      const name = node.name.value;
      if (!SERVED_DIRECTIVES.includes(name)) problems.push(`@${name} is not served.`);
      if (name === 'link' && renames(node as ConstDirectiveNode))
        problems.push('@link must not rename what it imports.');
    },
    DirectiveDefinition: ({ name }) =>
      void problems.push(`@${name.value} is defined here; no directive of one's own is served.`),
    InterfaceTypeDefinition({ name, directives = [], fields = [] }) {
      if (directives.some(isNamed('key')))
        problems.push(`@key on the interface ${name.value} is not served.`);
      // A query of the object type would go past a scope of its interface.
      if (fields.some((field) => field.directives?.some(isNamed('requiresScopes')))) {
        problems.push(`@requiresScopes on fields of the interface ${name.value} is not served.`);
      }
    },
  });
  for (const object of objects.values()) {
    const keys = keyFields(object);
    for (const { name, directives = [] } of object.fields.values()) {
      if (directives.some(isNamed('external')) && !keys.has(name.value)) {
        problems.push(`@external on ${object.name}.${name.value} is not served: only on fields of the key.`);
      }
    }
  }
  return problems;
}

const isNamed = (name: string) => (directive: { readonly name: { readonly value: string } }) =>
  directive.name.value === name;

/** True when a link imports under another name. Such a name could pass for a directive that the graph serves. */
function renames(link: ConstDirectiveNode): boolean {
  const imports = argumentOf(link, 'import');
  const plain = imports === undefined || (imports.kind === Kind.LIST && imports.values.every(isString));
  return !plain || argumentOf(link, 'as') !== undefined;
}

const isString = ({ kind }: { readonly kind: Kind }): boolean => kind === Kind.STRING;

/** Lists key fields that are not plain scalars under their own name. References carry key fields as they are. */
function keyProblems({ document, resolvers }: SubgraphModel, object: ObjectModel): string[] {
  const scalars = new Set(['ID', 'String', 'Int', 'Boolean']);
  for (const node of document.definitions)
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION) scalars.add(node.name.value);
  return [...keyFields(object)].flatMap((name) => {
    const field = object.fields.get(name);
    if (!field)
      return [
        `The key of ${object.name} names ${name}, which is no field of it; nested keys are not served.`,
      ];
    const type = field.type.kind === Kind.NON_NULL_TYPE ? field.type.type : field.type;
    const plain = type.kind === Kind.NAMED_TYPE && scalars.has(type.name.value);
    return [
      ...(plain ? [] : [`${object.name}.${name} is in the key and must be a scalar.`]),
      ...(resolverOf(resolvers, object.name, name)
        ? [`${object.name}.${name} is in the key and must have no resolver.`]
        : []),
    ];
  });
}

function entityProblems({ resolvers }: SubgraphModel, object: ObjectModel): string[] {
  const given = resolverOf(resolvers, object.name, '__resolveReference') !== undefined;
  const { name, keys } = object;
  if (keys.length === 0) return given ? [`${name}.__resolveReference has no @key to be asked by.`] : [];
  if (!isStub(object)) return given ? [] : [`${name} is an entity and needs __resolveReference.`];
  const extra = [...object.fields.keys()].filter((field) => !keyFields(object).has(field));
  return [
    ...(given ? [`${name} is not resolvable here and must have no __resolveReference.`] : []),
    ...(extra.length > 0
      ? [`${name} is not resolvable here and may only have its key, not ${extra.join(', ')}.`]
      : []),
  ];
}

function scopeProblems({ document, objects, scopes, guards }: SubgraphModel): string[] {
  const problems: string[] = [];
  for (const root of ROOT_TYPES) {
    for (const field of objects.get(root)?.fields.keys() ?? []) {
      if (!scopes.has(`${root}.${field}`))
        problems.push(`${root}.${field} declares no scope: add @requiresScopes.`);
    }
  }
  for (const [path, groups] of [...scopes, ...guards]) {
    if (groups.length === 0 || groups.some((group) => group.length === 0))
      problems.push(`${path} requires an empty scope.`);
  }
  for (const node of document.definitions) {
    if (!isTypeDefinitionNode(node) && !isTypeExtensionNode(node)) continue;
    const guarded = node.directives?.some(isNamed('requiresScopes')) ?? false;
    const name = node.name.value;
    if (guarded && (!isObjectNode(node) || ROOT_TYPES.includes(name)))
      problems.push(`@requiresScopes on ${name} is not served: put it on fields or on object types.`);
  }
  return problems;
}

/** Lists resolvers that the SDL does not know, and root fields without a resolver. A misspelt resolver would never run. */
function resolverProblems({ objects, resolvers }: SubgraphModel): string[] {
  const problems: string[] = [];
  for (const [type, fields] of Object.entries(resolvers)) {
    const object = objects.get(type);
    if (!object)
      problems.push(
        `Resolvers for ${type}, which is no object type: values say what they are by __typename.`,
      );
    for (const field of object ? Object.keys(fields) : []) {
      if (field === '__resolveReference' || object?.fields.has(field)) continue;
      problems.push(`A resolver for ${type}.${field}, which the SDL does not have.`);
    }
  }
  for (const root of ROOT_TYPES) {
    for (const field of objects.get(root)?.fields.keys() ?? []) {
      if (!resolverOf(resolvers, root, field)) problems.push(`${root}.${field} has no resolver.`);
    }
  }
  return problems;
}

const resolverOf = (resolvers: SubgraphModel['resolvers'], type: string, field: string): unknown =>
  Object.entries(resolvers[type] ?? {}).find(([name]) => name === field)?.[1];
