import { createHash } from 'node:crypto';
import type { Verb, ApprovalState } from '../../door.ts';
import { decideDebit, takeDebit, type AnnouncedOnWire } from './bank-debits.ts';
import type { BankOnWire } from '../wire/bank-wire.ts';
import type { OrderOnWire } from '../wire/order-wire.ts';
import type { ShareOnWire } from '../wire/splits-wire.ts';
import { avsOf, cvvOf } from './checks.ts';
import { countryOf, refuseNetwork } from './card-networks.ts';
import { refuseCaptures, type CaptureOnWire } from './refunded-captures.ts';
import { refuseShares } from './shared-money.ts';
import { decidedLater, refusalsByAmount, responseCodes } from './error-codes.ts';
import { presentedBy, type CardOnWire, type NetworkTokenOnWire, type WalletOnWire } from './token-cards.ts';

/** A request to the sandbox provider, in the provider's format. */
export type SimulatorRequest = {
  /** `status` asks for the outcome of the operation with this key. `resume` continues an authorisation. */
  readonly operation: Verb | 'status' | 'resume';
  readonly idempotency_key: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_id?: string | null;
  /** For `cancel`: the key of the authorisation. */
  readonly authorization_key?: string;
  /** For `status`: the verb of the operation. */
  readonly of?: Verb;
  /** True if the service supports later decisions. An accepted operation is then `pending` first. */
  readonly may_decide_later?: boolean;
  readonly capture?: boolean;
  /** For `increase`: the authorised amount after a success. `amount` is the part to add. */
  readonly total_amount?: number;
  /** For `capture`: true if no capture follows. */
  readonly final?: boolean;
  /** For `refund`: the captures that the refund is of, oldest first. The amounts sum up to `amount`. */
  readonly captures?: readonly CaptureOnWire[];
  readonly installments?: number;
  /** The network that the buyer chose for the card. */
  readonly network?: string;
  /** Text for the buyer's statement, without empty fields. */
  readonly statement_descriptor?: Readonly<Record<string, string>>;
  readonly order?: OrderOnWire;
  readonly splits?: readonly ShareOnWire[];
  readonly card?: { readonly number: string; readonly expiry: string; readonly cvv: string | null };
  /** The token of a wallet, as the wallet made it. */
  readonly wallet?: WalletOnWire;
  readonly network_token?: NetworkTokenOnWire;
  /** The bank account to debit. */
  readonly bank?: BankOnWire;
  readonly postal_code?: string | null;
  readonly merchant_reference?: string;
  readonly email?: string;
  readonly ip_address?: string;
  /** The merchant at the card's scheme. */
  readonly merchant_profile?: Readonly<Record<string, string>>;
  readonly browser_info?: Readonly<Record<string, string | number | boolean | null>>;
  /** The provider's own name of the payment method, instead of a card. */
  readonly token?: string;
  /** A token that the provider's software made in the buyer's client. */
  readonly client_token?: string;
  /** True to store the payment method and return a token. */
  readonly tokenize?: boolean;
  /** Present for a payment with a stored payment method. */
  readonly stored_credential?: {
    readonly source: string;
    readonly initiator: 'buyer' | 'merchant';
    readonly subsequent: boolean;
    readonly scheme_transaction_id?: string;
    readonly transaction_link_id?: string;
  };
  /** Result of the buyer's authentication, without empty fields. */
  readonly three_d_secure?: Readonly<Record<string, string>>;
  /** The page on which the buyer approves a payment without a card. */
  readonly approval_page?: string;
  /** The address to which the provider's own page sends the buyer back. */
  readonly return_url?: string;
  /** For `resume`: the parameters of the buyer's return. Absent for a session. */
  readonly returned?: Readonly<Record<string, string>>;
  /** The client in which the buyer approves with a session, instead of the page. */
  readonly client?: string;
  /** The buyer pays elsewhere with a reference. The page says how. */
  readonly voucher?: true;
  /** For `status`: the buyer's decision on the page. */
  readonly approval?: ApprovalState;
  /** Connection options of the payment for the service's definition. */
  readonly options?: Readonly<Record<string, unknown>>;
};

/** An answer of the sandbox provider, in the provider's format. */
export type SimulatorReply = {
  readonly result: 'approved' | 'declined' | 'error' | 'pending' | 'not_found';
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly code: string;
  readonly message: string;
  readonly approval_url?: string;
  /** The fields that the buyer's browser posts to `approval_url`. */
  readonly approval_form?: Readonly<Record<string, string>>;
  readonly session?: true;
  readonly payment_reference?: string;
  readonly debit?: AnnouncedOnWire;
  readonly auth_code?: string;
  readonly avs?: string;
  readonly cvv?: string;
  readonly card_country?: string;
  /** The card behind a token. */
  readonly card?: CardOnWire;
  readonly advice_code?: string;
  /** The response code of the issuer. */
  readonly network_response_code?: string;
  readonly scheme_transaction_id?: string;
  readonly recurring_token?: string;
};

/**
 * Answers a request as the built-in provider. A pure function, so the same key always gets the same answer.
 *
 * - The amount chooses refusals and later decisions.
 * - The network chooses a refusal, if the card is not of the network.
 * - The postal code chooses the AVS result.
 * - The security code chooses the CVV result.
 */
export function simulate(request: SimulatorRequest): SimulatorReply {
  const { operation, amount, currency } = request;
  const verb = verbOf(request);
  const id = referenceOf(verb, request.idempotency_key);
  const echoed = { id, amount, currency };
  const refused = refuseCaptures(request) ?? refuseShares(request) ?? refuseNetwork(request);
  const waiting = refused ?? awaitsReturn(request) ?? awaitsBuyer(request);
  if (waiting) return { ...echoed, ...waiting };
  const presented = presentedBy(request);
  if (presented?.declined) return { ...echoed, ...presented.shown, ...presented.declined };
  const later = verb === 'cancel' ? null : decidedLater[verb];
  if (verb === operation && request.may_decide_later && isDecidedLater(later, amount)) {
    return { ...echoed, result: 'pending', code: '01', message: 'Decided later' };
  }
  const refusal =
    amount === later?.refused && request.may_decide_later
      ? LATER_DECLINE
      : refusalsByAmount[verb].get(amount);
  if (refusal) {
    const result = refusal.kind === 'declined' ? 'declined' : 'error';
    const advice = askedFor(request.options, 'merchant_advice_code');
    const response =
      askedFor(request.options, 'network_response_code') ?? responseCodes[refusal.errorCode] ?? null;
    return {
      ...{ ...echoed, result, code: refusal.errorCode, message: `Simulated ${refusal.errorCode}` },
      ...(advice !== null && { advice_code: advice }),
      ...(response !== null && { network_response_code: response }),
    };
  }
  if (verb === 'authorize' && request.bank) return { ...echoed, ...takeDebit(id, request.bank) };
  const decided = verb === 'authorize' ? decideDebit(request.payment_id) : null;
  if (decided) return { ...echoed, ...decided };
  const approved = { ...echoed, result: 'approved', code: '00', message: 'Approved' } as const;
  if (verb !== 'authorize') return approved;
  return {
    ...approved,
    auth_code: id.slice(-6).toUpperCase(),
    avs: avsOf(request.postal_code ?? null),
    cvv: cvvOf(request.card?.cvv ?? null),
    ...(request.card && { card_country: countryOf(request.card.number) }),
    ...presented?.shown,
    ...knownBy(request),
  };
}

/** Returns the verb of the operation that a request is about. */
function verbOf({ operation, of = 'authorize' }: SimulatorRequest): Verb {
  if (operation === 'resume') return 'authorize';
  return operation === 'status' ? of : operation;
}

/** Returns the code that the connection options ask for, as `{"merchant_advice_code": {"result": "03"}}`. */
function askedFor(options: SimulatorRequest['options'], name: string): string | null {
  const asked = options?.[name];
  if (typeof asked !== 'object' || asked === null || !('result' in asked)) return null;
  return typeof asked.result === 'string' ? asked.result : null;
}

/** For this amount the answer omits the token. A webhook sends the token later. */
export const TOKEN_LATER_AMOUNT = 650001;

/** Returns the scheme's id and the token of an approved payment. The same key always gets the same values. */
function knownBy({
  amount,
  card,
  token,
  client_token: clientToken,
  wallet,
  network_token: networkToken,
  tokenize,
  idempotency_key: key,
}: SimulatorRequest): Pick<SimulatorReply, 'scheme_transaction_id' | 'recurring_token'> {
  const isCard = [card, token, clientToken, wallet, networkToken].some((means) => means !== undefined);
  return {
    ...(isCard && { scheme_transaction_id: digits(`scheme ${key}`, 15) }),
    ...(tokenize && amount !== TOKEN_LATER_AMOUNT && { recurring_token: tokenOf(key) }),
  };
}

/** Returns the token of the payment method of an authorisation with this key. */
export const tokenOf = (key: string): string =>
  `tok_${createHash('sha256').update(`token ${key}`).digest('hex').slice(0, 24)}`;

const digits = (text: string, count: number): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString()
    .slice(-count);

/** Returns the answer before the buyer's approval, or null if the payment waits for no approval. */
function awaitsBuyer({
  operation,
  idempotency_key: key,
  card,
  approval_page: page,
  client,
  voucher,
  approval,
}: SimulatorRequest): WaitingReply | null {
  if (operation === 'authorize' && !card && page !== undefined) {
    if (client !== undefined) return { ...WAITS, session: true };
    return { ...WAITS, approval_url: page, ...(voucher && { payment_reference: paymentReferenceOf(key) }) };
  }
  if (operation !== 'status' || approval === undefined || approval === 'approved') return null;
  if (approval === 'pending') return WAITS;
  return withoutApproval(approval === 'refused' ? 'cancelled_buyer_approval' : 'incomplete_buyer_approval');
}

/** For this amount the buyer's browser posts a form to the provider's page. */
export const REDIRECT_BY_POST_AMOUNT = 660001;

/** Returns the answer before the buyer's return, or after a return without an approval. Null otherwise. */
function awaitsReturn({
  operation,
  idempotency_key: key,
  amount,
  return_url: url,
  returned,
}: SimulatorRequest): WaitingReply | null {
  if (operation === 'authorize' && url !== undefined) return { ...WAITS, ...pageOf(key, { amount, url }) };
  if (operation !== 'resume' || returned === undefined) return null;
  switch (returned['redirect_result']) {
    case 'approved':
      return null;
    case 'refused':
      return withoutApproval('cancelled_buyer_approval');
    default:
      // The buyer came back without a decision, and can go to the page again.
      return { ...WAITS, approval_url: 'https://sandbox.invalid/again' };
  }
}

const WAITS = { result: 'pending', code: '02', message: 'Waits for the buyer' } as const;

const withoutApproval = (code: string): WaitingReply => ({
  ...{ result: 'error', code, message: `Simulated ${code}` },
});

/** Returns the address of the provider's page, beside our own pages, and the form for it. */
const pageOf = (
  key: string,
  { amount, url }: { readonly amount: number; readonly url: string },
): Pick<SimulatorReply, 'approval_url' | 'approval_form'> => ({
  approval_url: url.replace(/\/return\/(?=[^/]*$)/, '/sandbox/redirect/'),
  ...(amount === REDIRECT_BY_POST_AMOUNT && { approval_form: { session: digits(`form ${key}`, 14) } }),
});

type WaitingReply = Omit<SimulatorReply, 'id' | 'amount' | 'currency'>;

/** Returns the reference that the buyer names at the shop: 14 digits, as on a voucher. */
const paymentReferenceOf = (key: string): string => digits(`voucher ${key}`, 14);

const LATER_DECLINE = { kind: 'declined', errorCode: 'issuer_decline' } as const;

const isDecidedLater = (
  later: { readonly approved: number; readonly refused: number } | null,
  amount: number,
): boolean => amount === later?.approved || amount === later?.refused;

const PREFIX = {
  authorize: 'pay',
  increase: 'inc',
  reauthorize: 'rea',
  capture: 'cap',
  refund: 'ref',
  void: 'vod',
  cancel: 'can',
} as const;

const referenceOf = (verb: Verb, key: string): string =>
  `${PREFIX[verb]}_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;
