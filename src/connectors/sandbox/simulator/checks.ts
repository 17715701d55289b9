/** Returns the result of the address check, which the postal code chooses. */
export function avsOf(postalCode: string | null): string {
  if (postalCode?.includes('77')) return 'no_match';
  if (postalCode?.includes('88')) return 'partial_match_postcode';
  if (postalCode?.includes('99')) return 'partial_match_address';
  return 'match';
}

/** Returns the result of the security code's check, which the code chooses. */
export function cvvOf(securityCode: string | null): string {
  if (securityCode === null || securityCode === '222') return 'not_provided';
  return securityCode === '333' ? 'no_match' : 'match';
}
