import type { PayRefusal, Submission } from '../../modules/payment-links/index.ts';

/** The fields of the form, by their names in it. */
export type FieldName = 'number' | 'expiry' | 'security_code' | 'name';

/** What may be shown again in a form that is not right yet. */
export type FormValues = { readonly expiry: string; readonly name: string };

/** What a form says, without a judgement. */
export type Filled = {
  readonly formKey: string | null;
  readonly method: string;
  readonly values: FormValues;
  /** What is to be paid with. `redirectUrl`: where a buyer comes back to who approves elsewhere. */
  submission(redirectUrl: string): Submission;
};

/** Reads a submitted form. `asksName`: who pays is asked, because the link does not say. */
export function readForm(body: unknown, asksName: boolean): Filled {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const text = (name: FieldName | 'method'): string => form.get(name)?.trim() ?? '';
  const method = text('method');
  const values = { expiry: text('expiry').slice(0, 10), name: text('name').slice(0, 200) };
  const isCard = method === 'card';
  const card = {
    // An empty number is refused with the other fields.
    number: isMistyped(text('number')) ? '' : text('number'),
    expirationDate: values.expiry.replace(/\s/g, ''),
    securityCode: text('security_code'),
  };
  return {
    formKey: form.get('form_key'),
    method,
    values,
    submission: (redirectUrl) => ({
      paymentMethod: isCard ? { card } : { redirect: { method } },
      redirectUrl,
      integrationClient: 'web',
      // An empty name is refused with the other fields: only null is no name.
      buyer: isCard && asksName ? { displayName: text('name') } : null,
    }),
  };
}

/** Whether a card number has a wrong check digit: of the schemes of which every number has one. */
export function isMistyped(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  if (!CHECKED.test(digits)) return false;
  const sum = Array.from(digits).reduceRight((total, digit, at) => {
    const value = Number(digit) * ((digits.length - at) % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 !== 0;
}

/** American Express, Diners Club, JCB, Visa, Mastercard and Discover; not UnionPay, of which some have none. */
const CHECKED = /^(?:3|4|5[1-5]|2[2-7]|6011|64[4-9]|65)/;

/** The fields that are to blame for refusals; null when something else is, which no buyer can mend. */
export function wrongFields(refusals: readonly PayRefusal[]): ReadonlySet<FieldName> | null {
  const fields = refusals.map((refusal) =>
    refusal.kind === 'InvalidInput' ? FIELD_AT[refusal.path.join('.')] : undefined,
  );
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? new Set(known) : null;
}

const FIELD_AT: Readonly<Record<string, FieldName>> = {
  'input.paymentMethod.card.number': 'number',
  'input.paymentMethod.card.expirationDate': 'expiry',
  'input.paymentMethod.card.securityCode': 'security_code',
  'input.buyer.displayName': 'name',
};
