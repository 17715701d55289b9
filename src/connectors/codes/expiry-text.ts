/** Writes the expiry of a card as `MM/YY`. Null if a part is not told. */
export const expiryText = (
  month: number | null | undefined,
  year: number | null | undefined,
): string | null => (month == null || year == null ? null : `${twoDigits(month)}/${twoDigits(year % 100)}`);

const twoDigits = (value: number): string => String(value).padStart(2, '0');
