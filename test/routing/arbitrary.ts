import fc from 'fast-check';
import { FIRST_ATTEMPT, type RoutingFacts } from '../../src/modules/routing/index.ts';
import type { AttemptFacts } from '../../src/modules/routing/model/facts.ts';
import type {
  Action,
  Condition,
  Question,
  Rule,
  RuleSetVersion,
  Test,
} from '../../src/modules/routing/model/rule.ts';

// Few values of each kind, so that conditions often meet, contradict and hide each other.

const CURRENCIES = ['EUR', 'USD'];
const COUNTRIES = ['DE', 'FR', 'US'];
const SCHEMES = ['visa', 'mastercard', 'amex'];
const BINS = ['400000', '411111', '499999', '510000'];

/** The ids of the services that rules name and payments meet. */
export const SERVICES = ['a', 'b', 'c', 'd', 'e'];

/** Codes of declines after which a payment goes on, and of failures. */
const DECLINES = ['issuer_decline', 'other_decline'];
const FAILURES = ['service_error', 'service_network_error'];

const someOf = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });

const bounds = (values: readonly number[]) =>
  fc.tuple(fc.constantFrom(...values, null), fc.constantFrom(...values)).map(([one, other]) => ({
    min: one === null ? null : Math.min(one, other),
    max: Math.max(one ?? 0, other),
  }));

const questions: fc.Arbitrary<Question> = fc.oneof(
  someOf(CURRENCIES).map((values) => ({ fact: 'currency' as const, values })),
  someOf(COUNTRIES).map((values) => ({ fact: 'country' as const, values })),
  someOf(SCHEMES).map((values) => ({ fact: 'scheme' as const, values })),
  fc.boolean().map((is) => ({ fact: 'isStored' as const, is })),
  fc
    .record({ currency: fc.constantFrom(...CURRENCIES), range: bounds([0, 1000, 5000]) })
    .map(({ currency, range }) => ({ fact: 'amount' as const, currency, ...range })),
  bounds([1, 2, 6]).map((range) => ({ fact: 'installmentCount' as const, ...range })),
  bounds([1, 2, 3]).map((range) => ({ fact: 'attempt' as const, ...range })),
  someOf(['declined', 'failed']).map((values) => ({ fact: 'formerOutcome' as const, values })),
  someOf([...DECLINES, ...FAILURES]).map((values) => ({ fact: 'formerErrorCode' as const, values })),
  someOf(SERVICES).map((values) => ({ fact: 'formerService' as const, values })),
  fc
    .tuple(fc.constantFrom(...BINS), fc.constantFrom(...BINS))
    .map((ends) => ends.toSorted())
    .map(([from = '', to = '']) => ({ fact: 'bin' as const, ranges: [{ from, to }] })),
  fc
    .option(someOf(['gold', 'silver']))
    .map((values) => ({ fact: 'metadata' as const, name: 'tier', values })),
  someOf(['sub-', 'sub-1', 'shop-']).map((prefixes) => ({ fact: 'externalIdentifier' as const, prefixes })),
  fc.constantFrom(['mon' as const], ['sat' as const, 'sun' as const]).map((days) => ({
    ...{ fact: 'localTime' as const, zone: 'Europe/Berlin', days, from: '20:00', to: '02:00' },
  })),
);

const tests: fc.Arbitrary<Test> = fc
  .tuple(fc.boolean(), questions)
  .map(([not, question]) => ({ not, ...question }));

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: tests },
  {
    weight: 1,
    arbitrary: fc.record({
      fact: fc.constant('anyOf' as const),
      not: fc.boolean(),
      tests: fc.array(tests, { minLength: 2, maxLength: 3 }),
    }),
  },
);

const orders = fc.record({
  paymentServiceIds: fc.uniqueArray(fc.constantFrom(...SERVICES, 'unknown'), { minLength: 1, maxLength: 4 }),
  onlyThese: fc.boolean(),
});

const comparedOrders = fc.record({
  paymentServiceIds: fc.uniqueArray(fc.constantFrom(...SERVICES), { minLength: 3, maxLength: 5 }),
  onlyThese: fc.boolean(),
});

const actions: fc.Arbitrary<Action> = fc.oneof(
  orders.map((order) => ({ kind: 'order' as const, ...order })),
  fc
    .array(
      fc.tuple(orders, fc.integer({ min: 1, max: 100 })).map(([order, weight]) => ({ ...order, weight })),
      { minLength: 2, maxLength: 4 },
    )
    .map((shares) => ({ kind: 'split' as const, shares })),
  comparedOrders.map((order) => ({
    kind: 'bySuccess' as const,
    ...order,
    lastHours: 24,
    minimumCases: 10,
    keepShare: 20,
  })),
  comparedOrders.map(({ paymentServiceIds, onlyThese }) => ({
    ...{ kind: 'byCost' as const, paymentServiceIds, onlyThese },
    table: paymentServiceIds.map((paymentServiceId, nth) => ({
      ...{ paymentServiceId, scheme: nth === 0 ? 'visa' : null, country: null, fixed: null },
      percentage: String(9 - nth),
    })),
  })),
  fc.constant({ kind: 'positions' as const }),
  fc.constant({ kind: 'refuse' as const, code: 'not_here' }),
);

const rules = fc
  .array(
    fc.record({
      conditions: fc.array(conditions, { maxLength: 3 }),
      action: actions,
      threeDSecure: fc.constantFrom('always' as const, 'never' as const, null),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((given): readonly Rule[] => given.map((rule, index) => ({ name: `Rule ${index + 1}`, ...rule })));

/** Any version with a few rules. */
export const anyVersion: fc.Arbitrary<RuleSetVersion> = fc
  .tuple(fc.uuid(), fc.uuid(), rules)
  .map(([id, ruleSetId, given]) => ({ id, ruleSetId, number: 1, rules: given }));

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

/** Any attempt. A failure may also have the code of a decline. */
const anyAttempt: fc.Arbitrary<AttemptFacts> = fc.oneof(
  fc.constant(FIRST_ATTEMPT),
  fc
    .record({
      attempt: fc.constantFrom(2, 3, 4),
      formerService: fc.constantFrom(...SERVICES),
      former: fc.oneof(
        fc.tuple(fc.constant('declined' as const), fc.constantFrom(...DECLINES)),
        fc.tuple(fc.constant('failed' as const), fc.constantFrom(...FAILURES, ...DECLINES)),
      ),
    })
    .map(({ former: [formerOutcome, formerErrorCode], ...attempt }) => ({
      ...{ ...attempt, formerOutcome, formerErrorCode },
    })),
);

const anyPayment: fc.Arbitrary<Omit<RoutingFacts, keyof AttemptFacts>> = fc.record({
  paymentId: fc.uuid(),
  buyerId: optional(fc.uuid()),
  amount: optional(fc.constantFrom(0, 1, 999, 1000, 1001, 5000, 9999)),
  currency: fc.constantFrom(...CURRENCIES),
  country: optional(fc.constantFrom(...COUNTRIES, 'JP')),
  method: fc.constantFrom('card', 'paypal'),
  instrument: optional(fc.constantFrom('pan', 'network_token')),
  scheme: optional(fc.constantFrom(...SCHEMES, 'jcb')),
  bin: optional(fc.constantFrom('40000000', '41111111', '49999999', '51000000', '55555555')),
  paymentSource: fc.constantFrom('ecommerce', 'recurring'),
  merchantInitiated: fc.boolean(),
  isSubsequentPayment: fc.boolean(),
  isStored: fc.boolean(),
  stores: fc.boolean(),
  hasGiftCards: fc.boolean(),
  installmentCount: fc.constantFrom(1, 2, 3, 6, 12),
  threeDSecureRequest: fc.constantFrom('automatic', 'always', 'never'),
  hasThreeDSecureData: fc.boolean(),
  metadata: optional(fc.dictionary(fc.constantFrom('tier', 'shop'), fc.constantFrom('gold', 'silver', ''))),
  externalIdentifier: optional(fc.constantFrom('sub-1', 'sub-2', 'shop-1', 'order')),
  at: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
});

/** Any payment at any attempt. */
export const anyFacts: fc.Arbitrary<RoutingFacts> = fc
  .tuple(anyPayment, anyAttempt)
  .map(([payment, attempt]) => ({ ...payment, ...attempt }));

/** A payment by card. */
export const PAYMENT: RoutingFacts = {
  paymentId: '01890000-0000-7000-8000-000000000001',
  buyerId: null,
  amount: 1299,
  currency: 'EUR',
  country: 'DE',
  method: 'card',
  instrument: 'pan',
  scheme: 'visa',
  bin: '41111111',
  paymentSource: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  isStored: false,
  stores: false,
  hasGiftCards: false,
  installmentCount: 1,
  threeDSecureRequest: 'automatic',
  hasThreeDSecureData: false,
  metadata: { tier: 'gold' },
  externalIdentifier: 'sub-1',
  at: new Date('2026-03-02T09:30:00Z'),
  ...FIRST_ATTEMPT,
};

/** Makes a version of rules. */
export const versionOf = (
  ...given: readonly (Pick<Rule, 'action'> & Partial<Pick<Rule, 'conditions' | 'threeDSecure' | 'name'>>)[]
): RuleSetVersion => ({
  id: '01890000-0000-7000-8000-000000000002',
  ruleSetId: '01890000-0000-7000-8000-000000000003',
  number: 1,
  rules: given.map((rule, index) => ({
    ...{ name: `Rule ${index + 1}`, conditions: [], threeDSecure: null },
    ...rule,
  })),
});
