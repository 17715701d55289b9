import {
  Kind,
  parse,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type StringValueNode,
} from 'graphql';

type Element = FieldDefinitionNode | InputValueDefinitionNode;

/**
 * Lists the fields, input fields and arguments whose description repeats names only. An argument repeats its field's name, and a
 * field its type's. Composed of small words and such names, a sentence tells nothing that the signature does not.
 */
export function fillers(sdl: string): string[] {
  return elementsOf(sdl)
    .filter(({ element, names }) => isFiller(element.description, names))
    .map(({ names }) => names.join('.'));
}

/**
 * Returns the descriptions of all arguments of one name. With `beside`, only those of fields that also have an argument of that
 * name.
 */
export function wordingsOf(argument: string, sdl: string, beside = argument): string[] {
  return fieldsOf(sdl).flatMap(({ field }) => {
    const given = field.kind === Kind.FIELD_DEFINITION ? (field.arguments ?? []) : [];
    if (!given.some(({ name }) => name.value === beside)) return [];
    return given
      .filter(({ name }) => name.value === argument)
      .map(({ description }) => description?.value.replace(/\s+/g, ' ') ?? '');
  });
}

const SMALL = new Set('a an and id its of the this to uuid'.split(' '));

function isFiller(description: StringValueNode | undefined, names: readonly string[]): boolean {
  const known = new Set(names.slice(-2).flatMap(wordsOf));
  const words = wordsOf(description?.value ?? '');
  return (
    words.length > 0 &&
    !description?.value.includes('UUID') &&
    words.every((word) => SMALL.has(word) || known.has(word))
  );
}

/** Returns the words of a name or a text, in lower case and in the singular. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

function elementsOf(sdl: string): { readonly element: Element; readonly names: readonly string[] }[] {
  return fieldsOf(sdl).flatMap(({ type, field }) => {
    const names = [type, field.name.value];
    const given = field.kind === Kind.FIELD_DEFINITION ? (field.arguments ?? []) : [];
    return [
      { element: field, names },
      ...given.map((element) => ({ element, names: [...names, element.name.value] })),
    ];
  });
}

function fieldsOf(sdl: string): { readonly type: string; readonly field: Element }[] {
  return parse(sdl).definitions.flatMap((node) => {
    if (!('fields' in node)) return [];
    return (node.fields ?? []).map((field) => ({ type: node.name.value, field }));
  });
}
