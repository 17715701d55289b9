import type { PaymentSource } from '../model/transaction.ts';
import type { ThreeDSecureRequest } from '../model/three-d-secure.ts';

type Issue = { readonly path: readonly string[]; readonly message: string };

/** The fields of a payment that decide about its authentication. */
export type Authenticated = {
  readonly amount: number;
  readonly paymentSource: PaymentSource;
  readonly merchantInitiated: boolean;
  readonly paymentMethod?:
    | {
        readonly card?: unknown;
        readonly bank?: unknown;
        readonly stored?: unknown;
        readonly redirect?: unknown;
        readonly applePay?: unknown;
        readonly googlePay?: unknown;
      }
    | null
    | undefined;
  readonly threeDSecure?: Given | null | undefined;
};

type Given = {
  readonly request?: ThreeDSecureRequest | null | undefined;
  readonly amount: number | null;
  readonly dataV1: unknown;
  readonly dataV2: unknown;
};

/** Lists contradictions between the wish for an authentication and the payment. */
export function refuseThreeDSecure({ threeDSecure, ...payment }: Authenticated): readonly Issue[] {
  if (!threeDSecure) return [];
  const issue = (field: keyof Given, message: string): Issue => ({ path: ['threeDSecure', field], message });
  const [first, second] = ONE_OF.filter((field) => threeDSecure[field] != null);
  const external = EXTERNAL.find((field) => threeDSecure[field] != null);
  const asked = threeDSecure.request ?? 'automatic';
  return [
    ...(second ? [issue(second, `Must not be given together with ${first}.`)] : []),
    ...(threeDSecure.amount !== null && threeDSecure.amount < payment.amount
      ? [issue('amount', 'Must not be below the transaction amount.')]
      : []),
    ...(external && (payment.paymentMethod?.redirect ?? payment.paymentMethod?.bank)
      ? [issue(external, CARDS_ONLY)]
      : []),
    ...(external && (payment.paymentMethod?.applePay ?? payment.paymentMethod?.googlePay)
      ? [issue(external, IN_WALLET)]
      : []),
    ...(asked !== 'automatic' && external ? [issue('request', ELSEWHERE)] : []),
    ...(asked === 'never' && threeDSecure.amount !== null ? [issue('amount', UNUSED_AMOUNT)] : []),
    ...(asked === 'always' ? refuseAlways(payment).map((message) => issue('request', message)) : []),
  ];
}

/** Returns the reasons why nobody could be authenticated. */
const refuseAlways = ({
  paymentMethod,
  merchantInitiated,
  paymentSource,
}: Omit<Authenticated, 'threeDSecure'>) => [
  ...(paymentMethod?.card == null && paymentMethod?.stored == null ? [CARDS_ONLY] : []),
  ...(merchantInitiated || paymentSource === 'moto' ? [NO_BUYER] : []),
];

const EXTERNAL = ['dataV1', 'dataV2'] as const;
const ONE_OF = ['amount', ...EXTERNAL] as const;

export const CARDS_ONLY = 'Only card payments are authenticated. Omit this field.';
const IN_WALLET = "Must be absent: the wallet's token carries its own authentication.";
const NO_BUYER =
  'Must not be ALWAYS: the buyer is absent from a payment by the merchant, by mail or by telephone.';
const ELSEWHERE = 'Must be AUTOMATIC or absent: the buyer was authenticated elsewhere.';
const UNUSED_AMOUNT = 'Must be absent: with the request NEVER no amount is authenticated.';
