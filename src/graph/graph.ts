import { accountsSubgraph } from './resolvers/setup/accounts.ts';
import { disputesSubgraph } from './resolvers/payments/disputes.ts';
import { eventsSubgraph } from './resolvers/events/events.ts';
import { exportsSubgraph } from './resolvers/exports.ts';
import { paymentLinksSubgraph } from './resolvers/methods/payment-links.ts';
import { paymentMethodsSubgraph } from './resolvers/methods/payment-methods.ts';
import { paymentServicesSubgraph } from './resolvers/setup/payment-services.ts';
import { routingSubgraph } from './resolvers/setup/routing.ts';
import { settlementsSubgraph } from './resolvers/payments/settlements.ts';
import { reportsSubgraph } from './resolvers/reports.ts';
import { readComposed, readSdl } from './federation/sdl.ts';
import type { Subgraph } from './federation/subgraph.ts';
import { buildGraph, type Graph } from './schema.ts';
import { threeDSSubgraph } from './resolvers/setup/three-ds.ts';
import { transactionsSubgraph } from './resolvers/payments/transactions.ts';

/**
 * Creates the whole graph of the service from the committed SDL files. Throws when an SDL file and its resolvers do not fit
 * together.
 */
export const createGraph = (): Graph => buildGraph(SUBGRAPHS, { sdlOf: readSdl, compose: readComposed });

const SUBGRAPHS: readonly Subgraph[] = [
  accountsSubgraph,
  paymentServicesSubgraph,
  paymentMethodsSubgraph,
  threeDSSubgraph,
  routingSubgraph,
  transactionsSubgraph,
  disputesSubgraph,
  settlementsSubgraph,
  reportsSubgraph,
  paymentLinksSubgraph,
  eventsSubgraph,
  exportsSubgraph,
];
