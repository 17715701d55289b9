import type {
  CaptureRequest,
  OrderRequest,
  ReauthorizeRequest,
  RefundRequest,
} from '@paypal/paypal-server-sdk';

/** The name of a field in JSON, from its name in PayPal's SDK: `addressLine1` becomes `address_line_1`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? (First extends Digit ? `_${First}` : First) : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** A request of PayPal's SDK as plain JSON. Words stand in place of the SDK's enums. */
type Plain<Shape> = Shape extends string
  ? `${Shape}`
  : Shape extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : Shape extends object
      ? {
          readonly [Field in keyof Shape as Field extends string ? Snake<Field> : never]: Plain<Shape[Field]>;
        }
      : Shape;

/** The requests of the Orders API v2 and the Payments API v2. */
export type PayPalOrder = Plain<OrderRequest>;
export type PayPalUnit = PayPalOrder['purchase_units'][number];
export type PayPalWallet = NonNullable<NonNullable<PayPalOrder['payment_source']>['paypal']>;
export type PayPalCapture = Plain<CaptureRequest>;
export type PayPalRefund = Plain<RefundRequest>;
export type PayPalReauthorization = Plain<ReauthorizeRequest>;
