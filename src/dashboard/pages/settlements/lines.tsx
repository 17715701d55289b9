import { Link } from '../../app/route.tsx';
import { CardList } from '../../design/record/card.tsx';
import { Amount, Day, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { EntryRow } from './query.ts';
import { EntryState } from './state.tsx';

const { settlements } = texts;

type LinesProps = {
  /** Undefined without the scope that reads settlements. The card is left out then. */
  readonly settlement:
    | {
        readonly totals: readonly Pick<EntryRow, 'currency' | 'gross' | 'fee' | 'net'>[];
        readonly entries: readonly Omit<EntryRow, 'gross' | 'fee'>[];
      }
    | undefined;
};

/** A card with the entries of a payment and their sums. Absent before the first entry. */
export function SettlementLines({ settlement }: LinesProps) {
  if (!settlement || settlement.totals.length === 0) return null;
  const sums = settlement.totals.map(({ currency, gross, fee, net }) => {
    const write = (amount: number): string => writeMoney({ amount, currency });
    return settlements.total(write(gross), write(fee), write(net));
  });
  return (
    <CardList
      title={settlements.ofPayment}
      aside={<span className="quiet">{sums.join(' · ')}</span>}
      rows={settlement.entries}
    >
      {(entry) => (
        <>
          <Link to={`settlements/${entry.id}`}>
            <Amount amount={entry.net} currency={entry.currency} />
          </Link>
          <span className="quiet">{settlements.kind[entry.kind]}</span>
          <EntryState {...entry} />
          <span className="quiet">
            <Day on={entry.settledOn} />
          </span>
        </>
      )}
    </CardList>
  );
}
