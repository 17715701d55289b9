import type { ReactNode } from 'react';
import type { Transaction } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { Link } from '../../app/route.tsx';
import { CardList } from '../../design/record/card.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { Status } from './status.tsx';

/** The fields of a line. */
export const PAYMENT_LINE = {
  ...{ id: true, status: true, amount: true, currency: true, createdAt: true, pendingReview: true },
  ...{ capturedAmount: true, refundedAmount: true },
} as const;

type LinesProps = {
  readonly title: string;
  readonly empty: string;
  /** Undefined without the scope that reads payments. The card is left out then. */
  readonly payments: readonly Answer<Transaction, typeof PAYMENT_LINE>[] | undefined;
  /** Leads on from the title. */
  readonly children?: ReactNode;
};

/** A card with the payments of another record, newest first. Each leads to its page. */
export const PaymentLines = ({ title, empty, payments, children }: LinesProps) => (
  <CardList title={title} aside={children} rows={payments} empty={empty}>
    {(payment) => (
      <>
        <Link to={`payments/${payment.id}`}>
          <Amount {...payment} />
        </Link>
        <Status {...payment} />
        <span className="quiet">
          <Moment at={payment.createdAt} seconds />
        </span>
      </>
    )}
  </CardList>
);
