import { createCheckout } from '../../../src/connectors/checkout/index.ts';
import { credentialsOf } from './contract-double.ts';
import { createCheckoutDouble, type CheckoutDoubleSettings } from './double.ts';

/** Starts a double of Checkout.com over HTTP, with a connector that calls the double. */
export async function startCheckout(settings: CheckoutDoubleSettings = {}) {
  const double = createCheckoutDouble(settings);
  const { url, close } = await double.listen();
  return {
    ...{ double, close, connector: createCheckout(() => url), definition: 'checkout-card' },
    fields: credentialsOf(double),
  };
}
