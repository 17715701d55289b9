import { texts } from '../../../texts/texts.ts';
import { nameOf as nameOfCode, type CodeKind } from '../../services/codes.ts';
import { SCHEMES } from '../../services/profile.ts';
import { methodName } from '../../services/words.ts';
import { reasonOf } from '../../payment/decline.ts';
import type { Own } from '../query.ts';
import type { FactName } from '../rule.ts';
import { DAY_NAMES, schemeName } from '../words.ts';
import { KINDS } from './values.ts';

const { routingRules: words } = texts;

/** A value with its name. */
export type Option = readonly [value: string, shown: string];

/** Lists the values that a person can choose for a fact. Chosen values that the account has no longer stay in the list. */
export function choicesOf(fact: FactName, own: Own, chosen: readonly string[]): readonly Option[] {
  const known = knownOf(fact, own);
  const names = new Set(known.map(([value]) => value));
  return [...known, ...chosen.filter((value) => !names.has(value)).map((value) => [value, value] as const)];
}

function knownOf(fact: FactName, { services, declineCodes }: Own): readonly Option[] {
  switch (fact) {
    case 'currency':
      return currenciesOf({ services });
    case 'country':
      return named(
        'region',
        services.flatMap((service) => service.acceptedCountries),
      );
    case 'method':
      return [...new Map(services.map(({ method, definition }) => [method, methodName(method, definition)]))];
    case 'scheme':
      return SCHEMES.map((scheme) => [scheme, schemeName(scheme)]);
    case 'instrument':
      return Object.entries(words.instrument);
    case 'paymentSource':
      return Object.entries(words.source);
    case 'threeDSecureRequest':
      return Object.entries(words.wish);
    case 'formerOutcome':
      return Object.entries(words.outcome);
    case 'formerErrorCode':
      return declineCodes
        .filter(({ goesOn }) => goesOn)
        .map(({ code }) => [code, reasonOf(declineCodes, code)]);
    case 'formerService':
      return services.map(({ id, displayName }) => [id, displayName]);
    default:
      return DAY_NAMES;
  }
}

/** Lists the currencies of the account's payment services by name. */
export const currenciesOf = ({ services }: Pick<Own, 'services'>): readonly Option[] =>
  named(
    'currency',
    services.flatMap((service) => service.acceptedCurrencies),
  );

const named = (kind: CodeKind, codes: readonly string[]): readonly Option[] =>
  [...new Set(codes)]
    .map((code) => [code, nameOfCode(kind, code) ?? code] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other));

/** The kind of the value sets that a fact takes. */
const SET_KINDS: Readonly<Partial<Record<FactName, Own['valueSets'][number]['kind']>>> = {
  ...{ countryIn: 'COUNTRY', binIn: 'BIN', metadataIn: 'TEXT' },
};

/** Lists the value sets that a fact takes. */
export const setsOf = (fact: FactName, { valueSets }: Own): readonly Option[] =>
  valueSets.filter(({ kind }) => kind === SET_KINDS[fact]).map(({ id, name }) => [id, name]);

/** Lists the facts by name. A fact of a value set is left out while the account has none of its kind. */
export const factsFor = (own: Own, present: FactName): readonly (readonly [FactName, string])[] =>
  (Object.keys(KINDS) as readonly FactName[])
    .filter((fact) => fact === present || SET_KINDS[fact] === undefined || setsOf(fact, own).length > 0)
    .map((fact) => [fact, words.fact[fact]]);
