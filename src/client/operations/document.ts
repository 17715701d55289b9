import type { Shape } from '../generated/schema.ts';
import { partsOf, type LooseSelection } from './selection.ts';

/** A document with its variables, as it is sent. */
export type Request = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

export type OperationKind = 'query' | 'mutation';

const ROOT: Readonly<Record<OperationKind, string>> = { query: 'Query', mutation: 'Mutation' };

/**
 * Writes the document of a selection. Each argument becomes a variable, so equal selections give equal documents, and the service
 * compiles each once. Throws for a field or an argument that the schema lacks.
 */
export function documentOf(shape: Shape, kind: OperationKind, selection: LooseSelection): Request {
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};

  const argument = (name: string, type: string | undefined, value: unknown): string => {
    if (type === undefined) throw new TypeError(`There is no argument "${name}".`);
    const variable = `v${declared.length}`;
    declared.push(`$${variable}: ${type}`);
    variables[variable] = value;
    return `${name}: $${variable}`;
  };

  const field = (type: string, name: string, given: unknown): string => {
    const [target, types = {}] = shape[type]?.[name] ?? [''];
    const [args, inner] = partsOf(given);
    const written = Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([each, value]) => argument(each, types[each], value));
    const head = written.length > 0 ? `${name}(${written.join(', ')})` : name;
    return target === '' ? head : `${head} ${selected(target, inner as LooseSelection)}`;
  };

  const selected = (type: string, { on = {}, ...fields }: LooseSelection): string => {
    const own = Object.entries(fields)
      .filter(([, given]) => given !== undefined && given !== false)
      .map(([name, given]) => field(type, name, given));
    const fragments = Object.entries(on as Readonly<Record<string, LooseSelection>>).map(
      ([name, inner]) => `... on ${name} ${selected(name, inner)}`,
    );
    return `{ ${[...(fragments.length > 0 && !fields['__typename'] ? ['__typename'] : []), ...own, ...fragments].join(' ')} }`;
  };

  const body = selected(ROOT[kind], selection);
  const head = declared.length > 0 ? `${kind} (${declared.join(', ')})` : kind;
  return { query: `${head} ${body}`, variables };
}
