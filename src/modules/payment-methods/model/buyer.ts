import type { BuyerDetails, ShippingAddress } from './people.ts';

/** A customer of the merchant. */
export type Buyer = BuyerDetails & {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A delivery address of a buyer. */
export type ShippingDetails = ShippingAddress & {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly buyerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Moments = { readonly createdAt: Date; readonly updatedAt: Date };

/** A record in the form that an idempotency key stores: times as ISO text. */
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
    // The two times are the only fields that `Json` changes.
  }) as unknown as Record;
