import { describe, expect, it } from '@jest/globals';
import { comparable } from './agreement.ts';
import { askBoth, schema } from './both-executors.ts';
import { randomOperation } from './random-operation.ts';

describe('compiled and reference', () => {
  it('answer 400 random operations alike', async () => {
    let compiled = 0;
    for (let seed = 1; seed <= 400; seed += 1) {
      const { text, variables } = randomOperation(schema, seed);
      const scopes = seed % 3 === 0 ? ['*.write', 'shops.read'] : ['*.read', '*.write'];
      const both = await askBoth({ text, variables, scopes });
      expect({ seed, ...comparable(both.answered) }).toEqual({ seed, ...comparable(both.expected) });
      compiled += Number(both.compiled);
    }
    expect(compiled).toBeGreaterThan(300);
  }, 120_000);
});
