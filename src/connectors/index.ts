import type { Connector } from './interface/connector.ts';
import { adyen } from './adyen/index.ts';
import { braintree } from './braintree/index.ts';
import { checkout } from './checkout/index.ts';
import { mollie } from './mollie/index.ts';
import { paypal } from './paypal/index.ts';
import { sandbox } from './sandbox/index.ts';
import { stripe } from './stripe/index.ts';

/** Every provider that a payment service can be configured for. */
export const connectors: readonly Connector[] = [sandbox, stripe, adyen, paypal, mollie, checkout, braintree];
