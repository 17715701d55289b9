import { withoutNulls, type StatementDescriptor } from '../../door.ts';

/** Maps the text for the buyer's statement, without empty fields. */
export const descriptorToWire = (descriptor: StatementDescriptor): Readonly<Record<string, string>> =>
  withoutNulls({
    name: descriptor.name,
    description: descriptor.description,
    city: descriptor.city,
    country: descriptor.country,
    phone_number: descriptor.phoneNumber,
    url: descriptor.url,
    postal_code: descriptor.postalCode,
  });
