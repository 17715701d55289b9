import { openedFor, type Gate } from './gated.ts';
import { readParameters, type Shape } from './parameters.ts';
import { refuseParameter } from './refusal.ts';

/** A checked parameter. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };
export type Values = { readonly [name: string]: Value };

/** A parameter as the form names it. */
type Node = string | Branch;
type Branch = { [name: string]: Node };

const { calls, shapes } = readParameters();

/** The parameters of calls that the SDK's types lack. Stripe's own software for iPhones sends Apple Pay's payment data so. */
const UNPUBLISHED: Readonly<Record<string, Shape>> = {
  'POST /v1/tokens': { object: { pk_token: 'string' }, required: ['pk_token'] },
};

/** The parameters of a call that only reads. */
const ONLY_EXPAND: Shape = { object: { expand: { list: 'string' } } };

/**
 * Reads the parameters of a call from a form or a query. Refuses every parameter that Stripe refuses:
 *
 * - an unknown or missing parameter
 * - a wrong type or a wrong word
 * - an empty text that unsets nothing
 *
 * `gates` opens parameters that Stripe has only for single accounts.
 */
export function readForm(call: string, text: string, gates: readonly Gate[] = []): Values {
  const shape = calls[call] ?? UNPUBLISHED[call] ?? ONLY_EXPAND;
  const tree = parse(text);
  const opened = openedFor(call, gates).flatMap(({ path, shape: ofPart, having }) => {
    const node = take(tree, path, having);
    const [first = '', ...rest] = path;
    return node === undefined ? [] : [{ path, value: check(node, ofPart, rest.reduce(below, first)) }];
  });
  const values = check(tree, shape, '') as Values;
  return opened.reduce((all, { path, value }) => withValue(all, path, value), values);
}

/** Takes a node out of a tree. Undefined if the tree lacks the node, or if the node lacks the name `having`. */
function take(
  branch: Branch,
  [first = '', ...rest]: readonly string[],
  having: string | undefined,
): Node | undefined {
  const node = branch[first];
  if (rest.length > 0) return typeof node === 'object' ? take(node, rest, having) : undefined;
  if (having !== undefined && !(typeof node === 'object' && having in node)) return undefined;
  Reflect.deleteProperty(branch, first);
  return node;
}

const withValue = (values: Values, [first = '', ...rest]: readonly string[], value: Value): Values => ({
  ...values,
  [first]: rest.length === 0 ? value : withValue((values[first] ?? {}) as Values, rest, value),
});

function parse(text: string): Branch {
  const root: Branch = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
    if (!path?.[1]) return refuseParameter(`Invalid parameter name: ${name}`, name, 'parameter_unknown');
    const keys = [path[1], ...[...(path[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key ?? '')];
    put(root, keys, value, name);
  }
  return root;
}

function put(branch: Branch, [first = '', ...rest]: readonly string[], value: string, name: string): void {
  const key = first === '' ? String(Object.keys(branch).length) : first;
  const known = branch[key];
  if (rest.length === 0) {
    if (known !== undefined) refuseParameter(`The parameter ${name} is given twice.`, name);
    branch[key] = value;
    return;
  }
  if (typeof known === 'string') return void refuseParameter(`Invalid object: ${name}`, name);
  const child = known ?? {};
  branch[key] = child;
  put(child, rest, value, name);
}

function check(node: Node, shape: Shape, path: string): Value {
  if (typeof shape === 'string') return checkScalar(node, shape, path);
  if ('ref' in shape) return check(node, resolve(shape.ref), path);
  if ('either' in shape) return checkEither(node, shape.either, path);
  if ('enum' in shape) return checkWord(node, shape.enum, path);
  if (typeof node === 'string') {
    const kind = 'list' in shape ? 'array' : 'object';
    return refuseParameter(`Invalid ${kind}`, path, node === '' ? 'parameter_invalid_empty' : undefined);
  }
  if ('list' in shape) return checkList(node, shape.list, path);
  if ('map' in shape)
    return Object.fromEntries(
      Object.entries(node).map(([name, each]) => [name, check(each, shape.map, below(path, name))]),
    );
  return checkObject(node, shape.object, shape.required ?? [], path);
}

function resolve(name: string): Shape {
  const shape = shapes[name];
  if (!shape) throw new Error(`The parameters have no shape ${name}.`);
  return shape;
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}[${name}]`);

function checkScalar(
  node: Node,
  kind: 'string' | 'integer' | 'boolean' | 'empty',
  path: string,
): string | number | boolean {
  if (typeof node !== 'string') return refuseParameter(`Invalid ${kind}: an object`, path);
  if (kind === 'empty') return node === '' ? node : refuseParameter('Must be empty.', path);
  if (node === '')
    return refuseParameter(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset.`,
      ...[path, 'parameter_invalid_empty'],
    );
  if (kind === 'string') return node;
  if (kind === 'boolean')
    return node === 'true' || (node !== 'false' && refuseParameter(`Invalid boolean: ${node}`, path));
  if (!/^-?\d{1,15}$/.test(node))
    return refuseParameter(`Invalid integer: ${node}`, path, 'parameter_invalid_integer');
  return Number(node);
}

function checkWord(node: Node, words: readonly string[], path: string): string {
  if (typeof node === 'string' && words.includes(node)) return node;
  return refuseParameter(`Invalid ${path}: must be one of ${words.join(', ')}`, path);
}

function checkList(node: Branch, shape: Shape, path: string): readonly Value[] {
  return Object.entries(node).map(([index, each], position) => {
    if (index !== String(position)) refuseParameter('Invalid array', path);
    return check(each, shape, below(path, index));
  });
}

function checkObject(
  node: Branch,
  object: Readonly<Record<string, Shape>>,
  required: readonly string[],
  path: string,
): Values {
  for (const name of Object.keys(node)) {
    const param = below(path, name);
    if (!(name in object))
      refuseParameter(`Received unknown parameter: ${param}`, param, 'parameter_unknown');
  }
  for (const name of required) {
    const param = below(path, name);
    if (!(name in node)) refuseParameter(`Missing required param: ${param}.`, param, 'parameter_missing');
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, each]) => [
      name,
      check(each, object[name] ?? 'string', below(path, name)),
    ]),
  );
}

/** Takes the first alternative that fits. Otherwise refuses for the reason that names the deepest parameter. */
function checkEither(node: Node, alternatives: readonly Shape[], path: string): Value {
  const reasons: { readonly error: Error; readonly depth: number }[] = [];
  for (const shape of alternatives) {
    // A text never is an object, so only the fitting alternatives give a reason.
    try {
      return check(node, shape, path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const couldFit = shape !== 'empty' && isLeaf(shape) === (typeof node === 'string');
      reasons.push({ error, depth: couldFit ? 1 : 0 });
    }
  }
  const [deepest] = reasons.toSorted((a, b) => b.depth - a.depth);
  throw deepest?.error ?? new Error(`The parameter ${path} has no shape.`);
}

function isLeaf(shape: Shape): boolean {
  if (typeof shape === 'string') return true;
  if ('ref' in shape) return isLeaf(resolve(shape.ref));
  return 'enum' in shape;
}

/** Returns the value below a path of names, or undefined. */
export function valueAt(values: Value | undefined, ...names: readonly string[]): Value | undefined {
  return names.reduce<Value | undefined>(
    (value, name) =>
      typeof value === 'object' && !Array.isArray(value) ? (value as Values)[name] : undefined,
    values,
  );
}

export function textAt(values: Value | undefined, ...names: readonly string[]): string | null {
  const value = valueAt(values, ...names);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function integerAt(values: Value | undefined, ...names: readonly string[]): number | null {
  const value = valueAt(values, ...names);
  return typeof value === 'number' ? value : null;
}

export const isTrueAt = (values: Value | undefined, ...names: readonly string[]): boolean =>
  valueAt(values, ...names) === true;

export function listAt(values: Value | undefined, ...names: readonly string[]): readonly string[] | null {
  const value = valueAt(values, ...names);
  return Array.isArray(value) ? value.map(String) : null;
}
