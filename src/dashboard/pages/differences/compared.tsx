import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Card } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import type { FoundDifference } from './difference.ts';
import { ledgerSide, reportSide, settledSide, type Side } from './sides.ts';

const { differences, settlements } = texts;
const { compared: words } = differences;

type Column = { readonly label: string; readonly side: Side | null; readonly nothing: string };

const ROWS = [
  ['kind', settlements.compared.kind],
  ['amount', settlements.compared.amount],
  ['outcome', settlements.compared.outcome],
  ['reference', words.reference],
] as const;

/** The report of the provider beside its settlement and the ledger. On a phone each side is a line. */
export function Compared({ difference }: { readonly difference: FoundDifference }) {
  const mayReadSettlements = useMay('settlements.read');
  const isMissing = difference.finding === 'MISSING_AT_PROVIDER';
  const settled = settledSide(difference);
  const nothing = isMissing ? differences.unknown : differences.notTold;
  const report: Column = { label: words.provider, side: reportSide(difference), nothing };
  const ledger: Column = { label: words.ledger, side: ledgerSide(difference), nothing: differences.none };
  const settlement: Column = { label: words.settlement, side: settled, nothing: words.notSettled };
  const columns = mayReadSettlements || settled !== null ? [report, settlement, ledger] : [report, ledger];
  return (
    <Card
      look="sums compared sides"
      title={words.title}
      aside={
        mayReadSettlements &&
        settled?.entryId != null && <Link to={`settlements/${settled.entryId}`}>{words.settlement}</Link>
      }
    >
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              <span className="visually-hidden">{settlements.compared.value}</span>
            </th>
            {columns.map(({ label }) => (
              <th key={label} scope="col" role="columnheader">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {ROWS.map(([name, label]) => (
            <tr key={name} role="row" data-off={name !== 'reference' && isOff(columns, name)}>
              <th scope="row" role="rowheader">
                {label}
              </th>
              {columns.map(({ label: of, side, nothing: absent }) => (
                <td key={of} role="cell" data-label={of} data-mono={name === 'reference'}>
                  {side === null ? (name === 'kind' ? absent : '–') : (side[name] ?? '–')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** True if two sides tell other values. A settled operation has succeeded. */
function isOff(columns: readonly Column[], name: 'kind' | 'amount' | 'outcome'): boolean {
  const sides = columns.filter(({ label }) => name === 'amount' || label !== words.settlement);
  const told = sides.flatMap(({ side }) => side?.[name] ?? []);
  return new Set(told).size > 1;
}
