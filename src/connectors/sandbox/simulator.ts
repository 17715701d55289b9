import { createHash } from 'node:crypto';
import { refusalsByAmount } from './error-codes.ts';

/** What the sandbox provider is asked, in its own words. */
export type SimulatorRequest = {
  readonly operation: 'authorize' | 'capture' | 'refund' | 'void';
  readonly idempotency_key: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_id?: string;
  readonly capture?: boolean;
  readonly card?: { readonly number: string; readonly expiry: string; readonly cvv: string | null };
  readonly postal_code?: string | null;
};

/** What it answers, in its own words. */
export type SimulatorReply = {
  readonly result: 'approved' | 'declined' | 'error';
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly code: string;
  readonly message: string;
  readonly auth_code?: string;
  readonly avs?: string;
  readonly cvv?: string;
};

/**
 * The built-in provider: a pure function of the request, so the same key always gets the same answer and there is
 * nothing to remember. Amounts choose refusals (facts 7.3), postal code and security code choose AVS and CVV (facts 8.1).
 */
export function simulate(request: SimulatorRequest): SimulatorReply {
  const { operation, amount, currency } = request;
  const id = referenceOf(request);
  const refusal = refusalsByAmount[operation].get(amount);
  if (refusal) {
    const result = refusal.kind === 'declined' ? 'declined' : 'error';
    return {
      result,
      id,
      amount,
      currency,
      code: refusal.errorCode,
      message: `Simulated ${refusal.errorCode}`,
    };
  }
  const approved = { result: 'approved', id, amount, currency, code: '00', message: 'Approved' } as const;
  if (operation !== 'authorize') return approved;
  return {
    ...approved,
    auth_code: id.slice(-6).toUpperCase(),
    avs: avsOf(request.postal_code ?? null),
    cvv: cvvOf(request.card?.cvv ?? null),
  };
}

const PREFIX = { authorize: 'pay', capture: 'cap', refund: 'ref', void: 'vod' } as const;

const referenceOf = ({ operation, idempotency_key }: SimulatorRequest): string =>
  `${PREFIX[operation]}_${createHash('sha256').update(idempotency_key).digest('hex').slice(0, 24)}`;

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
