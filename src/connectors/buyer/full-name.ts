/** Joins the given parts of a name. Null without any. */
export const fullNameOf = (...parts: readonly (string | null)[]): string | null =>
  parts.filter(Boolean).join(' ') || null;
