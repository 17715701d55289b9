import { accountsSubgraph } from './accounts.ts';
import { eventsSubgraph } from './events.ts';
import { paymentLinksSubgraph } from './payment-links.ts';
import { paymentMethodsSubgraph } from './payment-methods.ts';
import { paymentServicesSubgraph } from './payment-services.ts';
import { buildGraph, type Graph } from './schema.ts';
import { threeDSSubgraph } from './three-ds.ts';
import { transactionsSubgraph } from './transactions.ts';

/** The whole graph of the service. Reads the SDL files; throws when they and the resolvers do not fit together. */
export const createGraph = (): Graph =>
  buildGraph([
    accountsSubgraph,
    paymentServicesSubgraph,
    paymentMethodsSubgraph,
    threeDSSubgraph,
    transactionsSubgraph,
    paymentLinksSubgraph,
    eventsSubgraph,
  ]);
