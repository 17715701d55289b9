/** A part of an address that a provider may demand. */
export type AddressPart = 'line1' | 'houseNumberOrName' | 'city' | 'postalCode' | 'state' | 'country';

/**
 * The buyer data that a provider takes. A provider without a rule for a field has none here. All lengths are in characters,
 * as Unicode counts them.
 */
export type BuyerProfile = {
  /** The longest first name, and the longest last name. */
  readonly nameMax: number;
  readonly address: AddressProfile;
};

/** The addresses that a provider takes. */
export type AddressProfile = {
  /** Only the country of an address without one of these parts is left. A country without postal codes needs none. */
  readonly needs: readonly AddressPart[];
  /** The parts that a country needs besides. No filler stands for them. */
  readonly needsIn: Readonly<Record<string, readonly AddressPart[]>>;
  /** The texts that stand for missing parts. */
  readonly fillers: Readonly<Partial<Record<AddressPart, string>>>;
  /** The place of the house number. In line 1, the country's usual order decides. */
  readonly houseNumber: 'own_field' | 'in_line_1';
  /** The countries whose states go out as the letters of their ISO 3166-2 code: `NV`. */
  readonly stateCodes: readonly string[];
  /** The states of other countries, and the states that ISO 3166-2 lacks. */
  readonly otherStates: 'by_name' | 'left_out';
  /** The part of a country's postal code that the provider takes. Another text counts as missing. */
  readonly postalCodes: Readonly<Record<string, RegExp>>;
  /** Longer lines, cities and states are cut. A longer postal code counts as missing. */
  readonly max: {
    readonly line: number;
    readonly city: number;
    readonly state: number;
    readonly postalCode: number;
  };
};

/** The countries whose post writes the code of a state on letters. */
export const POSTAL_STATE_CODES: readonly string[] = ['AU', 'BR', 'CA', 'IT', 'US'];

/** The rules of a provider that takes an address with any part missing, in the usual form of each country. */
export const ANY_ADDRESS: Omit<AddressProfile, 'max'> = {
  needs: [],
  needsIn: {},
  fillers: {},
  houseNumber: 'in_line_1',
  stateCodes: POSTAL_STATE_CODES,
  otherStates: 'by_name',
  postalCodes: {},
};
