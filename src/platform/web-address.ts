/**
 * Whether a text is an absolute https address, or an http one too when `insecure`. Stricter than a browser, which takes
 * `https:shop.example` and drops white space.
 */
export function isWebAddress(text: string, { insecure }: { readonly insecure: boolean }): boolean {
  const scheme = insecure ? /^https?:\/\/\S+$/i : /^https:\/\/\S+$/i;
  return scheme.test(text) && URL.canParse(text);
}
