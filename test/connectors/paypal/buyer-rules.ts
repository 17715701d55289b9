import { refuse, refuseIssue } from './refusal.ts';
import { textAt, type Wire } from './world.ts';

/** Some countries whose addresses PayPal takes only with a postal code. */
const WITH_POSTAL_CODE: ReadonlySet<string> = new Set(
  'AT AU BE BR CA CH CN CZ DE DK ES FI FR GB IT JP MX NL NO NZ PL PT SE SG TH US'.split(' '),
);

/** Refuses buyer data of a purchase unit that PayPal's description allows. */
export function checkUnit(unit: Wire): void {
  const address = (name: string): string | null => textAt(unit, 'shipping', 'address', name);
  const field = '/purchase_units/0/shipping/address';
  const country = address('country_code');
  if (country !== null && address('admin_area_2') === null)
    refuseIssue('CITY_REQUIRED', `${field}/admin_area_2`);
  if (WITH_POSTAL_CODE.has(country ?? '') && address('postal_code') === null)
    refuseIssue('POSTAL_CODE_REQUIRED', `${field}/postal_code`);
  const descriptor = textAt(unit, 'soft_descriptor');
  if (descriptor !== null && !/^[a-zA-Z0-9 .*-]+$/.test(descriptor))
    refuse({
      ...{ status: 400, name: 'INVALID_REQUEST', issue: 'INVALID_PARAMETER_SYNTAX' },
      field: '/purchase_units/0/soft_descriptor',
    });
}
