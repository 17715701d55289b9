import { applePayMistakes, isApplePayField } from '../../../connectors/wallets/apple-pay.ts';
import type { Credentials } from '../../../connectors/interface/call-context.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import type { Field } from '../model/fields.ts';

/** True if fields change the merchant at Apple. */
export const touchesApplePay = (given: readonly Field[]): boolean =>
  given.some(({ key }) => isApplePayField(key));

/**
 * Lists the mistakes of the fields of Apple Pay at a service that has them after the change. A change without such a field
 * has none, so that an ended certificate blocks no other change.
 */
export function applePayFailures(
  given: readonly Field[],
  credentials: Credentials,
  now: Date,
): readonly InvalidInput[] {
  if (!touchesApplePay(given)) return [];
  return applePayMistakes(credentials, now).map(({ key, sentence }) => {
    const index = given.findIndex((field) => field.key === key);
    return invalidInput(['input', 'fields', ...(index < 0 ? [] : [String(index), 'value'])], sentence);
  });
}
