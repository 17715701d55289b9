import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { DecidedPayment } from '../create/facts-then.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';

/** An authorisation that a payment asked a service for. */
export type PastAttempt = Pick<Operation, 'paymentServiceId' | 'status' | 'errorCode' | 'choice'> & {
  /** False if the payment ended before a request to the service, for example because its authentication failed. */
  readonly wasAsked: boolean;
  /** True if one request was not enough for the outcome. Such a payment never goes on to another service. */
  readonly wasOpen: boolean;
};

/** A stored payment with the facts that route it. */
export type PastPayment = DecidedPayment &
  Pick<
    Transaction,
    | 'createdAt'
    | 'intent'
    | 'cardNetwork'
    | 'connectionOptions'
    | 'routing'
    | 'capturedAmount'
    | 'refundedAmount'
  > & {
    /** True if the money is shared. Such a payment asks one service alone. */
    readonly hasSplits: boolean;
    /** In the order of the requests. Null without any. */
    readonly attempts: readonly PastAttempt[] | null;
  };

/** The place of a payment in the order of creation. */
export type PastPlace = { readonly createdAt: Date; readonly id: string };

/** The payments of a period. */
export type PastRange = {
  /** Payments created from this moment on. */
  readonly from: Date;
  /** Payments created before this moment. */
  readonly to: Date;
  /** The last payment before the page. Null at the beginning. */
  readonly after: PastPlace | null;
  /** The part of the payments to read, in percent. */
  readonly sample: number;
};

export type PastPage = {
  /** The payments of the sample. */
  readonly payments: readonly PastPayment[];
  /** The number of payments that were read, with those outside the sample. */
  readonly scanned: number;
  /** The last payment that was read. Null after the last page. */
  readonly last: PastPlace | null;
};

/** The most payments of a page that are read with their values, about. Each takes some kilobytes. */
const PAGE_MAX = 500;

/** The most payments of a page, with those outside the sample. */
const SCANNED_MAX = 10_000;

/** A draw is two bytes. */
const DRAWS = 65_536;

/** The id before all others. */
const NIL = '00000000-0000-0000-0000-000000000000';

const statement = prepareFile(import.meta, 'past-payments.sql');

type Row = PastPayment & { readonly isSampled: boolean };

/** Reads the next payments of a period, oldest first. */
export async function readPastPayments(
  db: Pick<Db, 'query'>,
  account: string,
  { from, to, after, sample }: PastRange,
): Promise<PastPage> {
  const rows = await db.query<Row>(
    statement({
      ...{ account, fromAt: from, toAt: to, placeAt: after?.createdAt ?? from, placeId: after?.id ?? NIL },
      limit: Math.min(Math.ceil((PAGE_MAX * 100) / sample), SCANNED_MAX),
      drawsBelow: Math.ceil((DRAWS * sample) / 100),
    }),
  );
  const last = rows.at(-1);
  return {
    payments: rows.filter(({ isSampled }) => isSampled),
    scanned: rows.length,
    last: last ? { createdAt: last.createdAt, id: last.id } : null,
  };
}
