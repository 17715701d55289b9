import {
  brazilianTaxIdOf,
  statementText,
  ok,
  refuse,
  type Impossible,
  type Result,
  type AuthorizeRequest,
  type Series,
  type StatementDescriptor,
} from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { rowOf, type AdyenMethod } from '../methods.ts';
import { authenticationToWire } from './authentication-wire.ts';
import { buyerToWire } from './buyer-wire.ts';
import { enhancedDataOf } from './enhanced-data-wire.ts';
import { lineItemsFor } from './line-items-wire.ts';
import { meansToWire, type AdyenMeans } from './means-wire.ts';
import { nativeClientOf } from './native.ts';
import { splitsToWire } from './wire.ts';
import type { AdyenPayment } from '../request-shapes.ts';
import { shopperOf } from '../stored-token.ts';

/** The payment service that makes a payment. */
export type Service = {
  readonly merchantAccount: string;
  /** True if authorisations may be raised later. Adyen raises pre-authorisations alone. */
  readonly preAuthorizes: boolean;
  readonly definition: { readonly id: string; readonly method: string };
};

/**
 * Maps our authorisation to a request of `/payments`. The same for the same request, so that a repeat differs in the security
 * code alone. Refuses an amount, means or a client that Adyen cannot take.
 */
export function paymentToWire(
  request: AuthorizeRequest,
  { merchantAccount, preAuthorizes, definition }: Service,
): Result<AdyenPayment, Impossible> {
  const amount = amountToWire(request.money);
  const means = meansToWire(request, definition.id);
  if (amount === null) return refuse(IMPOSSIBLE.amount);
  if (!means.ok) return means;
  const native = definition.method === 'card' ? nativeClientOf(request) : ok(null);
  if (!native.ok) return native;
  const { key, returnUrl, installmentCount, statementDescriptor } = request;
  const shares = splitsToWire({ key, currency: amount.currency, splits: request.splits });
  if (!shares.ok) return shares;
  const statement = statementDescriptor && statementOf(statementDescriptor);
  const isCard = definition.method === 'card';
  const data = { ...laterCaptureOf(request, preAuthorizes), ...(isCard && enhancedDataOf(request)) };
  const row = rowOf(definition.id);
  const items = lineItemsFor(row, request);
  return ok({
    ...{ merchantAccount, amount, reference: key, paymentMethod: means.value.paymentMethod },
    merchantOrderReference: request.merchantReference,
    // Required for each payment. Nobody comes back from a payment that waits for nobody.
    returnUrl: returnUrl ?? NOWHERE,
    ...(request.capture && request.money.amount > 0 && { captureDelayHours: 0 }),
    ...(Object.keys(data).length > 0 && { additionalData: data }),
    ...(items && { lineItems: items }),
    ...shares.value,
    ...seriesToWire(request, means.value),
    ...(isCard && authenticationToWire(request, native.value)),
    ...buyerToWire(request),
    ...(row && ofMethod(request, row)),
    ...(installmentCount !== null && { installments: { value: installmentCount } }),
    ...(statement && { shopperStatement: statement }),
  });
}

/**
 * Maps the facts for methods that the buyer approves elsewhere. Adyen offers them by the country of the payment, which
 * replaces the country in which the buyer lives. A method of one country needs no other word about it.
 */
function ofMethod({ country: given, buyer, key }: AuthorizeRequest, row: AdyenMethod): Partial<AdyenPayment> {
  const [first = null, ...others] = row.countries;
  const country = given ?? (others.length === 0 ? first : null);
  const taxId = row.needs.includes('brazilianTaxId') ? brazilianTaxIdOf(buyer) : null;
  return {
    channel: 'Web',
    ...(country !== null && { countryCode: country }),
    ...(taxId !== null && { socialSecurityNumber: taxId }),
    ...(row.namesShopper && { shopperReference: shopperOf(buyer.reference, key) }),
  };
}

/** An address of a domain that can never exist (RFC 2606). */
const NOWHERE = 'https://paygraph.invalid/';

/** Says to capture later, whatever delay the merchant account has. A payment of nothing has nothing to capture. */
const laterCaptureOf = (
  { money, capture }: AuthorizeRequest,
  preAuthorizes: boolean,
): Readonly<Record<string, string>> =>
  capture || money.amount === 0
    ? {}
    : { manualCapture: 'true', ...(preAuthorizes && { authorisationType: 'PreAuth' }) };

/** Maps the relation of the payment to others with the same method. */
function seriesToWire(
  { series, buyer, key }: AuthorizeRequest,
  { shopperReference: stored }: AdyenMeans,
): Partial<AdyenPayment> {
  const isOfSeries = series.store || series.tokenizes || series.isSubsequentPayment || stored !== null;
  const shopperReference = stored ?? (isOfSeries ? shopperOf(buyer.reference, key) : null);
  return {
    shopperInteraction: interactionOf(series, stored !== null),
    ...(shopperReference !== null && { shopperReference }),
    ...((isOfSeries || series.merchantInitiated) && { recurringProcessingModel: modelOf(series) }),
    ...(series.tokenizes && { storePaymentMethod: true }),
  };
}

/** Tells how the buyer takes part. A method of an earlier payment is on file, also for a buyer who is there. */
function interactionOf(
  { source, merchantInitiated, isSubsequentPayment }: Series,
  isStored: boolean,
): NonNullable<AdyenPayment['shopperInteraction']> {
  if (source === 'moto') return 'Moto';
  return merchantInitiated || isSubsequentPayment || isStored ? 'ContAuth' : 'Ecommerce';
}

function modelOf({
  source,
  merchantInitiated,
}: Series): NonNullable<AdyenPayment['recurringProcessingModel']> {
  if (source === 'recurring' || source === 'installment') return 'Subscription';
  return merchantInitiated ? 'UnscheduledCardOnFile' : 'CardOnFile';
}

/** The length that banks print. */
const STATEMENT_MAX = 22;

/** The characters that Adyen does not take. */
const REFUSED = /[^a-zA-Z0-9 .,'_\-?+*/]/g;

/** Returns the text for the buyer's statement in the characters that Adyen takes. Null without a letter. */
const statementOf = ({ name, description }: StatementDescriptor): string | null =>
  statementText(name ?? description ?? '', REFUSED, STATEMENT_MAX);
