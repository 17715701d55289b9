import type { BankScheme } from '../../../connectors/interface/requests.ts';
import { bankSchemeOf } from '../../../modules/payment-links/index.ts';
import { fill, type Texts } from '../look/language.ts';
import { amountOf, type View } from '../look/view.ts';

/** The consent to a debit that the page asks for. */
export type AskedMandate = {
  readonly scheme: BankScheme;
  /** The whole text, in the language of the page. A payment stores the same text. */
  readonly text: string;
};

/**
 * Writes the mandate for a debit in the link's currency. Returns null for a currency that no scheme debits.
 *
 * debited: the amount that gift cards leave, in minor units.
 */
export function askedMandate(view: View, debited: number): AskedMandate | null {
  const { link, merchant, language } = view;
  const { texts } = language;
  const scheme = bankSchemeOf(link.currency);
  if (scheme === null) return null;
  const extent = link.store ? texts.mandateLater : texts.mandateOnce;
  const values = { merchant, amount: amountOf(view, debited) };
  return { scheme, text: fill(`${texts[MANDATES[scheme]]} ${extent}`, values) };
}

const MANDATES = {
  ach: 'mandateAch',
  sepa: 'mandateSepa',
  bacs: 'mandateBacs',
} as const satisfies Record<BankScheme, keyof Texts>;
