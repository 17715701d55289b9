import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, visit, type ASTNode, type StringValueNode } from 'graphql';
import { deprecationFaults } from './deprecations.ts';
import { fillers, wordingsOf } from './fillers.ts';

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

describe('a description', () => {
  it.each(files)('adds to the name of its field or argument in %s', (file) => {
    expect(fillers(readFileSync(join('schema', file), 'utf8'))).toEqual([]);
  });

  it.each([
    ['type A { "The name." name: String }', ['A.name']],
    ['type A { "Id of the name." b("The id of the name." name: ID): Int }', ['A.b.name']],
    ['type A { "Name to show, 1 to 200 characters." name: String }', []],
  ])('is found empty of news: %s', (sdl, coordinates) => {
    expect(fillers(sdl)).toEqual(coordinates);
  });

  it.each(['idempotencyKey'])('has one beginning for each argument %s', (argument) => {
    const texts = files.flatMap((file) => wordingsOf(argument, readFileSync(join('schema', file), 'utf8')));
    const beginnings = new Set(texts.map((text) => text.split('. ').slice(0, 1).join()));

    expect(texts.length).toBeGreaterThan(10);
    expect([...beginnings]).toHaveLength(1);
  });

  it.each([
    [
      'first',
      'Int',
      'Page size from the start, 1 to 100. The default is 20. Not together with `last` or `before`.',
    ],
    ['last', 'Int', 'Page size from the end, 1 to 100. Not together with `first` or `after`.'],
    ['after', 'String', 'Cursor of a record. The page starts with the next record.'],
    ['before', 'String', 'Cursor of a record. The page ends with the previous record.'],
  ])('is the same for %s wherever pages go both ways', (argument, _type, wording) => {
    const texts = files.flatMap((file) =>
      wordingsOf(argument, readFileSync(join('schema', file), 'utf8'), 'before'),
    );

    expect(new Set(texts)).toEqual(new Set([wording]));
  });
});

describe('a deprecation', () => {
  it.each(files)('says its reason, its start and its end in %s', (file) => {
    expect(deprecationFaults(readFileSync(join('schema', file), 'utf8'))).toEqual([]);
  });

  it.each([
    [
      'type A { b: Int @deprecated }',
      'A.b has no "Deprecated since YYYY-MM-DD, kept until YYYY-MM-DD." at its end.',
    ],
    [
      'type A { b: Int @deprecated(reason: "Use c.") }',
      'A.b has no "Deprecated since YYYY-MM-DD, kept until YYYY-MM-DD." at its end.',
    ],
    [
      'type A { b: Int @deprecated(reason: "Deprecated since 2026-11-26, kept until 2027-11-26.") }',
      'A.b names no replacement before its dates.',
    ],
    [
      'type A { b(c: Int @deprecated(reason: "Use d. Deprecated since 2026-02-30, kept until 2027-11-26.")): Int }',
      'A.b.c has a date that is no day.',
    ],
    [
      'enum A { B @deprecated(reason: "Use C. Deprecated since 2026-11-26, kept until 2027-05-25.") }',
      'A.B is kept for less than six months.',
    ],
    [
      'input A { b: Int @deprecated(reason: "Use c. Deprecated since 2026-11-26, kept until 2025-11-26.") }',
      'A.b is kept for less than six months.',
    ],
  ])('is refused: %s', (sdl, fault) => {
    expect(deprecationFaults(sdl)).toEqual([fault]);
  });

  it('is accepted with a replacement and at least six months', () => {
    const sdl =
      'type A { b: Int @deprecated(reason: "Use c. Deprecated since 2026-11-26, kept until 2027-05-26.") }';

    expect(deprecationFaults(sdl)).toEqual([]);
  });
});
