import { describe, expect, it } from '@jest/globals';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { serves } from '../../src/modules/payment-services/routing/intent.ts';
import { redirectMethods } from '../../src/modules/transactions/input/means.ts';

const definitionOf = (id: string) => {
  const definition = sandbox.definitions.find((each) => each.id === id);
  if (!definition) throw new Error(`There is no ${id}`);
  return definition;
};

describe('an authorisation without capture', () => {
  it.each([
    ['mock-card', true],
    ['mock-paypal', true],
    ['mock-wallet', true],
    // The redemption takes the money at once, whatever the intent.
    ['mock-gift-card', true],
    ['mock-push', false],
  ])('at %s can be made: %s', (id, can) => {
    const definition = definitionOf(id);
    expect([serves(definition, 'authorize'), serves(definition, 'capture')]).toEqual([can, true]);
  });
});

describe('the methods with an approval or a payment elsewhere', () => {
  it('are those of all connectors', () => {
    expect(redirectMethods([sandbox])).toEqual(['paypal', 'ideal', 'venmo', 'oxxo']);
  });
});
