import type { Tenant } from './harness.ts';

/** Returns a provider of card payments at an address. */
export const serviceAt = (url: string) => ({
  displayName: 'Provider of the test',
  paymentServiceDefinitionId: 'mock-card',
  fields: [
    { key: 'merchant_id', value: 'test' },
    { key: 'api_url', value: url },
  ],
  acceptedCurrencies: ['USD'],
  acceptedCountries: ['US'],
});

/** Returns a gift card service of the built-in provider, where each merchant has separate cards. */
export const giftCardService = ({ id }: Tenant) => ({
  displayName: 'Gift cards of the test',
  paymentServiceDefinitionId: 'mock-gift-card',
  fields: [{ key: 'merchant_id', value: id }],
  acceptedCurrencies: ['USD'],
  acceptedCountries: ['US'],
});

/** Inactive, because only one anti-fraud service may be active. */
export const antiFraudService = (secret: string) => ({
  displayName: 'Checks of the test',
  antiFraudServiceDefinitionId: 'mock-anti-fraud',
  active: false,
  fields: [
    { key: 'merchant_id', value: 'test' },
    { key: 'api_key', value: secret },
  ],
});
