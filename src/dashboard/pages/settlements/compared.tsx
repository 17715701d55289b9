import { Card } from '../../design/record/card.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Entry } from './entry.ts';

const { settlements, payment } = texts;

/** The report of the provider beside the books. Absent for an entry without a difference and without an operation. */
export function Compared({ entry }: { readonly entry: Entry }) {
  const { compared: words } = settlements;
  const { operation, difference, kind, gross, currency, originalAmount, originalCurrency } = entry;
  if (operation === null && difference === null) return null;
  const reported = { amount: Math.abs(gross), currency };
  const original =
    originalAmount !== null && originalCurrency !== null
      ? { amount: originalAmount, currency: originalCurrency }
      : null;
  const isOff = (is: unknown, booked: unknown): boolean => difference !== null && is !== booked;
  const asked = original ?? reported;
  return (
    <Card look="sums compared" title={words.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{words.value}</span>
            </th>
            <th scope="col">{words.report}</th>
            <th scope="col">{words.books}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{words.kind}</th>
            <td>{settlements.kind[kind]}</td>
            <td>{operation ? payment.timeline.kind[operation.kind] : words.none}</td>
          </tr>
          {operation && (
            <>
              <tr data-off={isOff(asked.amount, operation.amount)}>
                <th scope="row">{words.amount}</th>
                <td>{writeMoney(asked)}</td>
                <td>{writeMoney(operation)}</td>
              </tr>
              <tr data-off={isOff(asked.currency, operation.currency)}>
                <th scope="row">{words.currency}</th>
                <td>{asked.currency}</td>
                <td>{operation.currency}</td>
              </tr>
              <tr data-off={isOff('SUCCEEDED', operation.status)}>
                <th scope="row">{words.outcome}</th>
                <td>{words.settled}</td>
                <td>{texts.unresolved.status[operation.status]}</td>
              </tr>
            </>
          )}
        </tbody>
      </table>
    </Card>
  );
}
