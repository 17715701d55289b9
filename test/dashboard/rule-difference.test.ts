import { describe, expect, it } from '@jest/globals';
import { formerOf, plannedOf, statesOf } from '../../src/dashboard/pages/rules/activations.ts';
import { differencesOf } from '../../src/dashboard/pages/rules/difference.ts';
import type { Rule } from '../../src/dashboard/pages/rules/rule.ts';

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  ...{ name, conditions: [], action: { positions: true } },
  ...more,
});

const rules = (names: string): readonly Rule[] => names.split('').map((name) => rule(name));

/** Writes differences in short, such as `moved c 3>1`. */
const inShort = (before: readonly Rule[], after: readonly Rule[]): readonly string[] =>
  differencesOf(before, after).map((each) => {
    const place = 'rank' in each ? each.rank : 'from' in each ? `${each.from}>${each.to}` : '';
    return `${each.kind} ${each.rule.name} ${place}`.trim();
  });

describe('the difference of two versions', () => {
  it.each([
    ['nothing', 'abc', 'abc', []],
    ['a new rule', 'ab', 'axb', ['added x 2']],
    ['a gone rule', 'abc', 'ac', ['removed b 2']],
    ['one rule that moved up', 'abcd', 'dabc', ['moved d 4>1']],
    ['one rule that moved down', 'abcd', 'bcda', ['moved a 1>4']],
    ['a rule that is gone, beside one that moved', 'abcd', 'dbc', ['removed a 1', 'moved d 4>1']],
    ['another name as another rule', 'ab', 'aB', ['removed b 2', 'added B 2']],
  ] as const)('is %s', (_, before, after, expected) => {
    expect(inShort(rules(before), rules(after))).toEqual(expected);
  });

  it('passes over defaults, the order of fields, and the order of conditions', () => {
    const [euro, german] = [{ fact: { currency: ['EUR'] } }, { fact: { country: ['DE'] } }];
    const before = rule('a', {
      conditions: [euro, german],
      action: { order: { paymentServiceIds: ['s'], onlyThese: false } },
      threeDSecure: null,
    });
    const after = rule('a', {
      conditions: [
        { not: false, ...german },
        { ...euro, not: false },
      ],
      action: { order: { onlyThese: false, paymentServiceIds: ['s'] } },
    });

    expect(differencesOf([before], [after])).toEqual([]);
  });

  it('names the changed parts of a rule', () => {
    const [euro, german] = [{ fact: { currency: ['EUR'] } }, { fact: { country: ['DE'] } }];
    const before = rule('a', { conditions: [euro], threeDSecure: 'ALWAYS' });
    const after = rule('a', { conditions: [german], action: { refuse: { code: 'no' } } });

    expect(differencesOf([before], [after])).toEqual([
      {
        kind: 'changed',
        rule: after,
        conditionsAdded: [german],
        conditionsRemoved: [euro],
        action: { before: { positions: true }, after: { refuse: { code: 'no' } } },
        threeDSecure: { before: 'ALWAYS', after: undefined },
      },
    ]);
  });

  it('tells an inverted condition from the condition', () => {
    const fact = { currency: ['EUR'] };
    const [before, after] = [
      rule('a', { conditions: [{ fact }] }),
      rule('a', { conditions: [{ fact, not: true }] }),
    ];

    expect(inShort([before], [after])).toEqual(['changed a']);
  });
});

/** An activation of a version, by the hour of its beginning and of its creation. */
const activation = (id: string, version: string | null, from: number, created = from) => ({
  ...{ id, version: version === null ? null : { id: version } },
  activeFrom: new Date(from * 3_600_000).toISOString(),
  createdAt: new Date(created * 3_600_000).toISOString(),
  canceledAt: null,
});

describe('the activations', () => {
  const first = activation('first', 'v1', 1);
  const second = activation('second', 'v2', 2);
  const again = activation('again', 'v2', 3);
  const plan = activation('plan', 'v3', 9, 2);
  const newPlan = activation('new plan', 'v4', 9, 3);

  it('are planned, active, over or replaced', () => {
    const states = statesOf([newPlan, again, plan, second, first], again);

    expect(Object.fromEntries(states)).toEqual({
      ...{ first: 'PAST', second: 'PAST', again: 'ACTIVE', plan: 'REPLACED', 'new plan': 'PLANNED' },
    });
  });

  it('are all planned before the first one begins', () => {
    expect([...statesOf([plan], null).values()]).toEqual(['PLANNED']);
  });

  it('are planned in the order of their beginnings, without the canceled ones', () => {
    const soon = activation('soon', 'v5', 8, 3);
    const canceled = { ...activation('canceled', 'v6', 9, 4), canceledAt: newPlan.createdAt };
    const all = [canceled, newPlan, soon, again, plan];

    expect(plannedOf(all, again).map(({ id }) => id)).toEqual(['soon', 'new plan']);
    expect(statesOf(all, again).get('canceled')).toBe('CANCELED');
  });

  it('lead back to the last other version that decided', () => {
    expect(formerOf([newPlan, again, plan, second, first], again, true)).toEqual({ id: 'v1' });
  });

  it('lead back to no rules only from the first version, and only if no earlier activation is unknown', () => {
    expect(formerOf([first], first, true)).toBeNull();
    expect(formerOf([first], first, false)).toBeUndefined();
    expect(formerOf([], null, true)).toBeUndefined();
  });

  it('lead back to rules after their end', () => {
    const end = activation('end', null, 4);

    expect(formerOf([end, again], end, true)).toEqual({ id: 'v2' });
    expect(formerOf([end], end, true)).toBeUndefined();
  });
});
