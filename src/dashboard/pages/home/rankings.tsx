import { Link } from '../../app/route.tsx';
import { Card } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import { reasonOf } from '../payment/decline.ts';
import { writeShare, type Figures } from './figures.tsx';
import { rate, refusals } from './sums.ts';

/** The most entries of a ranking. */
const ENTRIES = 7;

/** The reasons of declined and failed authorisations, the most frequent first. */
export function Declines({ data, currency }: Pick<Figures, 'data' | 'currency'>) {
  const rows = data.reasons
    .filter((row) => row.currency === currency && refusals(row) > 0)
    .toSorted((one, other) => refusals(other) - refusals(one));
  const all = rows.reduce((total, row) => total + refusals(row), 0);
  return (
    <Card
      title={texts.home.declines}
      aside={all > 0 && <Link to="payments?status=AUTHORIZATION_DECLINED">{texts.home.showDeclines}</Link>}
    >
      {rows.length === 0 && <p className="card-note">{texts.home.noDeclines}</p>}
      <ol className="ranking sentences">
        {rows.slice(0, ENTRIES).map((row) => (
          <li key={row.value}>
            <span>{row.value ? reasonOf(data.declineCodes, row.value) : texts.home.noReason}</span>
            <span className="quiet">{writeShare(refusals(row) / all)}</span>
            <strong>{refusals(row)}</strong>
            <Bar share={refusals(row) / all} tone="bad" />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The payment services with the share of authorisations that succeeded, those with the most authorisations first. */
export function Services({ data, currency }: Pick<Figures, 'data' | 'currency'>) {
  const attempts = (row: (typeof data.services)[number]): number => row.authorized.count + refusals(row);
  const rows = data.services
    .filter((row) => row.currency === currency && attempts(row) > 0)
    .toSorted((one, other) => attempts(other) - attempts(one));
  const nameOf = (id: string | null): string =>
    data.paymentServices.nodes.find((each) => each.id === id)?.displayName ?? texts.home.deletedService;
  return (
    <Card title={texts.home.services}>
      {rows.length === 0 && <p className="card-note">{texts.home.noServices}</p>}
      <ol className="ranking">
        {rows.slice(0, ENTRIES).map((row) => (
          <li key={row.value}>
            <span>{nameOf(row.value)}</span>
            <span className="quiet">{texts.home.attempts(attempts(row))}</span>
            <strong>{writeShare(rate([row]) ?? 0)}</strong>
            <Bar share={rate([row]) ?? 0} tone="good" />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Bar({ share, tone }: { readonly share: number; readonly tone: 'good' | 'bad' }) {
  return (
    <span className="bar" data-tone={tone} aria-hidden="true">
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}
