import type { CallContext, Connector, Recovery } from '../door.ts';
import { readBooks } from './books/read-books.ts';
import { braintreeDefinitions } from './definitions.ts';
import { disputesOf } from './disputes/disputes.ts';
import { BRAINTREE_HOSTS, openApi, type BraintreeHosts } from './exchange.ts';
import { authorize } from './payments/authorize.ts';
import { capture } from './payments/capture.ts';
import { lookup } from './payments/lookup.ts';
import { refund } from './payments/refund.ts';
import { cancel, voidPayment } from './payments/release.ts';
import { revokeMandate } from './payments/revoke.ts';
import { verifyBraintree } from './verification.ts';
import { braintreeWebhooks } from './webhooks/webhook.ts';

const HOUR_MS = 3_600_000;

/**
 * Braintree keeps no keys that every account may use. So an operation is looked up, and repeated only after a time in which Braintree
 * surely shows its work. The search and the reads may be late.
 */
const LOOKED_UP: Recovery = { kind: 'lookup', quiescenceMs: 2 * HOUR_MS };

/**
 * Creates the connector for Braintree, by its GraphQL API. Only tests have other addresses.
 *
 * - The reference of a payment is the id of its transaction.
 * - A single capture is the transaction itself, by its older id. Each of several captures is a transaction with an id of its own.
 * - Webhooks only name a transaction. They tell settlements and disputes, and no decision.
 */
export function createBraintree(hosts: BraintreeHosts): Connector {
  const open = (context: CallContext) => openApi(context, hosts);
  return {
    id: 'braintree',
    definitions: braintreeDefinitions,
    recovery: LOOKED_UP,
    namesCaptures: true,
    webhooks: braintreeWebhooks,
    disputes: disputesOf(open),
    authorize: (context, request) => authorize(open(context), context, request),
    capture: (context, request) => capture(open(context), context, request),
    refund: (context, request) => refund(open(context), request),
    void: (context, request) => voidPayment(open(context), request),
    cancel: (context, request) => cancel(open(context), request),
    lookup: (context, request) => lookup(open(context), request),
    readBooks: (context, request) => readBooks(open(context), request),
    verify: (context) => verifyBraintree(open(context), context),
    revokeMandate: (context, request) => revokeMandate(open(context), request),
  };
}

export const braintree: Connector = createBraintree(BRAINTREE_HOSTS);
