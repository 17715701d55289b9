import type { Tenant } from './house.ts';

/** A provider of card payments at an address. */
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

/** Of the provider that is built in, where each merchant has cards of its own. */
export const giftCardService = ({ id }: Tenant) => ({
  displayName: 'Gift cards of the test',
  paymentServiceDefinitionId: 'mock-gift-card',
  fields: [{ key: 'merchant_id', value: id }],
  acceptedCurrencies: ['USD'],
  acceptedCountries: ['US'],
});

/** Not active, because only one may be. */
export const antiFraudService = (secret: string) => ({
  displayName: 'Checks of the test',
  antiFraudServiceDefinitionId: 'mock-anti-fraud',
  active: false,
  fields: [
    { key: 'merchant_id', value: 'test' },
    { key: 'api_key', value: secret },
  ],
});
