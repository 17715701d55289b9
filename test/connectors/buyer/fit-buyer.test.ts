import { describe, expect, it } from '@jest/globals';
import { adyenBuyer } from '../../../src/connectors/adyen/buyer.ts';
import { fitAddress } from '../../../src/connectors/buyer/address.ts';
import { fitEmail, fitPhone } from '../../../src/connectors/buyer/contact.ts';
import { cutText, statementText } from '../../../src/connectors/buyer/cut-text.ts';
import { fitBuyer } from '../../../src/connectors/buyer/fit-buyer.ts';
import { joinHouseNumber, splitHouseNumber } from '../../../src/connectors/buyer/house-number.ts';
import { subdivisionOf } from '../../../src/connectors/buyer/subdivision.ts';
import { paypalBuyer } from '../../../src/connectors/paypal/buyer.ts';
import type { PostalAddress } from '../../../src/connectors/interface/requests.ts';
import { stripeBuyer } from '../../../src/connectors/stripe/model/buyer.ts';

const NOWHERE: PostalAddress = {
  ...{ line1: null, line2: null, houseNumberOrName: null, city: null, postalCode: null },
  ...{ state: null, stateCode: null, country: null, organization: null },
};
const at = (changes: Partial<PostalAddress>): PostalAddress => ({ ...NOWHERE, ...changes });

const VEGAS = at({ line1: '12 Main St', city: 'Las Vegas', country: 'US', postalCode: '89101-1234' });
const HONG_KONG = at({ line1: '8 Nathan Road', city: 'Kowloon', country: 'HK' });
const PROFILES = { stripe: stripeBuyer, adyen: adyenBuyer, paypal: paypalBuyer };

describe('an email address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada+shop@Example.com', 'ada+shop@Example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['zoë@bücher.example', null],
    ['no-at-sign', null],
    ['@example.com', null],
    ['ada@', null],
    ['ada@localhost', null],
    ['ada..b@example.com', null],
    ['ada b@example.com', null],
    ['"ada b"@example.com', null],
    ['ada@exa_mple.com', null],
    ['ada@-example.com', null],
    [`${'a'.repeat(65)}@example.com`, null],
    [`ada@${`${'b'.repeat(60)}.`.repeat(5)}com`, null],
    [null, null],
  ])('%s becomes %s', (given, expected) => expect(fitEmail(given)).toBe(expected));
});

it.each([
  ['+14155552671', '+14155552671'],
  ['+442071838750', '+442071838750'],
  ['+11', null],
  ['+1415555267', null],
  ['+999123456789', null],
  [null, null],
])('the phone number %s becomes %s', (given, expected) => expect(fitPhone(given)).toBe(expected));

describe('a state', () => {
  it.each([
    ['US', 'US-NV', null, 'US-NV', 'Nevada'],
    ['US', null, 'nevada', 'US-NV', 'Nevada'],
    ['US', null, 'NV', 'US-NV', 'Nevada'],
    ['CA', null, 'Québec', 'CA-QC', 'Quebec'],
    ['US', null, 'AP', 'US-AP', 'Armed Forces Pacific'],
    ['CA', 'US-NV', 'Ontario', 'CA-ON', 'Ontario'],
    [null, 'US-NV', null, 'US-NV', 'Nevada'],
  ])('of %s, %s, %s is %s', (country, stateCode, state, code, name) =>
    expect(subdivisionOf({ country, stateCode, state })).toMatchObject({ code, name }),
  );

  it.each([
    ['US', 'US-XX', null],
    ['US', null, 'Nowhere'],
    [null, null, 'Nevada'],
    ['US', null, null],
  ])('of %s, %s, %s is unknown', (country, stateCode, state) =>
    expect(subdivisionOf({ country, stateCode, state })).toBeNull(),
  );

  it.each([
    ['stripe', { stateCode: 'US-NV' }, 'NV'],
    ['stripe', { state: 'Nevada' }, 'NV'],
    ['stripe', { state: 'Somewhere' }, 'Somewhere'],
    ['stripe', { stateCode: 'US-XX' }, 'XX'],
    ['adyen', { state: 'Nevada' }, 'NV'],
    ['paypal', { stateCode: 'US-NV', state: 'Nevada' }, 'NV'],
    ['stripe', { country: 'DE', stateCode: 'DE-BY' }, 'Bayern'],
    ['paypal', { country: 'DE', stateCode: 'DE-BY' }, 'Bayern'],
    ['adyen', { country: 'DE', stateCode: 'DE-BY' }, null],
    ['stripe', { country: 'IT', stateCode: 'IT-25' }, 'Lombardia'],
    ['paypal', { country: 'IT', state: 'Milano' }, 'MI'],
  ] as const)('for %s of %j is %s', (provider, changes, expected) =>
    expect(fitAddress({ ...VEGAS, postalCode: '89101', ...changes }, PROFILES[provider].address)?.state).toBe(
      expected,
    ),
  );
});

describe('a house number', () => {
  it.each([
    ['US', 'Main St', '12', '12 Main St'],
    ['GB', 'High Street', '5', '5 High Street'],
    ['DE', 'Hauptstraße', '5', 'Hauptstraße 5'],
    ['NL', 'Damrak', '1-5', 'Damrak 1-5'],
    ['US', '12 Main St', '12', '12 Main St'],
    ['DE', 'Hauptstraße 5', '5', 'Hauptstraße 5'],
    ['DE', 'Hauptstraße', null, 'Hauptstraße'],
    ['DE', null, 'Haus Rose', 'Haus Rose'],
  ])('in %s joins %s and %s to %s', (country, line1, houseNumberOrName, expected) =>
    expect(joinHouseNumber({ country, line1, houseNumberOrName })).toBe(expected),
  );

  it.each([
    ['US', '12 Main St', 'Main St', '12'],
    ['US', '12b Main St', 'Main St', '12b'],
    ['DE', 'Straße des 17. Juni 135', 'Straße des 17. Juni', '135'],
    ['ES', 'Calle Mayor, 7', 'Calle Mayor', '7'],
    ['US', 'PO Box 12', 'PO Box 12', null],
    ['DE', '5 Hauptstraße', '5 Hauptstraße', null],
    ['DE', '5', '5', null],
    ['US', '42 3rd Avenue', '42 3rd Avenue', null],
  ])('in %s splits %s into %s and %s', (country, given, line1, houseNumberOrName) =>
    expect(splitHouseNumber({ country, line1: given, houseNumberOrName: null })).toEqual({
      ...{ line1, houseNumberOrName },
    }),
  );
});

describe('an address at Adyen', () => {
  const fit = (address: PostalAddress) => fitAddress(address, adyenBuyer.address);

  it('in Hong Kong is whole without a postal code', () =>
    expect(fit(HONG_KONG)).toMatchObject({
      ...{ line1: 'Nathan Road', houseNumberOrName: '8', city: 'Kowloon', postalCode: 'N/A', country: 'HK' },
    }));

  it('has a word for each part that nobody collected', () =>
    expect(fit(at({ line1: 'Somewhere' }))).toMatchObject({
      ...{ line1: 'Somewhere', houseNumberOrName: 'N/A', city: 'N/A', postalCode: 'N/A', country: 'ZZ' },
    }));

  it('has five digits of a ZIP code', () =>
    expect(fit({ ...VEGAS, stateCode: 'US-NV' })).toMatchObject({ postalCode: '89101', state: 'NV' }));

  it.each([
    ['street', { ...HONG_KONG, line1: null }],
    ['state in the United States', VEGAS],
    ['known state in Canada', { ...HONG_KONG, country: 'CA', state: 'Nowhere' }],
    ['ZIP code', { ...VEGAS, stateCode: 'US-NV', postalCode: null }],
    ['ZIP code of digits', { ...VEGAS, stateCode: 'US-NV', postalCode: 'ABC' }],
  ])('without a %s is only a country', (_, address) =>
    expect(fit(address)).toEqual(at({ country: address.country })),
  );

  it('has no postal code that is too long', () =>
    expect(fit({ ...HONG_KONG, country: 'GB', postalCode: 'X'.repeat(11) })?.postalCode).toBe('N/A'));
});

describe('an address at PayPal', () => {
  const fit = (address: PostalAddress) => fitAddress(address, paypalBuyer.address);

  it('needs a postal code in the United States', () => {
    expect(fit({ ...VEGAS, postalCode: null })).toEqual(at({ country: 'US' }));
    expect(fit({ ...VEGAS, postalCode: '8910' })).toEqual(at({ country: 'US' }));
    expect(fit(VEGAS)).toMatchObject({ line1: '12 Main St', postalCode: '89101-1234' });
  });

  it('needs none where a country has none', () =>
    expect(fit(HONG_KONG)).toMatchObject({ line1: '8 Nathan Road', postalCode: null }));
});

describe('a text', () => {
  it.each([
    ['Ada', 3, 'Ada'],
    ['Lovelace', 4, 'Love'],
    ['👩‍👩‍👧x', 5, '👩‍👩‍👧'],
    ['👩‍👩‍👧x', 4, null],
    ['𝒜𝒷𝒸', 2, '𝒜𝒷'],
    ['e\u0301e\u0301', 3, 'e\u0301'],
    ['', 3, null],
  ])('%s is cut to %i characters: %s', (given, max, expected) => expect(cutText(given, max)).toBe(expected));

  it('for a statement is in the alphabet of the provider', () => {
    expect(statementText('Straße <Łódź>', /[^\x20-\x7e]|[<>]/g, 22)).toBe('Strasse Lodz');
    expect(statementText('12345 x', /[^\x20-\x7e]/g, 5)).toBeNull();
    expect(statementText('Acme Book Shop', /[^\x20-\x7e]/g, 10)).toBe('Acme Book');
  });
});

it('a buyer without data stays so, and one with names has them cut', () => {
  const nobody = {
    ...{ reference: 'b1', firstName: null, lastName: null, email: null, phone: null },
    ...{ billingAddress: null, taxId: null, shipping: null },
  };
  expect(fitBuyer(nobody, adyenBuyer)).toEqual(nobody);
  const { firstName, shipping } = fitBuyer(
    {
      ...nobody,
      firstName: '𝒜'.repeat(81),
      shipping: { firstName: 'x'.repeat(81), lastName: null, address: null },
    },
    adyenBuyer,
  );
  expect([firstName, shipping?.firstName]).toEqual(['𝒜'.repeat(80), 'x'.repeat(80)]);
});
