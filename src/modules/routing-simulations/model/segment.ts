import type { ComparedPayment } from './payment.ts';

/** The payments that are alike. A service's rate of authorisation is asked for each kind apart. */
export type Segment = {
  readonly currency: string;
  readonly method: string;
  /** Null: unknown, or any scheme in a wide segment. */
  readonly scheme: string | null;
  readonly country: string | null;
  /** The number of digits of the amount in minor units, such as 4 for 10.00 to 99.99. Null in a wide segment. */
  readonly digits: number | null;
};

/** Returns the segment of a payment. */
export const segmentOf = ({ currency, method, scheme, country, amount }: ComparedPayment): Segment => ({
  ...{ currency, method, scheme, country, digits: String(amount).length },
});

/** Widens a segment to all payments of its currency and method. Few such segments exist, so memory stays bounded. */
export const widened = ({ currency, method }: Segment): Segment => ({
  ...{ currency, method, scheme: null, country: null, digits: null },
});

export const keyOfSegment = ({ currency, method, scheme, country, digits }: Segment): string =>
  JSON.stringify([currency, method, scheme, country, digits]);

export function segmentFromKey(key: string): Segment {
  const [currency, method, scheme, country, digits] = JSON.parse(key) as [
    string,
    string,
    string | null,
    string | null,
    number | null,
  ];
  return { currency, method, scheme, country, digits };
}
