import type { RoutingThreeDSecure } from '../../../../client/generated/schema.ts';
import { BROWSER_ZONE } from '../../home/zone.ts';
import {
  factName,
  testsOf,
  type Action,
  type Condition,
  type FactName,
  type Rule,
  type Test,
} from '../rule.ts';
import { byCostFrom, bySuccessFrom, comparedForm, NEW_COMPARED, type ComparedForm } from './compared.ts';
import { factFrom, partsOf, type TestParts } from './values.ts';

/** A test as a person fills it in. */
export type TestForm = TestParts & { readonly fact: FactName; readonly is: 'is' | 'not' };

/** A condition: one test, or several of which one or none must hold. */
export type ConditionForm = { readonly tests: readonly TestForm[]; readonly hold: 'any' | 'none' };

/** Services in an order. */
export type OrderForm = { readonly services: readonly string[]; readonly onlyThese: boolean };

export type ShareForm = OrderForm & { readonly weight: string };

/** The kinds of actions in the order of the list. */
export const ACTION_KINDS = ['order', 'split', 'bySuccess', 'byCost', 'positions', 'refuse'] as const;

export type ActionKind = (typeof ACTION_KINDS)[number];

/** A rule as a person fills it in. The values of actions that are not chosen stay, so that a person may return to them. */
export type RuleForm = ComparedForm & {
  readonly name: string;
  readonly conditions: readonly ConditionForm[];
  readonly action: ActionKind;
  /** The services in an order, and those that a rule compares. */
  readonly order: OrderForm;
  readonly shares: readonly ShareForm[];
  readonly code: string;
  readonly wish: 'none' | RoutingThreeDSecure;
};

/** A new test of a fact, without values. */
export const newTest = (fact: FactName): TestForm => ({ ...NO_PARTS, fact, is: 'is' });

const NO_PARTS: TestParts = {
  chosen: [],
  ...{ flag: 'yes', currency: '', min: '', max: '', text: '', name: '', set: '' },
  ...{ zone: BROWSER_ZONE, start: '00:00', end: '24:00' },
};

/** Removes a test of a condition. If one test is left of those that must not hold, the test is inverted. */
export function withoutTest({ tests, hold }: ConditionForm, at: number): ConditionForm {
  const left = tests.toSpliced(at, 1);
  const [last] = left;
  if (hold === 'any' || left.length !== 1 || !last) return { tests: left, hold };
  return { tests: [{ ...last, is: last.is === 'is' ? 'not' : 'is' }], hold: 'any' };
}

export const newShare = (weight: string): ShareForm => ({ weight, services: [], onlyThese: false });

/** A new rule without conditions. */
export const NEW_RULE: RuleForm = {
  ...NEW_COMPARED,
  ...{ name: '', conditions: [], action: 'order', code: '', wish: 'none' },
  order: { services: [], onlyThese: false },
  shares: [newShare('5'), newShare('95')],
};

/** Returns the form of a rule. */
export function formOf({ name, conditions = [], action, threeDSecure }: Rule): RuleForm {
  const { split, refuse, bySuccess, byCost } = action;
  const order = action.order ?? bySuccess ?? byCost;
  return {
    ...NEW_RULE,
    name,
    conditions: conditions.map(conditionForm),
    action: kindOf(action),
    ...comparedForm(action),
    ...(order && { order: orderForm(order) }),
    ...(split && { shares: split.map((share) => ({ ...orderForm(share), weight: String(share.weight) })) }),
    ...(refuse && { code: refuse.code }),
    wish: threeDSecure ?? 'none',
  };
}

/** Returns the kind of an action. An action that this page does not know is shown as the order of positions. */
const kindOf = (action: Action): ActionKind =>
  ACTION_KINDS.find((kind) => kind in action && action[kind] != null) ?? 'positions';

type Order = { readonly paymentServiceIds: readonly string[]; readonly onlyThese?: boolean | undefined };

const orderForm = ({ paymentServiceIds, onlyThese = false }: Order): OrderForm => ({
  services: paymentServiceIds,
  onlyThese,
});

const conditionForm = (condition: Condition): ConditionForm => ({
  tests: testsOf(condition).map(testForm),
  hold: condition.anyOf && condition.not ? 'none' : 'any',
});

const testForm = ({ fact, not = false }: Test): TestForm => ({
  ...NO_PARTS,
  ...partsOf(fact),
  fact: factName(fact),
  is: not ? 'not' : 'is',
});

/** Translates a form for the API. Null while a value is missing or unreadable. */
export function ruleOf(form: RuleForm): Rule | null {
  const action = actionOf(form);
  const conditions = form.conditions.map(conditionOf);
  if (form.name.trim() === '' || !action || !conditions.every((each) => each !== null)) return null;
  return {
    ...{ name: form.name.trim(), conditions, action },
    ...(form.wish !== 'none' && { threeDSecure: form.wish }),
  };
}

function conditionOf({ tests, hold }: ConditionForm): Condition | null {
  const translated = tests.map(testOf);
  if (!translated.every((each) => each !== null)) return null;
  const [first, ...others] = translated;
  if (!first) return null;
  return others.length === 0 ? first : { not: hold === 'none', anyOf: translated };
}

function testOf(form: TestForm): Test | null {
  const fact = factFrom(form.fact, form);
  return fact && { not: form.is === 'not', fact };
}

function actionOf({ action, order, shares, code, ...compared }: RuleForm): Action | null {
  switch (action) {
    case 'positions':
      return { positions: true };
    case 'refuse':
      return code.trim() === '' ? null : { refuse: { code: code.trim() } };
    case 'order':
      return order.services.length === 0 ? null : { order: orderOf(order) };
    case 'bySuccess':
      return bySuccessFrom(orderOf(order), compared);
    case 'byCost':
      return byCostFrom(orderOf(order), compared);
    case 'split':
      return shares.every(isShare)
        ? { split: shares.map((share) => ({ weight: Number(share.weight), ...orderOf(share) })) }
        : null;
  }
}

const isShare = ({ services, weight }: ShareForm): boolean =>
  services.length > 0 && /^[1-9]\d{0,4}$/.test(weight.trim());

const orderOf = ({ services, onlyThese }: OrderForm) => ({ paymentServiceIds: services, onlyThese });
