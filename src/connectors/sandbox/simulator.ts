import { createHash } from 'node:crypto';
import type { Verb, ApprovalState } from '../requests.ts';
import { decidedLater, refusalsByAmount } from './error-codes.ts';

/** A request to the sandbox provider, in the provider's format. */
export type SimulatorRequest = {
  /** `status` asks for the outcome of the operation with this key. */
  readonly operation: Verb | 'status';
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
  /** For `capture`: true if no capture follows. */
  readonly final?: boolean;
  readonly installments?: number;
  /** Text for the buyer's statement, without empty fields. */
  readonly statement_descriptor?: Readonly<Record<string, string>>;
  readonly card?: { readonly number: string; readonly expiry: string; readonly cvv: string | null };
  readonly postal_code?: string | null;
  /** The provider's own name of the payment method, instead of a card. */
  readonly token?: string;
  /** True to store the payment method and return a token. */
  readonly tokenize?: boolean;
  /** Present for a payment with a stored payment method. */
  readonly stored_credential?: {
    readonly source: string;
    readonly initiator: 'buyer' | 'merchant';
    readonly subsequent: boolean;
    readonly scheme_transaction_id?: string;
  };
  /** Result of the buyer's authentication, without empty fields. */
  readonly three_d_secure?: Readonly<Record<string, string>>;
  /** The page on which the buyer approves a payment without a card. */
  readonly approval_page?: string;
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
  readonly session?: true;
  readonly payment_reference?: string;
  readonly auth_code?: string;
  readonly avs?: string;
  readonly cvv?: string;
  readonly scheme_transaction_id?: string;
  readonly recurring_token?: string;
};

/**
 * Answers a request as the built-in provider. A pure function, so the same key always gets the same answer.
 *
 * - The amount chooses refusals and later decisions.
 * - The postal code chooses the AVS result.
 * - The security code chooses the CVV result.
 */
export function simulate(request: SimulatorRequest): SimulatorReply {
  const { operation, amount, currency } = request;
  const verb = operation === 'status' ? (request.of ?? 'authorize') : operation;
  const id = referenceOf(verb, request.idempotency_key);
  const echoed = { id, amount, currency };
  const waiting = awaitsBuyer(request);
  if (waiting) return { ...echoed, ...waiting };
  const later = verb === 'cancel' ? null : decidedLater[verb];
  if (operation !== 'status' && request.may_decide_later && isDecidedLater(later, amount)) {
    return { ...echoed, result: 'pending', code: '01', message: 'Decided later' };
  }
  const refusal =
    amount === later?.refused && request.may_decide_later
      ? LATER_DECLINE
      : refusalsByAmount[verb].get(amount);
  if (refusal) {
    const result = refusal.kind === 'declined' ? 'declined' : 'error';
    return { ...echoed, result, code: refusal.errorCode, message: `Simulated ${refusal.errorCode}` };
  }
  const approved = { ...echoed, result: 'approved', code: '00', message: 'Approved' } as const;
  if (verb !== 'authorize') return approved;
  return {
    ...approved,
    auth_code: id.slice(-6).toUpperCase(),
    avs: avsOf(request.postal_code ?? null),
    cvv: cvvOf(request.card?.cvv ?? null),
    ...knownBy(request),
  };
}

/** For this amount the answer omits the token. A webhook sends the token later. */
export const TOKEN_LATER_AMOUNT = 650001;

/** Returns the scheme's id and the token of an approved payment. The same key always gets the same values. */
function knownBy({
  amount,
  card,
  token,
  tokenize,
  idempotency_key: key,
}: SimulatorRequest): Pick<SimulatorReply, 'scheme_transaction_id' | 'recurring_token'> {
  return {
    ...((card || token !== undefined) && { scheme_transaction_id: digits(`scheme ${key}`, 15) }),
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
  const waits = { result: 'pending', code: '02', message: 'Waits for the buyer' } as const;
  if (operation === 'authorize' && !card && page !== undefined) {
    if (client !== undefined) return { ...waits, session: true };
    return { ...waits, approval_url: page, ...(voucher && { payment_reference: paymentReferenceOf(key) }) };
  }
  if (operation !== 'status' || approval === undefined || approval === 'approved') return null;
  if (approval === 'pending') return waits;
  const code = approval === 'refused' ? 'cancelled_buyer_approval' : 'incomplete_buyer_approval';
  return { result: 'error', code, message: `Simulated ${code}` };
}

type WaitingReply = Omit<SimulatorReply, 'id' | 'amount' | 'currency'>;

/** Returns the reference that the buyer names at the shop: 14 digits, as on a voucher. */
const paymentReferenceOf = (key: string): string => digits(`voucher ${key}`, 14);

const LATER_DECLINE = { kind: 'declined', errorCode: 'issuer_decline' } as const;

const isDecidedLater = (
  later: { readonly approved: number; readonly refused: number } | null,
  amount: number,
): boolean => amount === later?.approved || amount === later?.refused;

const PREFIX = { authorize: 'pay', capture: 'cap', refund: 'ref', void: 'vod', cancel: 'can' } as const;

const referenceOf = (verb: Verb, key: string): string =>
  `${PREFIX[verb]}_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;

function avsOf(postalCode: string | null): string {
  if (postalCode?.includes('77')) return 'no_match';
  if (postalCode?.includes('88')) return 'partial_match_postcode';
  if (postalCode?.includes('99')) return 'partial_match_address';
  return 'match';
}

function cvvOf(securityCode: string | null): string {
  if (securityCode === null || securityCode === '222') return 'not_provided';
  return securityCode === '333' ? 'no_match' : 'match';
}
