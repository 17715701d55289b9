import { Link } from '../../app/route.tsx';
import { Amount, Day, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Row } from './query.ts';
import { EntryState } from './state.tsx';

const { settlements } = texts;

type LinesProps = {
  /** Undefined without the scope that reads settlements. The card is left out then. */
  readonly settlement:
    | {
        readonly totals: readonly Pick<Row, 'currency' | 'gross' | 'fee' | 'net'>[];
        readonly entries: readonly Omit<Row, 'gross' | 'fee'>[];
      }
    | undefined;
};

/** A card with the entries of a payment and their sums. Absent before the first entry. */
export function SettlementLines({ settlement }: LinesProps) {
  if (!settlement || settlement.totals.length === 0) return null;
  return (
    <section className="card">
      <header>
        <h2>{settlements.ofPayment}</h2>
        <span className="quiet">
          {settlement.totals
            .map(({ currency, gross, fee, net }) => {
              const write = (amount: number): string => writeMoney({ amount, currency });
              return settlements.total(write(gross), write(fee), write(net));
            })
            .join(' · ')}
        </span>
      </header>
      <ul className="events">
        {settlement.entries.map((entry) => (
          <li key={entry.id} className="event">
            <Link to={`settlements/${entry.id}`}>
              <Amount amount={entry.net} currency={entry.currency} />
            </Link>
            <span className="quiet">{settlements.kind[entry.kind]}</span>
            <EntryState {...entry} />
            <span className="quiet">
              <Day on={entry.settledOn} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
