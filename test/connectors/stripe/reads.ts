import { integerAt, textAt, valueAt, type Values } from './form.ts';
import { refuseMissing, refuseParameter } from './refusal.ts';
import type { StripeWorld } from './world.ts';

/** An object of Stripe as JSON. */
export type Wire = Readonly<Record<string, unknown>>;

export const toWire = (object: object): Wire => object as Wire;

const LIMIT_MAX = 100;
const EXPANSION_DEPTH_MAX = 4;

/** Lists objects, newest first, by the parameters that all lists have. */
export function list(
  url: string,
  objects: Iterable<object>,
  values: Values,
  filter: (object: Wire) => boolean = () => true,
): object {
  const limit = integerAt(values, 'limit') ?? 10;
  if (limit < 1 || limit > LIMIT_MAX)
    refuseParameter(`Limit must be between 1 and ${LIMIT_MAX}.`, 'limit', 'parameter_invalid_integer');
  const all = [...objects]
    .map(toWire)
    .toReversed()
    .filter((each) => isWithin(each, values, 'created') && filter(each));
  const after = textAt(values, 'starting_after');
  const before = textAt(values, 'ending_before');
  if (after !== null) {
    const rest = all.slice(indexOf(all, after, 'starting_after') + 1);
    return page(url, rest.slice(0, limit), rest.length > limit);
  }
  if (before === null) return page(url, all.slice(0, limit), all.length > limit);
  const newer = all.slice(0, indexOf(all, before, 'ending_before'));
  return page(url, newer.slice(-limit), newer.length > limit);
}

function indexOf(all: readonly Wire[], id: string, param: string): number {
  const index = all.findIndex((each) => each['id'] === id);
  return index < 0 ? refuseMissing('object', id, param, 400) : index;
}

const page = (url: string, data: readonly Wire[], has_more: boolean): object => ({
  ...{ object: 'list', data, has_more, url },
});

/** True if a time of an object is in the range of a parameter. A range is one second or has bounds. */
export function isWithin(object: Wire, values: Values, name: string): boolean {
  const at = Number(object[name]);
  const exact = integerAt(values, name);
  if (exact !== null) return at === exact;
  const [gt, gte] = [integerAt(values, name, 'gt'), integerAt(values, name, 'gte')];
  const [lt, lte] = [integerAt(values, name, 'lt'), integerAt(values, name, 'lte')];
  return (
    (gt === null || at > gt) &&
    (gte === null || at >= gte) &&
    (lt === null || at < lt) &&
    (lte === null || at <= lte)
  );
}

/** Returns a filter for the parameters that name a value of the object. */
export const byValues =
  (values: Values, ...names: readonly string[]) =>
  (object: Wire): boolean =>
    names.every((name) => textAt(values, name) === null || object[name] === textAt(values, name));

/**
 * Searches payment intents. The index is late: an intent appears after the lag of the settings. The query joins clauses
 * with AND.
 */
export function searchPayments(world: StripeWorld, values: Values): object {
  const matches = readQuery(textAt(values, 'query') ?? '');
  const indexedUntilMs = world.now().getTime() - world.settings.searchLagMs;
  const found = [...world.payments.values()]
    .map(({ wire }) => toWire(wire))
    .toReversed()
    .filter((each) => Number(each['created']) * 1000 <= indexedUntilMs && matches(each));
  const limit = integerAt(values, 'limit') ?? 10;
  const from = Number(textAt(values, 'page') ?? 0);
  const hasMore = found.length > from + limit;
  return {
    ...{ object: 'search_result', data: found.slice(from, from + limit), has_more: hasMore },
    ...{ next_page: hasMore ? String(from + limit) : null, url: '/v1/payment_intents/search' },
  };
}

const FIELDS = ['amount', 'created', 'currency', 'customer', 'status'];

function readQuery(query: string): (object: Wire) => boolean {
  const clauses = query.split(/\s+AND\s+/).map((clause) => {
    const read = /^(-?)(\w+)(?:\[["']([^"']+)["']\])?(:|>=|<=|>|<)(?:["']([^"']*)["']|(\d+))$/.exec(clause);
    const [, negation, field = '', key, operator = ':', text, number] = read ?? [];
    if (
      !read ||
      (field !== 'metadata' && !FIELDS.includes(field)) ||
      (field === 'metadata') !== (key !== undefined)
    )
      return refuseParameter(`We were unable to parse your search query: ${clause}`, 'query');
    const wanted = text ?? number ?? '';
    return (object: Wire): boolean => {
      const value =
        key === undefined ? object[field] : (object['metadata'] as Readonly<Record<string, string>>)[key];
      return compare(value, operator, wanted) !== (negation === '-');
    };
  });
  return (object) => clauses.every((matches) => matches(object));
}

function compare(value: unknown, operator: string, wanted: string): boolean {
  if (operator === ':') return `${(value as string | number | undefined) ?? ''}` === wanted;
  const difference = Number(value) - Number(wanted);
  if (operator === '>') return difference > 0;
  if (operator === '>=') return difference >= 0;
  return operator === '<' ? difference < 0 : difference <= 0;
}

/** Returns a copy of an answer with the objects whose ids `expand` names. */
export function expanded(world: StripeWorld, object: object, values: Values): object {
  const copy = structuredClone(object);
  const paths = valueAt(values, 'expand');
  if (!Array.isArray(paths)) return copy;
  for (const path of paths.map(String)) {
    const names = path.split('.');
    if (names.length > EXPANSION_DEPTH_MAX)
      refuseParameter(`You cannot expand more than ${EXPANSION_DEPTH_MAX} levels: ${path}`, 'expand');
    expand(world, copy as Record<string, unknown>, names, path);
  }
  return copy;
}

function expand(
  world: StripeWorld,
  object: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  path: string,
): void {
  const value = object[name];
  if (!(name in object)) refuseUnexpandable(path);
  if (value === null) return;
  // The id of a charge's payment method is only text in Stripe's description.
  if (typeof value === 'string') {
    const isCharge = object['object'] === 'charge' && name === 'payment_method';
    const found = name === 'id' || isCharge ? null : find(world, value);
    if (!found) return refuseUnexpandable(path);
    object[name] = structuredClone(found);
  }
  if (typeof value !== 'string' && typeof value !== 'object') refuseUnexpandable(path);
  if (rest.length === 0) return;
  const children = Array.isArray(object[name]) ? (object[name] as unknown[]) : [object[name]];
  for (const child of children) {
    if (typeof child !== 'object' || child === null) return refuseUnexpandable(path);
    expand(world, child as Record<string, unknown>, rest, path);
  }
}

const refuseUnexpandable = (path: string): never =>
  refuseParameter(`This property cannot be expanded (${path}).`, 'expand');

function find(world: StripeWorld, id: string): object | null {
  return (
    world.payments.get(id)?.wire ??
    world.methods.get(id)?.wire ??
    world.setups.get(id)?.wire ??
    [world.charges, world.customers, world.refunds, world.disputes, world.entries, world.payouts]
      .map((objects) => objects.get(id))
      .find((each) => each !== undefined) ??
    world.mandates.get(id) ??
    world.files.get(id) ??
    null
  );
}
