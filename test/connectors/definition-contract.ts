import { recoveryOf, type Connector } from '../../src/connectors/interface/connector.ts';
import type { Definition, Feature } from '../../src/connectors/interface/definition.ts';
import { MEANS_FEATURES } from './contract-provider.ts';
import { expect, it } from './runner.ts';

const VERBS = ['authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel'] as const;

/** Defines the tests of a definition that need no provider. */
export function describeDefinition(connector: Connector, definition: Definition): void {
  it('says how an unknown outcome is found, in whole milliseconds', () => {
    for (const recovery of VERBS.map((verb) => recoveryOf(connector, verb))) {
      if (recovery.kind === 'keys') expect(recovery.windowMs).toBeGreaterThan(0);
      if (recovery.kind === 'lookup') expect(recovery.quiescenceMs).toBeGreaterThanOrEqual(0);
      expect(['keys', 'lookup', 'none']).toContain(recovery.kind);
    }
  });

  describeMeansFeatures(definition);

  it('continues payments after a return where sessions are completed', () => {
    expect(connector.sessions === undefined || 'resume' in connector).toBe(true);
  });

  it('has the verbs that its features promise', () => {
    const { incremental_authorization: increases, reauthorization: renews } = definition.supportedFeatures;
    expect([increases && !connector.increase, renews && !connector.reauthorize]).toEqual([false, false]);
  });

  it('names each field once', () => {
    const keys = definition.fields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
}

function describeMeansFeatures({ method, fields, supportedFeatures: has }: Definition): void {
  const cards: readonly Feature[] = [
    ...MEANS_FEATURES,
    ...([
      'merchant_profile',
      'raw_card_data',
      'three_d_secure_hosted',
      'three_d_secure_pass_through',
    ] as const),
  ];

  it('has features of cards only for cards', () => {
    expect(method === 'card' ? [] : cards.filter((feature) => has[feature])).toEqual([]);
  });

  it('has no flag that no service could follow', () => {
    const canHaveTokens = has.network_tokens_default || has.network_tokens_toggle;
    const canBeOpen = has.open_loop || has.open_loop_toggle;
    expect(canHaveTokens).toBe(has.network_tokens);
    expect(canBeOpen || !has.network_tokens).toBe(true);
    expect(has.payment_method_tokenization || !has.payment_method_tokenization_toggle).toBe(true);
    expect(has.three_d_secure_hosted || !has.three_d_secure_by_provider).toBe(true);
  });

  it.each(['raw_card_data', 'network_tokens'] as const)('has the feature of its field %s', (name) => {
    const field = fields.find(({ key }) => key === name);
    expect(field === undefined || (has[name] && !field.secret)).toBe(true);
  });
}
