import type { JsonSchema } from '../../../src/modules/event-log/json-schema.ts';
import { code } from './table.ts';

/** A field of a JSON Schema, by its path. */
export type Field = { readonly name: string; readonly type: string; readonly meaning: string };

type Node = {
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly pattern?: string;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly description?: string;
};

/** Lists the fields of an object and of the objects in it, each by its path. */
export const fieldsOf = (schema: JsonSchema, path = ''): readonly Field[] =>
  Object.entries((schema as Node).properties ?? {}).flatMap(([key, node]) => {
    const name = path + key;
    const field = { name, type: typeOf(node), meaning: node.description ?? '' };
    return [field, ...fieldsOf(node, `${name}.`)];
  });

function typeOf(node: Node): string {
  if (node.const !== undefined) return code(node.const);
  if (node.enum) return node.enum.map((word) => (word === null ? 'null' : code(word))).join(', ');
  const types = [node.type ?? []].flat();
  const [first = ''] = types;
  const named = node.items
    ? `list of ${typeOf(node.items)}`
    : (NAMES[node.format ?? node.pattern ?? first] ?? first);
  return types.includes('null') ? `${named} or null` : named;
}

const NAMES: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'moment',
  date: 'day',
  '^[A-Z]{3}$': 'currency code',
};
