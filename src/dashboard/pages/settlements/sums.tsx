import type { SettlementKind } from '../../../client/generated/schema.ts';
import { Card } from '../../design/record/card.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { EntryRow } from './query.ts';

const { sums: words, column } = texts.settlements;

type Sum = { readonly gross: number; readonly fee: number; readonly net: number };

/** Adds entries up by currency. */
const sumsOf = (rows: readonly EntryRow[]): readonly (readonly [currency: string, sum: Sum])[] =>
  [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, entries]) => [
    currency,
    entries.reduce<Sum>(
      (sum, { gross, fee, net }) => ({ gross: sum.gross + gross, fee: sum.fee + fee, net: sum.net + net }),
      { gross: 0, fee: 0, net: 0 },
    ),
  ]);

type SumsProps = { readonly rows: readonly EntryRow[]; readonly hasMore: boolean };

/** The kinds without a part in the sums. The amounts of an unreadable entry are not known. */
const UNCOUNTED: readonly SettlementKind[] = ['PAYOUT', 'PAYOUT_REVERSAL', 'UNREADABLE'];

/**
 * The sums of the shown entries, one line for each currency. Payouts do not count, because they only move what the other entries
 * brought.
 */
export function Sums({ rows, hasMore }: SumsProps) {
  const counted = rows.filter(({ kind }) => !UNCOUNTED.includes(kind));
  const sums = sumsOf(counted);
  if (sums.length === 0) return null;
  return (
    <Card
      look="sums"
      title={hasMore ? words.part(counted.length) : words.all(counted.length)}
      aside={<span className="quiet">{words.note}</span>}
    >
      <table>
        <thead>
          <tr>
            {[words.currency, column.gross, column.fee, column.net].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sums.map(([currency, { gross, fee, net }]) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              {[gross, fee, net].map((amount, at) => (
                <td key={at}>{writeMoney({ amount, currency })}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
