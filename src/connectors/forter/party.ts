import { joinHouseNumber, type CheckedContact, type PostalAddress } from '../door.ts';

/** Maps a person with address and phone. Null values are left out of the request. */
export const partyOf = ({ firstName, lastName, emailAddress, phoneNumber, address }: CheckedContact) => ({
  personalDetails: { firstName, lastName, email: emailAddress },
  address: address && addressOf(address),
  phone: phoneNumber === null ? null : [{ phone: phoneNumber }],
});

const addressOf = (address: PostalAddress) => ({
  address1: joinHouseNumber(address),
  address2: address.line2,
  zip: address.postalCode,
  city: address.city,
  region: address.stateCode?.replace(/^[A-Z]{2}-/, '') ?? address.state,
  country: address.country,
});
