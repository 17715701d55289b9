import { Link } from '../../app/route.tsx';
import { Icon } from '../../design/icon.tsx';
import { texts } from '../../texts/texts.ts';
import type { Row } from './query.ts';
import { Age } from './state.tsx';
import { reportOf } from './words.ts';

const { differences } = texts;

type Line = Pick<Row, 'id' | 'finding' | 'operationKind' | 'reported' | 'foundAt'>;

/** A notice with the open differences of a payment, newest first. Absent without one. */
export function DifferenceNotice({ open }: { readonly open: readonly Line[] }) {
  if (open.length === 0) return null;
  return (
    <section className="card difference-notice">
      <header>
        <h2>
          <Icon name="difference" />
          {differences.ofPayment.title}
        </h2>
      </header>
      <p className="card-note">{differences.ofPayment.text}</p>
      <ul className="events">
        {open.map((each) => (
          <li key={each.id} className="event">
            <Link to={`differences/${each.id}`}>{differences.finding[each.finding].short}</Link>
            <span className="quiet">{reportOf(each)}</span>
            <span className="quiet">
              <Age at={each.foundAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
