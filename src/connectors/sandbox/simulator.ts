import { createHash } from 'node:crypto';
import type { Verb, ApprovalState } from '../requests.ts';
import { decidedLater, refusalsByAmount } from './error-codes.ts';

/** What the sandbox provider is asked, in its own words. */
export type SimulatorRequest = {
  /** `status` asks what became of the operation with this key. */
  readonly operation: Verb | 'status';
  readonly idempotency_key: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_id?: string | null;
  /** Of a cancel: the key of the authorisation. */
  readonly authorization_key?: string;
  /** Of a status: what the operation was. */
  readonly of?: Verb;
  /** The service can decide later: what is taken on is `pending` first. */
  readonly may_decide_later?: boolean;
  readonly capture?: boolean;
  /** Of a capture: the last one of its payment. */
  readonly final?: boolean;
  readonly installments?: number;
  /** What the buyer's statement is to say; only what is given. */
  readonly statement_descriptor?: Readonly<Record<string, string>>;
  readonly card?: { readonly number: string; readonly expiry: string; readonly cvv: string | null };
  readonly postal_code?: string | null;
  /** What it calls a payment method itself, in the place of a card. */
  readonly token?: string;
  /** The payment method is stored: it is asked for a token. */
  readonly tokenize?: boolean;
  /** Of a payment with something stored. */
  readonly stored_credential?: {
    readonly source: string;
    readonly initiator: 'buyer' | 'merchant';
    readonly subsequent: boolean;
    readonly scheme_transaction_id?: string;
  };
  /** How the buyer was authenticated before; only what is known. */
  readonly three_d_secure?: Readonly<Record<string, string>>;
  /** Where the buyer approves what has no card. */
  readonly approval_page?: string;
  /** The buyer approves in this client, with a session, and not at the page. */
  readonly client?: string;
  /** What is paid elsewhere, with a reference; the page says how. */
  readonly voucher?: true;
  /** Of a status: what the buyer has said there. */
  readonly approval?: ApprovalState;
  /** The payment's connection options for the service's definition. */
  readonly options?: Readonly<Record<string, unknown>>;
};

/** What it answers, in its own words. */
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
 * The built-in provider: a pure function of the request, so the same key always gets the same answer and there is
 * nothing to remember. Amounts choose refusals (facts 7.3) and what is decided later, postal code and security code choose
 * AVS and CVV (facts 8.1).
 */
export function simulate(request: SimulatorRequest): SimulatorReply {
  const { operation, amount, currency } = request;
  const verb = operation === 'status' ? (request.of ?? 'authorize') : operation;
  const id = referenceOf(verb, request.idempotency_key);
  const said = { id, amount, currency };
  const unsaid = awaitsBuyer(request);
  if (unsaid) return { ...said, ...unsaid };
  const later = verb === 'cancel' ? null : decidedLater[verb];
  if (operation !== 'status' && request.may_decide_later && isDecidedLater(later, amount)) {
    return { ...said, result: 'pending', code: '01', message: 'Decided later' };
  }
  const refusal =
    amount === later?.refused && request.may_decide_later
      ? DECIDED_AGAINST
      : refusalsByAmount[verb].get(amount);
  if (refusal) {
    const result = refusal.kind === 'declined' ? 'declined' : 'error';
    return { ...said, result, code: refusal.errorCode, message: `Simulated ${refusal.errorCode}` };
  }
  const approved = { ...said, result: 'approved', code: '00', message: 'Approved' } as const;
  if (verb !== 'authorize') return approved;
  return {
    ...approved,
    auth_code: id.slice(-6).toUpperCase(),
    avs: avsOf(request.postal_code ?? null),
    cvv: cvvOf(request.card?.cvv ?? null),
    ...knownBy(request),
  };
}

/** With this amount the token is not in the answer: a webhook tells it later. */
export const TOKEN_LATER_AMOUNT = 650001;

/** What an approved payment is known by: the same for the same key. */
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

/** What the simulator calls the payment method of an authorisation with this key. */
export const tokenOf = (key: string): string =>
  `tok_${createHash('sha256').update(`token ${key}`).digest('hex').slice(0, 24)}`;

const digits = (text: string, count: number): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString()
    .slice(-count);

/** What is answered while the buyer has not approved; null when nothing waits for that. */
function awaitsBuyer({
  operation,
  idempotency_key: key,
  card,
  approval_page: page,
  client,
  voucher,
  approval,
}: SimulatorRequest): Unsaid | null {
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

type Unsaid = Omit<SimulatorReply, 'id' | 'amount' | 'currency'>;

/** What the buyer names at the shop: 14 digits, as on a voucher. */
const paymentReferenceOf = (key: string): string => digits(`voucher ${key}`, 14);

const DECIDED_AGAINST = { kind: 'declined', errorCode: 'issuer_decline' } as const;

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
