import { accountsSubgraph } from './accounts.ts';
import { eventsSubgraph } from './events.ts';
import { paymentMethodsSubgraph } from './payment-methods.ts';
import { paymentServicesSubgraph } from './payment-services.ts';
import { buildGraph, type Graph } from './schema.ts';
import { transactionsSubgraph } from './transactions.ts';

/** The whole graph of the service. Reads the SDL files; throws when they and the resolvers do not fit together. */
export const createGraph = (): Graph =>
  buildGraph([
    accountsSubgraph,
    paymentServicesSubgraph,
    paymentMethodsSubgraph,
    transactionsSubgraph,
    eventsSubgraph,
  ]);
