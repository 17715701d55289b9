import type { ReactNode } from 'react';
import { Link } from '../../app/route.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import type { Row } from './query.ts';
import { Status } from './status.tsx';

type Line = Pick<
  Row,
  | 'id'
  | 'status'
  | 'amount'
  | 'currency'
  | 'capturedAmount'
  | 'refundedAmount'
  | 'pendingReview'
  | 'createdAt'
>;

type LinesProps = {
  readonly title: string;
  readonly empty: string;
  /** Undefined without the scope that reads payments. The card is left out then. */
  readonly payments: readonly Line[] | undefined;
  /** Leads on from the title. */
  readonly children?: ReactNode;
};

/** A card with the payments of another record, newest first. Each leads to its page. */
export function PaymentLines({ title, empty, payments, children }: LinesProps) {
  if (!payments) return null;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {children}
      </header>
      {payments.length === 0 && <p className="card-note">{empty}</p>}
      <ul className="events">
        {payments.map((payment) => (
          <li key={payment.id} className="event">
            <Link to={`payments/${payment.id}`}>
              <Amount {...payment} />
            </Link>
            <Status {...payment} />
            <span className="quiet">
              <Moment at={payment.createdAt} seconds />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
