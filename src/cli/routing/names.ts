import { isObject } from '../../kernel/json.ts';
import { rangeOf } from '../../modules/routing/index.ts';
import { RefusedError } from '../exit-code.ts';
import { findNamed, type Account, type Named, type ValueSet } from './account.ts';
import type { FileValueSet, Json, RoutingFile } from './file.ts';
import { isTexts, renamed, type Renaming, type SharedFact } from './walk-names.ts';

/** A value set that a file names: as the file has it, as the service has it, or both. */
export type KnownValueSet = {
  readonly name: string;
  readonly own: FileValueSet | null;
  readonly stored: ValueSet | null;
};

/** Finds a value set by its name or its id. Throws a RefusedError for an unknown one, and for another kind. */
export function valueSetOf(
  given: string,
  { valueSets }: Pick<RoutingFile, 'valueSets'>,
  account: Account,
): KnownValueSet {
  const stored = findNamed('value set', account.valueSets, given);
  const name = stored?.name ?? given;
  const own = ownOf(valueSets, name, stored);
  if (!stored && !own)
    throw new RefusedError(`No value set has the name or the id "${given}". Add it to valueSets.`);
  if (stored && own && stored.kind !== own.kind)
    throw new RefusedError(
      `The value set "${name}" has the kind ${stored.kind}, and a kind never changes. Choose another name.`,
    );
  return { name, own, stored };
}

/** Finds the values that a file has for a value set. An id in the file counts more than a name. */
export const ownOf = (
  valueSets: readonly FileValueSet[],
  name: string,
  stored: Pick<ValueSet, 'id'> | null,
): FileValueSet | null =>
  valueSets.find(({ id }) => id !== undefined && id.toLowerCase() === stored?.id) ??
  valueSets.find((set) => set.id === undefined && set.name === name) ??
  null;

/** Returns a file's rules with ids in place of names. Value sets that do not exist yet keep their names. */
export const withIds = (file: RoutingFile, account: Account): readonly Json[] =>
  renamed(file.rules, {
    services: idsOfServices(account),
    price: idOfPrice(account),
    service: (given) => idOf(account, given),
    valueSet: (fact, given, name) => {
      const { stored, name: own } = valueSetOf(given, file, account);
      return factOf(fact, stored?.id ?? own, name);
    },
  });

/** Returns a file's rules for a dry run. The values of the file's own value sets stand in the rules themselves. */
export const withValues = (file: RoutingFile, account: Account): readonly Json[] =>
  renamed(file.rules, {
    services: idsOfServices(account),
    price: idOfPrice(account),
    service: (given) => idOf(account, given),
    valueSet: (fact, given, name) => {
      const { own, stored } = valueSetOf(given, file, account);
      const kind = own?.kind ?? stored?.kind;
      if (kind !== KINDS[fact])
        throw new RefusedError(
          `${fact} needs a value set of the kind ${KINDS[fact]}. "${given}" has ${kind}.`,
        );
      return own ? valuesFor(fact, own.values, name) : factOf(fact, stored?.id ?? given, name);
    },
  });

/** Returns rules with the names of services and value sets. An id stays if no other word is certain. */
export const withNames = (rules: readonly Json[], account: Account): readonly Json[] =>
  renamed(rules, {
    services: ({ paymentServiceIds, ...order }) =>
      isTexts(paymentServiceIds)
        ? { ...order, paymentServices: paymentServiceIds.map((id) => nameOf(account.services, id)) }
        : { ...order, paymentServiceIds },
    price: ({ paymentServiceId, ...price }) =>
      typeof paymentServiceId === 'string'
        ? { paymentService: nameOf(account.services, paymentServiceId), ...price }
        : { paymentServiceId, ...price },
    service: (id) => nameOf(account.services, id),
    valueSet: (fact, id, name) => {
      const valueSet = nameOf(account.valueSets, id);
      return fact === 'metadataIn' ? { metadataIn: { name, valueSet } } : { [fact]: valueSet };
    },
  });

const KINDS = { countryIn: 'COUNTRY', binIn: 'BIN', metadataIn: 'TEXT' } as const satisfies Record<
  SharedFact,
  FileValueSet['kind']
>;

const factOf = (fact: SharedFact, valueSetId: string, name: unknown): Json =>
  fact === 'metadataIn' ? { metadataIn: { name, valueSetId } } : { [fact]: valueSetId };

function valuesFor(fact: SharedFact, values: readonly string[], name: unknown): Json {
  if (fact === 'countryIn') return { country: values };
  return fact === 'binIn' ? { bin: values.map(rangeOf) } : { metadata: { name, values } };
}

/** Two members for the same services stay, and the service refuses the unknown one. */
const idsOfServices =
  (account: Account): Renaming['services'] =>
  (order) => {
    const { paymentServices, ...others } = order;
    if (!isTexts(paymentServices) || 'paymentServiceIds' in order) return order;
    return { ...others, paymentServiceIds: paymentServices.map((given) => idOf(account, given)) };
  };

const idOfPrice =
  (account: Account): Renaming['price'] =>
  (price) => {
    const { paymentService, ...others } = price;
    if (typeof paymentService !== 'string' || 'paymentServiceId' in price) return price;
    return { paymentServiceId: idOf(account, paymentService), ...others };
  };

function idOf({ services }: Account, given: string): string {
  const found = findNamed('payment service', services, given);
  if (found) return found.id;
  const names = services.map(({ name }) => name).join(', ') || 'none';
  throw new RefusedError(
    `No payment service has the display name or the id "${given}". There are these: ${names}.`,
  );
}

function nameOf(records: readonly Named[], given: string): string {
  const id = given.toLowerCase();
  const name = records.find((record) => record.id === id)?.name;
  if (name === undefined) return given;
  return records.filter((record) => record.name === name).length === 1 ? name : id;
}

/** Removes members that say nothing, such as `"not": false`. */
export const simple = (value: Json): Json =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !saysNothing(name, item))
      .map(([name, item]) => [name, simpleValue(item)]),
  );

const simpleValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(simpleValue);
  return isObject(value) ? simple(value) : value;
};

/** The defaults of a rule by success. */
const DEFAULTS: Readonly<Record<string, number>> = { lastHours: 72, keepShare: 5, minimumCases: 100 };

function saysNothing(name: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (name === 'not' || name === 'onlyThese') return value === false;
  if (name in DEFAULTS) return value === DEFAULTS[name];
  return (name === 'conditions' || name === 'table') && Array.isArray(value) && value.length === 0;
}

/** Returns a text that is the same for rules that mean the same. */
export const canonical = (value: unknown): string =>
  JSON.stringify(simpleValue(value), (_, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
