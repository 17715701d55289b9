import { z } from 'zod';
import {
  type LookupRequest,
  type ResumeRequest,
  type CancelRequest,
  type CaptureRequest,
  type FollowUpRequest,
  type IncreaseRequest,
  type RefundRequest,
  type Series,
  type AuthorizeRequest,
  type Definition,
  type Known,
  type Awaits,
  type Outcome,
} from '../../door.ts';
import { reasonOf } from '../simulator/bank-debits.ts';
import { browserToWire } from './browser-wire.ts';
import { descriptorToWire } from './descriptor-wire.ts';
import { meansToWire } from './means-wire.ts';
import { orderToWire } from './order-wire.ts';
import { splitsToWire } from './splits-wire.ts';
import { profileToWire, threeDSecureToWire } from './three-d-secure-wire.ts';
import { PUSH, REDIRECT, WALLET } from '../definitions.ts';
import type { SimulatorRequest } from '../simulator/simulator.ts';

/** Maps our authorisation to the provider's format. */
export const authorizationToWire = (
  {
    key,
    money,
    series,
    approvalPage,
    returnUrl,
    integrationClient,
    capture,
    installmentCount,
    cardNetwork,
    statementDescriptor,
    order,
    splits,
    merchantReference,
    buyer,
    ipAddress,
    browserInfo,
    merchantProfile,
    threeDSecure,
    options,
    ...means
  }: AuthorizeRequest,
  { method, supportedFeatures }: Pick<Definition, 'method' | 'supportedFeatures'>,
): SimulatorRequest => ({
  operation: 'authorize',
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  capture,
  ...meansToWire({ ...means, series }, supportedFeatures.provider_tokens),
  ...(hasNoMeans(means) && pagesOf(method, { approvalPage, returnUrl })),
  ...(method === WALLET && integrationClient !== null && { client: integrationClient }),
  ...(method === PUSH && { voucher: true }),
  ...(series.tokenizes && { tokenize: true }),
  ...seriesToWire(series),
  ...(installmentCount !== null && { installments: installmentCount }),
  ...(cardNetwork !== null && { network: cardNetwork }),
  ...(statementDescriptor && { statement_descriptor: descriptorToWire(statementDescriptor) }),
  ...(order && { order: orderToWire(order) }),
  ...splitsToWire(splits),
  postal_code: buyer.billingAddress?.postalCode ?? null,
  merchant_reference: merchantReference,
  ...(buyer.email !== null && { email: buyer.email }),
  ...(ipAddress !== null && { ip_address: ipAddress }),
  ...(browserInfo && { browser_info: browserToWire(browserInfo) }),
  ...(merchantProfile && { merchant_profile: profileToWire(merchantProfile) }),
  ...(threeDSecure && { three_d_secure: threeDSecureToWire(threeDSecure) }),
  ...(options && { options }),
});

type Means = Pick<AuthorizeRequest, 'card' | 'token' | 'wallet' | 'networkToken' | 'bank'>;

const hasNoMeans = ({ card, token, wallet, networkToken, bank }: Means): boolean =>
  (card ?? token ?? wallet ?? networkToken ?? bank) === null;

/** Returns the address of our page for the approval, or of our page for the return. */
const pagesOf = (
  method: string,
  { approvalPage, returnUrl }: Pick<AuthorizeRequest, 'approvalPage' | 'returnUrl'>,
): Pick<SimulatorRequest, 'approval_page' | 'return_url'> => {
  if (method === REDIRECT) return returnUrl === null ? {} : { return_url: returnUrl };
  return approvalPage === null ? {} : { approval_page: approvalPage };
};

/** Returns the fields of a payment with a stored payment method. Empty for other payments. */
const seriesToWire = ({
  source,
  merchantInitiated,
  isSubsequentPayment,
  schemeTransactionId,
  transactionLinkId,
}: Series): Pick<SimulatorRequest, 'stored_credential'> =>
  merchantInitiated || isSubsequentPayment || schemeTransactionId !== null
    ? {
        stored_credential: {
          source,
          initiator: merchantInitiated ? 'merchant' : 'buyer',
          subsequent: isSubsequentPayment,
          ...(schemeTransactionId !== null && { scheme_transaction_id: schemeTransactionId }),
          ...(transactionLinkId !== undefined && { transaction_link_id: transactionLinkId }),
        },
      }
    : {};

/** Maps our follow-up to the provider's format. */
export const followUpToWire = (
  operation: 'increase' | 'reauthorize' | 'capture' | 'refund' | 'void',
  { key, money, reference }: FollowUpRequest,
): SimulatorRequest => ({
  operation,
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  payment_id: reference,
});

/** Maps our increase to the provider's format, with the authorised amount after a success. */
export const increaseToWire = (request: IncreaseRequest): SimulatorRequest => ({
  ...followUpToWire('increase', request),
  total_amount: request.total.amount,
});

/** Maps our capture to the provider's format, with `final`. */
export const captureToWire = (request: CaptureRequest): SimulatorRequest => ({
  ...followUpToWire('capture', request),
  final: request.final,
  ...splitsToWire(request.splits),
});

/** Maps our refund to the provider's format, with the captures that the refund is of. */
export const refundToWire = (request: RefundRequest): SimulatorRequest => ({
  ...followUpToWire('refund', request),
  captures: request.captures.map(({ key, reference, amount }) => ({
    ...{ idempotency_key: key, capture_id: reference, amount },
  })),
  ...splitsToWire(request.splits),
});

/** Maps our cancel to the provider's format. */
export const cancelToWire = ({
  key,
  authorizationKey,
  money,
  reference,
}: CancelRequest): SimulatorRequest => ({
  operation: 'cancel',
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  authorization_key: authorizationKey,
  payment_id: reference,
});

/** Maps our look-up to the provider's format. */
export const statusToWire = ({ key, verb, money, reference, approval }: LookupRequest): SimulatorRequest => ({
  operation: 'status',
  of: verb,
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  payment_id: reference,
  ...(approval && { approval }),
});

/** Maps the buyer's return to the provider's format. A session has no parameters. */
export const resumeToWire = (
  { key, reference, money, capture, returned }: ResumeRequest,
  { method }: Pick<Definition, 'method'>,
): SimulatorRequest => ({
  operation: 'resume',
  idempotency_key: key,
  payment_id: reference,
  ...money,
  capture,
  ...(method === REDIRECT && { returned }),
});

const AVS = [
  'match',
  'no_match',
  'partial_match_address',
  'partial_match_postcode',
  'partial_match_name',
  'unavailable',
] as const;
const CVV = ['match', 'no_match', 'unavailable', 'not_provided'] as const;

const reply = z.object({
  result: z.enum(['approved', 'declined', 'error', 'pending']),
  id: z.string().min(1),
  amount: z.int(),
  currency: z.string(),
  code: z.string(),
  message: z.string(),
  approval_url: z.url({ protocol: /^https?$/ }).optional(),
  approval_form: z.record(z.string(), z.string()).optional(),
  session: z.literal(true).optional(),
  payment_reference: z.string().min(1).max(255).optional(),
  debit: z
    .object({
      debits_on: z.iso.date().nullable(),
      creditor_id: z.string().max(35).nullable(),
      mandate_reference: z.string().max(35).nullable(),
    })
    .optional()
    .catch(undefined),
  auth_code: z.string().optional(),
  // An unexpected result of a check is no reason to doubt the payment.
  avs: z.enum(AVS).optional().catch(undefined),
  cvv: z.enum(CVV).optional().catch(undefined),
  advice_code: z.string().optional().catch(undefined),
  network_response_code: z.string().optional().catch(undefined),
  card_country: z.string().optional().catch(undefined),
  card: z
    .object({ scheme: z.string(), bin: z.string(), last_four: z.string(), expiry: z.string() })
    .optional()
    .catch(undefined),
  scheme_transaction_id: z.string().optional().catch(undefined),
  recurring_token: z.string().optional().catch(undefined),
});

const notFound = z.object({ result: z.literal('not_found') });

/**
 * Maps the provider's answer to an outcome. Returns null if the provider does not know the operation.
 *
 * Returns `unknown` for an undocumented answer, never a refusal.
 */
export function outcomeFromWire(given: unknown): Outcome | null {
  if (notFound.safeParse(given).success) return null;
  const parsed = reply.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { result, id, amount, currency, code, message, auth_code, avs, cvv, card_country, advice_code } =
    parsed.data;
  const { card, network_response_code } = parsed.data;
  const words = {
    rawResponseCode: code,
    rawResponseDescription: message,
    authResponseCode: auth_code ?? null,
    avsResponseCode: avs ?? null,
    cvvResponseCode: cvv ?? null,
    cardCountry: card_country ?? null,
    merchantAdviceCode: advice_code ?? null,
    networkResponseCode: network_response_code ?? null,
    ...(card && {
      card: { scheme: card.scheme, bin: card.bin, lastFour: card.last_four, expirationDate: card.expiry },
    }),
  };
  if (result === 'approved')
    return {
      kind: 'succeeded',
      reference: id,
      money: { amount, currency },
      ...words,
      ...knownOf(parsed.data),
    };
  if (result === 'pending') return { kind: 'accepted', reference: id, ...awaitsOf(parsed.data), ...words };
  const kind = result === 'declined' ? 'declined' : 'failed';
  return { kind, reference: id, errorCode: reasonOf(id, code, kind), ...words };
}

const awaitsOf = ({
  approval_url: approvalUrl,
  approval_form: approvalForm,
  session,
  payment_reference: paymentReference,
  debit,
}: z.output<typeof reply>): Awaits => ({
  ...(approvalUrl !== undefined && { approvalUrl }),
  ...(approvalForm !== undefined && { approvalForm }),
  ...(session && { session }),
  ...(paymentReference !== undefined && { paymentReference }),
  ...(debit && {
    debit: {
      debitsOn: debit.debits_on,
      creditorId: debit.creditor_id,
      mandateReference: debit.mandate_reference,
    },
  }),
});

const knownOf = ({ scheme_transaction_id: id, recurring_token: token }: z.output<typeof reply>): Known => ({
  ...(id !== undefined && { schemeTransactionId: id }),
  ...(token !== undefined && { recurringToken: token }),
});
