import type { Amount } from './model.ts';
import { invalid, type Answer } from './refusals.ts';

/** The balance account that does not exist. */
const MISSING_ACCOUNT = 'BA_UNKNOWN';

/** The shares of a payment or a modification. The description has checked the types. */
export type SplitsBody = {
  readonly splits?: readonly {
    readonly type: string;
    readonly account?: string;
    readonly reference?: string;
    readonly amount?: { readonly value: number; readonly currency?: string };
  }[];
};

/** The types with a required amount, and those with a required account and reference, on a balance platform. */
const WITH_AMOUNT = ['BalanceAccount', 'Commission', 'Surcharge', 'Default', 'VAT'];
const WITH_ACCOUNT = ['BalanceAccount', 'MarketPlace'];

/** Refuses shares that do not make the amount, that lack a required field, or that name an unknown account. */
export function splitsFaultOf({ splits }: SplitsBody, amount: Amount | undefined): Answer | null {
  if (!splits) return null;
  for (const { type, account, reference, amount: part } of splits) {
    if (WITH_AMOUNT.includes(type) && part === undefined) return invalid('702', 'Split amount is missing');
    if (part?.currency !== undefined && part.currency !== amount?.currency)
      return invalid('702', 'Split currency differs from the payment');
    if (WITH_ACCOUNT.includes(type) && (account === undefined || reference === undefined))
      return invalid('702', 'Split account or reference is missing');
    if (account === MISSING_ACCOUNT) return invalid('702', 'Split account is unknown');
    if (part !== undefined && part.value < 1) return invalid('702', 'Split amount is too small');
  }
  const references = splits.flatMap(({ reference }) => reference ?? []);
  if (new Set(references).size < references.length) return invalid('702', 'Split references are not unique');
  const sum = splits.reduce((all, { amount: part }) => all + (part?.value ?? 0), 0);
  return sum === amount?.value ? null : invalid('702', 'Split amounts do not make the amount');
}
