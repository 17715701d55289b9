/** Returns the sentence about an id that names no record. A record that goes by itself has a second sentence. */
export const unknownRecord = (what: string): string =>
  [`The token has access to no ${what} with this id.`, ENDS[what]].filter(Boolean).join(' ');

const ENDS: Readonly<Partial<Record<string, string>>> = {
  'unread webhook': 'An unread webhook goes after a week, or when its whole content was read.',
};
