/** True for a text whose check digits are those of an IBAN (ISO 13616: the remainder by 97 is 1). Spaces are not removed. */
export function isIban(text: string): boolean {
  if (!/^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,30}$/.test(text)) return false;
  const digits = Array.from(text.slice(4) + text.slice(0, 4), (sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}
