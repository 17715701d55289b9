import { describe, expect, it } from '@jest/globals';
import { RefusedError } from '../../src/client/operations/errors.ts';
import { isAboutRules, refusalsOf } from '../../src/dashboard/pages/rules/editor/refusals.ts';

/** Refuses a draft with one refusal for each path. */
const refused = (...paths: readonly string[]) =>
  new RefusedError(
    'createRoutingRuleSetVersion',
    paths.map((path) => ({ code: 'INVALID_INPUT', message: `About ${path}.`, path: path.split('.') })),
    null,
  );

const messages = (error: unknown, at: number): readonly string[] =>
  refusalsOf(error, at).map(({ message }) => message);

describe('the refusals of a draft', () => {
  const both = refused('input.rules.1.name', 'input.rules.12.action.order', 'input.rules.1.conditions.0');

  it('stand at the rule that each names', () => {
    expect(messages(both, 1)).toEqual(['About input.rules.1.name.', 'About input.rules.1.conditions.0.']);
    expect(messages(both, 12)).toEqual(['About input.rules.12.action.order.']);
    expect(messages(both, 2)).toEqual([]);
  });

  it('are about rules only if each names one', () => {
    expect(isAboutRules(both)).toBe(true);
    expect(isAboutRules(refused('input.rules.1.name', 'input.rules'))).toBe(false);
    expect(isAboutRules(refused('ruleSetId'))).toBe(false);
    expect(isAboutRules(new Error('No answer.'))).toBe(false);
    expect(messages(new Error('No answer.'), 0)).toEqual([]);
  });
});
