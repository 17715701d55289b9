import { isEmpty, isSubset, textsOf, intersection } from './domain.ts';
import { isOfFurtherAttempts, limitOf, regionOf, type Region } from './region.ts';
import type { Action, Rule } from './rule.ts';

/** A weakness of a version. The version works, but perhaps not as meant. */
export type Warning = {
  readonly code: 'never_matches' | 'hidden' | 'service_never_accepts' | 'three_d_secure_too_late';
  /** The position of the rule. */
  readonly rule: number;
  readonly message: string;
};

/** The payments that a service accepts, as far as its own settings tell. */
export type ServiceTerms = {
  readonly id: string;
  readonly displayName: string;
  /** All methods of payments that the service takes. */
  readonly methods: readonly string[];
  readonly acceptedCurrencies: readonly string[];
  readonly acceptedCountries: readonly string[];
};

/**
 * Lists the weaknesses of rules:
 *
 * - a rule whose conditions contradict each other
 * - a rule whose payments all match an earlier rule
 * - a service that accepts no payment of the rule that names it
 * - a wish for an authentication in a rule that no first attempt meets
 *
 * Each warning is certain. A weakness that shows only by several conditions or rules together may stay unnoticed.
 */
export function checkRules(
  rules: readonly Pick<Rule, 'conditions' | 'action' | 'threeDSecure'>[],
  services: readonly ServiceTerms[],
): readonly Warning[] {
  const regions = rules.map(({ conditions }) => regionOf(conditions));
  const limits = rules.map(({ conditions }) => conditions.map(limitOf));
  return rules.flatMap(({ action, threeDSecure }, index): readonly Warning[] => {
    const region = regions[index] ?? new Map();
    const position = index + 1;
    if ([...region.values()].some(isEmpty)) return [{ ...NEVER_MATCHES, rule: position }];
    const hiding = limits.findIndex((each, earlier) => earlier < index && hides(each, region));
    if (hiding !== -1) return [{ code: 'hidden', rule: position, message: hiddenBehind(hiding + 1) }];
    return [
      ...unaccepting(action, region, services).map((message) => ({
        code: 'service_never_accepts' as const,
        ...{ rule: position, message },
      })),
      ...(threeDSecure !== null && isOfFurtherAttempts(region) ? [{ ...TOO_LATE, rule: position }] : []),
    ];
  });
}

const NEVER_MATCHES = {
  code: 'never_matches',
  message: 'The conditions contradict each other, so the rule matches no payment.',
} as const;

const TOO_LATE = {
  code: 'three_d_secure_too_late',
  message: 'Only the first attempt decides about the authentication, and the rule holds for none.',
} as const;

const hiddenBehind = (earlier: number): string =>
  `Rule ${earlier} matches every payment of this rule, so this rule is never reached.`;

/** Tells whether each payment of a region is within all limits. */
const hides = (limits: readonly ReturnType<typeof limitOf>[], region: Region): boolean =>
  limits.every(({ dimension, domain }) => {
    const limited = region.get(dimension);
    return limited !== undefined && isSubset(limited, domain);
  });

function unaccepting(action: Action, region: Region, services: readonly ServiceTerms[]): readonly string[] {
  return namedIn(action).flatMap((id) => {
    const service = services.find((each) => each.id === id);
    const why = service && reasonAgainst(service, region);
    return why ? [`The payment service ${service.displayName} takes no payment of this rule: ${why}`] : [];
  });
}

function reasonAgainst(service: ServiceTerms, region: Region): string | null {
  const term = TERMS.find(({ dimension, valuesOf }) => isApart(region, dimension, valuesOf(service)));
  if (term) return term.why;
  const former = region.get('formerService');
  return former && isSubset(former, textsOf([service.id])) ? 'the attempt before was at the service.' : null;
}

/** Lists the ids of the services that an action names, each once. */
export function namedIn(action: Action): readonly string[] {
  if ('paymentServiceIds' in action) return [...new Set(action.paymentServiceIds)];
  return action.kind === 'split'
    ? [...new Set(action.shares.flatMap(({ paymentServiceIds }) => paymentServiceIds))]
    : [];
}

/** Lists the ids of the services that conditions name, each once. */
export function namedInConditions(conditions: Rule['conditions']): readonly string[] {
  const tests = conditions.flatMap((each) => (each.fact === 'anyOf' ? each.tests : [each]));
  return [...new Set(tests.flatMap((test) => (test.fact === 'formerService' ? test.values : [])))];
}

/** Tells whether none of the values is in the region. */
function isApart(region: Region, dimension: string, values: readonly string[]): boolean {
  const domain = region.get(dimension);
  // A payment without a country is accepted in any.
  return domain !== undefined && !domain.unknown && isEmpty(intersection(domain, textsOf(values)));
}

const TERMS = [
  {
    dimension: 'method',
    valuesOf: ({ methods }: ServiceTerms) => methods,
    why: 'the service has another method.',
  },
  {
    dimension: 'currency',
    valuesOf: ({ acceptedCurrencies }: ServiceTerms) => acceptedCurrencies,
    why: 'the service accepts other currencies.',
  },
  {
    dimension: 'country',
    valuesOf: ({ acceptedCountries }: ServiceTerms) => acceptedCountries,
    why: 'the service accepts other countries.',
  },
] as const;
