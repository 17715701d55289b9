import { Link } from '../../app/route.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Row } from './query.ts';
import { DisputeState, TimeLeft } from './state.tsx';

type Line = Pick<Row, 'id' | 'status' | 'reason' | 'amount' | 'currency' | 'respondBy'>;

/** A card with the disputes of a payment, newest first. Absent without a dispute, and without the scope that reads disputes. */
export function DisputeLines({ disputes }: { readonly disputes: readonly Line[] | undefined }) {
  if (!disputes || disputes.length === 0) return null;
  return (
    <section className="card">
      <header>
        <h2>{texts.disputes.title}</h2>
      </header>
      <ul className="events">
        {disputes.map((dispute) => (
          <li key={dispute.id} className="event">
            <Link to={`disputes/${dispute.id}`}>
              <Amount {...dispute} />
            </Link>
            <span className="quiet">{texts.disputes.reason[dispute.reason]}</span>
            <TimeLeft {...dispute} />
            <DisputeState status={dispute.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
