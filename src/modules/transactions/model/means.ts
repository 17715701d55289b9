import type { MeansFeature } from '../../payment-services/index.ts';
import type { Transaction } from './transaction.ts';

type InstrumentType = NonNullable<Transaction['instrumentType']>;

/** The feature that a payment service needs for the data that pays. Null: any service of the method takes it. */
export const featureOf = (instrumentType: InstrumentType | null, method: string): MeansFeature | null =>
  instrumentType === 'redirect' && method === 'card'
    ? 'card_page'
    : instrumentType && FEATURES[instrumentType];

const FEATURES = {
  pan: 'raw_card_data',
  applepay: 'apple_pay',
  googlepay: 'google_pay',
  network_token: 'network_tokens',
  card_token: 'provider_tokens',
  bank: null,
  redirect: null,
  // Only the services that know the token are asked.
  redirect_token: null,
} as const satisfies Record<InstrumentType, MeansFeature | null>;

/** True for data that only a provider can read. To store such a method means to store the provider's token. */
export const isOnlyReadByProvider = (instrumentType: InstrumentType | null): boolean =>
  instrumentType === 'applepay' || instrumentType === 'googlepay' || instrumentType === 'card_token';
