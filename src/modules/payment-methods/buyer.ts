import type { BuyerDetails, ShippingAddress } from './people.ts';

/** Somebody who buys from the merchant. */
export type Buyer = BuyerDetails & {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Where a buyer's goods may go. */
export type ShippingDetails = ShippingAddress & {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly buyerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Moments = { readonly createdAt: Date; readonly updatedAt: Date };

/** A record as the record of an idempotency key holds it: moments as ISO text. */
export type Json<Record extends Moments> = Omit<Record, keyof Moments> & {
  readonly [Moment in keyof Moments]: string;
};

export const toJson = <Record extends Moments>(record: Record): Json<Record> => ({
  ...record,
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
});

export const fromJson = <Record extends Moments>(json: Json<Record>): Record =>
  ({
    ...json,
    createdAt: new Date(json.createdAt),
    updatedAt: new Date(json.updatedAt),
    // What was taken out are exactly the two moments.
  }) as unknown as Record;
