import { createBraintree } from '../../../src/connectors/braintree/index.ts';
import { createBraintreeDouble, type BraintreeDouble, type BraintreeDoubleSettings } from './double.ts';

/** Starts a double of Braintree over HTTP, with a connector that calls the double. */
export async function startBraintree(settings: BraintreeDoubleSettings = {}) {
  const double = createBraintreeDouble(settings);
  const { url, close } = await double.listen();
  return {
    ...{ double, url, close, connector: createBraintree({ production: url, sandbox: url }) },
    ...{ definition: 'braintree-card', fields: fieldsOf(double) },
  };
}

/** Returns the fields of a payment service at a double. */
export const fieldsOf = ({ publicKey, privateKey, merchantAccounts, hasSeveral }: BraintreeDouble) => ({
  ...{ public_key: publicKey, private_key: privateKey, raw_card_data: 'true' },
  ...(hasSeveral && { multiple_captures: 'true' }),
  merchant_accounts: Object.entries(merchantAccounts)
    .map(([id, currency]) => `${currency} ${id}`)
    .join('\n'),
});
