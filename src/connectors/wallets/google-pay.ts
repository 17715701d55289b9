import type { Credentials } from '../interface/call-context.ts';
import type { DefinitionField } from '../interface/definition.ts';

/** The receiver of a token of Google Pay: the merchant at Google, and the gateway that can read the token. */
export type GooglePayReceiver = {
  /** The merchant's id at Google. Google checks the id in production. */
  readonly merchantId: string;
  /** The parameters of the tokenization `PAYMENT_GATEWAY`, by Google's names. Nothing secret. */
  readonly gateway: Readonly<Record<string, string>>;
};

/** The field with the merchant's id at Google. With this field, the page of a payment link offers Google Pay. */
export const googlePayField: DefinitionField = {
  key: 'google_pay_merchant_id',
  displayName: 'Merchant ID at Google Pay',
  required: false,
  format: 'text',
  secret: false,
};

/** Builds the receiver of tokens. Null without the merchant's id at Google, or without a parameter of the gateway. */
export function googlePayReceiver(
  fields: Credentials,
  gateway: Readonly<Record<string, string | undefined>>,
): GooglePayReceiver | null {
  const { [googlePayField.key]: merchantId } = fields;
  const given = Object.entries(gateway).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  if (!merchantId || given.length < Object.keys(gateway).length) return null;
  return { merchantId, gateway: Object.fromEntries(given) };
}
