import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, visit, type ASTNode, type StringValueNode } from 'graphql';

const COMPOSED = ['api.graphql', 'supergraph.graphql'];

const files = readdirSync('schema').filter((file) => !COMPOSED.includes(file));

type Described = ASTNode & {
  readonly description?: StringValueNode;
  readonly name: { readonly value: string };
};

/** Lists everything in a schema that has no description, by its coordinate, such as `Query.buyer.id`. */
function undescribed(sdl: string): string[] {
  const missing: string[] = [];
  const trail: string[] = [];
  const node = {
    enter(each: ASTNode) {
      const { name, description } = each as Described;
      trail.push(name.value);
      if (!description?.value.trim()) missing.push(trail.join('.'));
    },
    leave: () => void trail.pop(),
  };
  visit(parse(sdl), {
    ObjectTypeDefinition: node,
    InterfaceTypeDefinition: node,
    UnionTypeDefinition: node,
    InputObjectTypeDefinition: node,
    EnumTypeDefinition: node,
    ScalarTypeDefinition: node,
    FieldDefinition: node,
    InputValueDefinition: node,
    EnumValueDefinition: node,
  });
  return missing;
}

describe('every type, field, argument, input field and enum value', () => {
  it.each(files)('has a description in %s', (file) => {
    expect(undescribed(readFileSync(join('schema', file), 'utf8'))).toEqual([]);
  });

  it.each([
    ['a type', 'type A { "b" b: Int }', 'A'],
    ['a field', '"a" type A { b: Int }', 'A.b'],
    ['an empty description', '"a" type A { "" b: Int }', 'A.b'],
    ['an argument', '"a" type A { "b" b(c: Int): Int }', 'A.b.c'],
    ['an interface', 'interface A { "b" b: Int }', 'A'],
    ['a union', 'union A = B', 'A'],
    ['an input', 'input A { "b" b: Int }', 'A'],
    ['an input field', '"a" input A { b: Int }', 'A.b'],
    ['an enum', 'enum A { "b" B }', 'A'],
    ['an enum value', '"a" enum A { B }', 'A.B'],
    ['a scalar', 'scalar A', 'A'],
  ])('is missed when it is %s without one', (_, sdl, coordinate) => {
    expect(undescribed(sdl)).toEqual([coordinate]);
  });
});
