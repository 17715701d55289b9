/**
 * Returns true for an absolute https address. With `insecure`, http is valid too. The check is stricter than a browser,
 * which accepts `https:shop.example` and drops white space.
 */
export function isWebAddress(text: string, { insecure }: { readonly insecure: boolean }): boolean {
  const scheme = insecure ? /^https?:\/\/\S+$/i : /^https:\/\/\S+$/i;
  return scheme.test(text) && URL.canParse(text);
}
