import type { App, Viewer } from '../../src/app.ts';
import {
  activateRoutingRuleSet,
  createRoutingRuleSet,
  createRoutingRuleSetVersion,
  rememberedVersion,
} from '../../src/modules/routing/index.ts';
import type { Act } from './acts.ts';
import { AT_PAGES, AWAY, PLAIN, WITH_3DS, type Currency, type ServiceKind } from './harness.ts';
import { createRandom, type Random } from './random.ts';

// Every merchant has one active version with the rules of many histories. A payment names the rules of its history by
// its metadata. A payment without metadata meets no rule.

/** A way through kinds of services, best first. With `onlyThese` no other service is asked. */
export type RuledWay = { readonly kinds: readonly ServiceKind[]; readonly onlyThese: boolean };

/** A rule as drawn. The judge reads this form, and the merchants get the input of the API. */
export type DrawnRule = {
  /** The histories whose payments meet the rule. */
  readonly of: number;
  /** Minor units, both ends included. */
  readonly min: number;
  readonly max: number;
  /** The currencies of the rule. Null: any. */
  readonly currencies: readonly Currency[] | null;
  /** True if the rule is for all currencies but these. */
  readonly others: boolean;
  /** The attempts of the rule. Null: all. */
  readonly attempts: DrawnAttempts | null;
  /** More than one way: a split by weight. Null: the order of positions. */
  readonly ways: readonly (RuledWay & { readonly weight: number })[] | 'refuse' | null;
};

/** The number of an attempt, both ends included, and the outcome before. Null: any outcome, or none. */
export type DrawnAttempts = {
  readonly min: number;
  readonly max: number;
  readonly after: 'declined' | 'failed' | null;
};

/** The number of different rule sets. Histories take turns. */
const DRAWN = 40;

/** The currencies of the histories with rules. */
const CURRENCIES = [...PLAIN, ...WITH_3DS, ...AT_PAGES, ...AWAY];

const AMOUNT_MAX = 99_999_999;

/** Kinds of services for cards. A rule may name services that do not accept its payments. */
const KINDS = [
  'sim-keys',
  'sim-lookup',
  'sim-none',
  'sim-plain',
  'sim-secure',
  'sim-strict',
  'sim-last',
] as const;

/** Rules for all attempts, for the first ones, and for further ones. */
const ATTEMPTS: readonly (DrawnAttempts | null)[] = [
  null,
  { min: 1, max: 1, after: null },
  { min: 2, max: 2, after: null },
  { min: 3, max: 100, after: null },
  { min: 1, max: 100, after: 'declined' },
  { min: 1, max: 100, after: 'failed' },
];

export const DRAWN_RULES: readonly DrawnRule[] = Array.from({ length: DRAWN }, (_, of) => {
  const random = createRandom(of, 17);
  return Array.from({ length: random.int(1, 4) }, () => drawRule(random, of));
}).flat();

function drawRule(random: Random, of: number): DrawnRule {
  const isOpen = random.chance(0.4);
  return {
    of,
    min: isOpen ? 0 : random.pick([0, 100, 101, 1_000]),
    max: isOpen ? AMOUNT_MAX : random.pick([1_000, 1_001, 1_299, AMOUNT_MAX]),
    currencies: isOpen ? null : [random.pick(PLAIN), random.pick(PLAIN)],
    others: random.chance(0.3),
    attempts: random.pick(ATTEMPTS),
    ways: random.weighted<DrawnRule['ways']>([
      [6, [drawWay(random)]],
      [3, [drawWay(random), drawWay(random)]],
      [2.5, 'refuse'],
      [2, null],
    ]),
  };
}

function drawWay(random: Random): RuledWay & { readonly weight: number } {
  const kinds = [...new Set(Array.from({ length: random.int(1, 4) }, () => random.pick(KINDS)))];
  return { kinds, onlyThese: random.chance(0.4), weight: random.int(1, 5) };
}

/** Lets the payments of the nth history with rules name its rules. */
export const withRules = (acts: readonly Act[], nth: number): readonly Act[] =>
  acts.map((act) => (act.kind === 'create' ? { ...act, rules: nth % DRAWN } : act));

type ServiceOf = (kind: ServiceKind) => string;

/** Activates the rules for a merchant. Returns the id of their version, which all processes know afterwards. */
export async function prepareRules(app: App, viewer: Viewer, serviceOf: ServiceOf): Promise<string> {
  const made = await createRoutingRuleSet(app, viewer, { name: 'Simulation' }, null);
  if (!made.ok) throw new Error(JSON.stringify(made.refusals));
  const input = { rules: DRAWN_RULES.map((rule, index) => inputOf(rule, index, serviceOf)) };
  const { id: ruleSetId } = made.value.ruleSet;
  const created = await createRoutingRuleSetVersion(app, viewer, { ruleSetId, input, dryRun: false });
  if (!created.ok) throw new Error(JSON.stringify(created.refusals));
  const versionId = created.value.version?.id ?? '';
  const activated = await activateRoutingRuleSet(app, viewer, { versionId }, null);
  if (!activated.ok) throw new Error(JSON.stringify(activated.refusals));
  // The first read of a version would come at another turn in each lane.
  await rememberedVersion(app, viewer.merchantAccountId, versionId);
  return versionId;
}

function inputOf(rule: DrawnRule, index: number, serviceOf: ServiceOf): unknown {
  const { of, min, max, currencies, others, attempts } = rule;
  const facts = [
    { fact: { metadata: { name: 'rules', values: [String(of)] } } },
    // An amount has a currency, so each currency needs a range.
    { anyOf: CURRENCIES.map((currency) => ({ fact: { amount: { currency, min, max } } })) },
    ...(currencies ? [{ not: others, fact: { currency: [...new Set(currencies)] } }] : []),
    ...(attempts ? [{ fact: { attempt: { min: attempts.min, max: attempts.max } } }] : []),
    ...(attempts?.after ? [{ fact: { formerOutcome: [attempts.after] } }] : []),
  ];
  return { name: `Rule ${index + 1}`, conditions: facts, action: actionOf(rule, serviceOf) };
}

function actionOf({ ways }: DrawnRule, serviceOf: ServiceOf): unknown {
  if (ways === 'refuse') return { refuse: { code: 'not_here' } };
  if (ways === null) return { positions: true };
  const orders = ways.map(({ kinds, ...way }) => ({ ...way, paymentServiceIds: kinds.map(serviceOf) }));
  const [first] = orders;
  if (orders.length > 1 || !first) return { split: orders };
  return { order: { paymentServiceIds: first.paymentServiceIds, onlyThese: first.onlyThese } };
}
