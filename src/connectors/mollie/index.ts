import type { CallContext, Connector } from '../door.ts';
import { readBooks } from './books/read-books.ts';
import { METHOD_WORDS, mollieDefinitions } from './definitions.ts';
import { mollieHost, openApi } from './exchange.ts';
import { authorize } from './payments/authorize.ts';
import { lookup } from './payments/lookup.ts';
import { CAPTURES, makePart, REFUNDS } from './payments/make-part.ts';
import { abandon, cancel, voidPayment } from './payments/release.ts';
import { resume } from './payments/resume.ts';
import { revokeMandate } from './payments/revoke.ts';
import { verifyMollie } from './verification.ts';
import { mollieWebhooks } from './webhooks/webhook.ts';

/** Mollie keeps a key for an hour or longer. A repeat must arrive well before. A look-up follows then. */
const KEYS_MS = 50 * 60_000;

/**
 * Creates the connector for Mollie, by the API v2. `host` returns the address of the API. Only tests have another than Mollie's own.
 *
 * - The reference of a payment is its id at Mollie, `tr_…`.
 * - A webhook names the payment alone. The look-up of the payment tells everything.
 */
export function createMollie(host: () => string): Connector {
  const open = (context: CallContext) => openApi(context, host());
  return {
    id: 'mollie',
    definitions: mollieDefinitions,
    recovery: { kind: 'keys', windowMs: KEYS_MS },
    namesCaptures: true,
    webhooks: mollieWebhooks,
    authorize: (context, request) =>
      authorize(open(context), METHOD_WORDS[context.definition.id] ?? '', request),
    capture: (context, request) => makePart(open(context), CAPTURES, request),
    refund: (context, request) => makePart(open(context), REFUNDS, request),
    void: (context, request) => voidPayment(open(context), request),
    cancel: (context, request) => cancel(open(context), request),
    resume: (context, request) => resume(open(context), request),
    abandon: (context, request) => abandon(open(context), request),
    lookup: (context, request) => lookup(open(context), request),
    readBooks: (context, request) => readBooks(open(context), request),
    verify: (context) => verifyMollie(open(context), context),
    revokeMandate: (context, request) => revokeMandate(open(context), request),
  };
}

/** Mollie at its own address. */
export const mollie: Connector = createMollie(mollieHost);
