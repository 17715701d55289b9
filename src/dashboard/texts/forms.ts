/** A text for each plural form that a language has. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Returns the function of a language that chooses the form of a text by a number. The compiled texts call the function. */
export function pluralOf(language: string): (value: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (value, forms) => forms[rules.select(value)] ?? forms.other;
}

/** Returns the function of a language that writes a number by given options, with the digits of the API. */
export const numberOf =
  (language: string) =>
  (value: number, options: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(language, { ...options, numberingSystem: 'latn' }).format(value);
