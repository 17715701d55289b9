import { describe, expect, test } from '@jest/globals';
import { adyenDefinitions } from '../../src/connectors/adyen/definitions.ts';
import { checkoutDefinitions } from '../../src/connectors/checkout/definitions.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';
import { stripeDefinitions } from '../../src/connectors/stripe/model/definitions.ts';
import type { Definition, Feature } from '../../src/connectors/interface/definition.ts';
import { decideFlags, type Flags, type GivenFlags } from '../../src/modules/payment-services/model/flags.ts';
import { threeDSecureFailures } from '../../src/modules/payment-services/services/input.ts';

const definition = (id: string, features: Partial<Record<Feature, boolean>> = {}): Definition => {
  const found = sandboxDefinitions.find((one) => one.id === id);
  if (!found) throw new Error(`no definition ${id}`);
  return { ...found, supportedFeatures: { ...found.supportedFeatures, ...features } };
};

const card = definition('mock-card');
const threeDSecureCard = definition('mockds-card');

const off: Flags = {
  openLoop: false,
  networkTokensEnabled: false,
  paymentMethodTokenizationEnabled: false,
  settlementReportingEnabled: false,
  threeDSecureEnabled: false,
};

const paths = (of: Definition, given: GivenFlags, current: Flags | null = null): string[] =>
  decideFlags(of, given, current).failures.map(({ path }) => path.join('.'));

describe('a new service', () => {
  test.each<[string, Definition, GivenFlags, Flags]>([
    ['takes open loop from its definition', card, {}, { ...off, openLoop: true }],
    [
      'takes null as left out',
      card,
      { openLoop: null, networkTokensEnabled: null, paymentMethodTokenizationEnabled: null },
      { ...off, openLoop: true },
    ],
    [
      'takes tokenization from its definition',
      threeDSecureCard,
      {},
      { ...off, paymentMethodTokenizationEnabled: true },
    ],
    [
      'takes network tokens from its definition where it is open loop',
      definition('mock-card', { network_tokens_default: true }),
      {},
      { ...off, openLoop: true, networkTokensEnabled: true },
    ],
    [
      'takes no network tokens where it is switched off open loop',
      definition('mock-card', { network_tokens_default: true }),
      { openLoop: false },
      off,
    ],
    ['may be switched off open loop', card, { openLoop: false }, off],
    [
      'may have network tokens with open loop',
      card,
      { networkTokensEnabled: true },
      { ...off, openLoop: true, networkTokensEnabled: true },
    ],
    [
      'may give what the definition fixes anyway',
      threeDSecureCard,
      { networkTokensEnabled: false, paymentMethodTokenizationEnabled: true },
      { ...off, paymentMethodTokenizationEnabled: true },
    ],
    ['may switch tokenization off', threeDSecureCard, { paymentMethodTokenizationEnabled: false }, off],
    [
      'may have 3DS and settlement reports where the definition has them',
      threeDSecureCard,
      { threeDSecureEnabled: true, settlementReportingEnabled: true },
      {
        ...off,
        paymentMethodTokenizationEnabled: true,
        threeDSecureEnabled: true,
        settlementReportingEnabled: true,
      },
    ],
    [
      'may give false where the definition has nothing',
      card,
      {
        threeDSecureEnabled: false,
        settlementReportingEnabled: false,
        paymentMethodTokenizationEnabled: false,
      },
      { ...off, openLoop: true },
    ],
  ])('%s', (_name, of, given, flags) => {
    expect(decideFlags(of, given, null)).toEqual({ flags, failures: [] });
  });

  test.each<[string, Definition, GivenFlags, string[]]>([
    [
      'open loop false where the definition fixes it',
      threeDSecureCard,
      { openLoop: false },
      ['input.openLoop'],
    ],
    [
      'open loop true where the definition fixes it',
      threeDSecureCard,
      { openLoop: true },
      ['input.openLoop'],
    ],
    [
      'open loop, even the value it has, where the definition fixes it',
      definition('mock-card', { open_loop_toggle: false }),
      { openLoop: true },
      ['input.openLoop'],
    ],
    [
      'network tokens without open loop',
      card,
      { openLoop: false, networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'network tokens that the definition does not take',
      definition('mock-card', { network_tokens: false }),
      { networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'network tokens that cannot be switched on',
      definition('mock-card', { network_tokens_toggle: false }),
      { networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'network tokens that cannot be switched off',
      definition('mock-card', { network_tokens_toggle: false, network_tokens_default: true }),
      { networkTokensEnabled: false },
      ['input.networkTokensEnabled'],
    ],
    [
      'network tokens that break both rules, once',
      threeDSecureCard,
      { networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'tokenization with open loop',
      definition('mock-card', {
        payment_method_tokenization: true,
        payment_method_tokenization_toggle: true,
      }),
      { paymentMethodTokenizationEnabled: true },
      ['input.paymentMethodTokenizationEnabled'],
    ],
    [
      'tokenization that the definition does not have',
      card,
      { openLoop: false, paymentMethodTokenizationEnabled: true },
      ['input.paymentMethodTokenizationEnabled'],
    ],
    ['settlement reports', card, { settlementReportingEnabled: true }, ['input.settlementReportingEnabled']],
    ['3DS', card, { threeDSecureEnabled: true }, ['input.threeDSecureEnabled']],
    [
      'everything at once',
      card,
      {
        openLoop: false,
        networkTokensEnabled: true,
        paymentMethodTokenizationEnabled: true,
        settlementReportingEnabled: true,
        threeDSecureEnabled: true,
      },
      [
        'input.networkTokensEnabled',
        'input.paymentMethodTokenizationEnabled',
        'input.settlementReportingEnabled',
        'input.threeDSecureEnabled',
      ],
    ],
  ])('refuses %s', (_name, of, given, expected) => {
    expect(paths(of, given)).toEqual(expected);
  });
});

describe('an update', () => {
  const openLoopWithTokens: Flags = { ...off, openLoop: true, networkTokensEnabled: true };

  test('keeps omitted flags', () => {
    expect(decideFlags(card, { networkTokensEnabled: null }, openLoopWithTokens)).toEqual({
      flags: openLoopWithTokens,
      failures: [],
    });
  });

  test('applies the rules to the merged state', () => {
    expect(paths(card, { networkTokensEnabled: true }, off)).toEqual(['input.networkTokensEnabled']);
    expect(paths(card, { networkTokensEnabled: true }, { ...off, openLoop: true })).toEqual([]);
  });

  test('names open loop when that breaks a stored flag', () => {
    expect(paths(card, { openLoop: false }, openLoopWithTokens)).toEqual(['input.openLoop']);
    expect(paths(card, { openLoop: true }, { ...off, paymentMethodTokenizationEnabled: true })).toEqual([
      'input.openLoop',
    ]);
    expect(paths(card, { openLoop: false, networkTokensEnabled: false }, openLoopWithTokens)).toEqual([]);
  });

  test('ignores stored values from before a change of the definition', () => {
    expect(paths(card, {}, { ...off, threeDSecureEnabled: true, settlementReportingEnabled: true })).toEqual(
      [],
    );
    expect(paths(card, { openLoop: true }, { ...off, threeDSecureEnabled: true })).toEqual([]);
  });
});

describe('the settings of 3-D Secure', () => {
  const merchantProfile = [
    {
      ...{
        scheme: 'visa' as const,
        merchantAcquirerBin: '516327',
        merchantAcquirerId: 'a-1',
        merchantName: 'Shop',
      },
      ...{ merchantCountryCode: '840', merchantCategoryCode: '5732', merchantUrl: 'https://shop.example' },
    },
  ];
  const all = [...sandboxDefinitions, ...stripeDefinitions, ...adyenDefinitions, ...checkoutDefinitions];
  const taking = (given: Parameters<typeof threeDSecureFailures>[1]): string[] =>
    all.filter((of) => threeDSecureFailures(of, given).length === 0).map(({ id }) => id);

  test('are taken by the definitions in which they have an effect', () => {
    expect(taking({ merchantProfile })).toEqual(['mock-card', 'mockds-card', 'mock-acquirer', 'adyen-card']);
    expect(taking({ threeDSecureFallback: 'stop' })).toEqual(['mockds-card']);
    expect(taking({ threeDSecureFallback: 'continue', merchantProfile: [] })).toEqual(
      all.map(({ id }) => id),
    );
    expect(
      all.filter((of) => paths(of, { threeDSecureEnabled: true }).length === 0).map(({ id }) => id),
    ).toEqual(['mockds-card', 'stripe-card', 'adyen-card', 'checkout-card']);
  });

  test.each(['stripe-card', 'adyen-card', 'checkout-card'])('of %s say that its provider decides', (id) => {
    const of = all.find((one) => one.id === id) ?? card;

    expect(threeDSecureFailures(of, { threeDSecureFallback: 'stop' })).toMatchObject([
      {
        path: ['input', 'threeDSecureFallback'],
        message: expect.stringContaining('the provider itself authenticates buyers'),
      },
    ]);
  });
});
