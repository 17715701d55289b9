import type { Route } from './route.ts';
import { buyerRoutes } from './routes/buyers.ts';
import { giftCardRoutes } from './routes/gift-cards.ts';
import { paymentLinkRoutes } from './routes/payment-links.ts';
import { paymentMethodRoutes } from './routes/payment-methods.ts';
import { paymentServiceRoutes } from './routes/payment-services.ts';
import { routingRoutes } from './routes/routing.ts';
import { threeDSScenarioRoutes } from './routes/three-ds-scenarios.ts';
import { followUpRoutes, transactionRoutes } from './routes/transactions.ts';
import { webhookSubscriptionRoutes } from './routes/webhook-subscriptions.ts';

/** Every path of the REST API. Routing, checks, errors and the description all follow from this table. */
export const ROUTES: readonly Route[] = [
  ...paymentServiceRoutes,
  ...paymentLinkRoutes,
  ...paymentMethodRoutes,
  ...buyerRoutes,
  ...giftCardRoutes,
  ...transactionRoutes,
  ...followUpRoutes,
  ...threeDSScenarioRoutes,
  ...webhookSubscriptionRoutes,
  ...routingRoutes,
];
