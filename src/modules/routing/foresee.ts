import type { CompiledVersion } from './model/compile.ts';
import type { CompiledCondition } from './model/condition.ts';
import { decideBy, type Decision } from './model/decide.ts';
import type { RoutingFacts } from './model/facts.ts';
import type { Condition } from './model/rule.ts';

/** Facts that nobody knows before the buyer has chosen how to pay. */
export type OpenFact = 'scheme' | 'bin' | 'isStored' | 'stores';

/** A payment before the buyer pays. The values of its open facts mean nothing. */
export type ForeseenPayment = { readonly facts: RoutingFacts; readonly open: readonly OpenFact[] };

/**
 * Lists the decisions that a version may make about a payment once its open facts are known. The list never lacks a decision. It may
 * hold one that no payment gets, because each condition is asked alone. A rule that compares services names the same ones later, but
 * perhaps in another order.
 */
export function foresee(compiled: CompiledVersion, payment: ForeseenPayment): readonly Decision[] {
  const open = new Set<Condition['fact']>(payment.open);
  const possible: Decision[] = [];
  for (const [index, { rule, places }] of compiled.rules.entries()) {
    const answers = rule.conditions.map((condition, nth) =>
      answerOf(condition, compiled.conditions[places[nth] ?? -1], { ...payment, open }),
    );
    if (answers.includes('fails')) continue;
    possible.push(decideBy(compiled, index, payment.facts));
    if (!answers.includes('open')) return possible;
  }
  return [...possible, decideBy(compiled, -1, payment.facts)];
}

type Answer = 'holds' | 'fails' | 'open';

type Known = { readonly facts: RoutingFacts; readonly open: ReadonlySet<Condition['fact']> };

function answerOf(condition: Condition, compiled: CompiledCondition | undefined, known: Known): Answer {
  if (!compiled || known.open.has(condition.fact)) return 'open';
  if (condition.fact !== 'anyOf') return compiled.holds(known.facts) ? 'holds' : 'fails';
  const answers = condition.tests.map((test, nth) => answerOf(test, compiled.tests[nth], known));
  const isMet = answers.includes('holds');
  if (!isMet && answers.includes('open')) return 'open';
  return isMet === condition.not ? 'fails' : 'holds';
}
