import { api } from '../../app/data/api.ts';
import { mayChangePayments } from '../../app/data/live.tsx';
import { useRead } from '../../app/data/read.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { CardBones } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Card } from '../../design/record/card.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { readRows, type Row as SumRow } from '../home/query.ts';
import { spansOf } from '../home/span.ts';
import { rate, refusals } from '../home/sums.ts';
import { readClock } from '../home/zone.ts';
import { PAYMENT_LINE, PaymentLines } from '../payments/lines.tsx';
import { writeShare } from './words.ts';

const { use: words } = texts.services;

/** Reads the latest payments of a service, and its sums of seven days by currency. */
async function readUse(id: string, signal: AbortSignal) {
  const clock = readClock(null);
  const { span } = spansOf('7d', new Date(), clock);
  const wanted = [{ first: 10, filter: { paymentServiceId: [id] } }, { nodes: PAYMENT_LINE }] as const;
  const [{ transactions }, rows] = await Promise.all([
    api.query({ transactions: wanted }, { signal }),
    readRows(span, { timeZone: clock.zone, groupBy: 'PAYMENT_SERVICE' }, signal),
  ]);
  return { payments: transactions.nodes, sums: rows.filter(({ value }) => value === id) };
}

/** The success of a service over seven days, and its latest payments. */
export function UseOf({ serviceId }: { readonly serviceId: string }) {
  const { data, error, reload } = useRead(serviceId, (signal) => readUse(serviceId, signal));
  useRefresh(reload, mayChangePayments);
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return <CardBones />;
  return (
    <>
      <Success sums={data.sums} />
      <PaymentLines title={words.payments} empty={words.noPayments} payments={data.payments} />
    </>
  );
}

/** The authorisations of seven days by currency. */
function Success({ sums }: { readonly sums: readonly SumRow[] }) {
  return (
    <Card title={words.title}>
      {sums.length === 0 && <p className="card-note">{words.nothing}</p>}
      <ul className="use">
        {sums.map((row) => {
          const succeeded = rate([row]);
          return (
            <li key={row.currency}>
              <strong>{succeeded === null ? words.none : writeShare(succeeded)}</strong>
              <span>
                {words.authorized}
                <span className="quiet">
                  {words.of(row.authorized.count, row.authorized.count + refusals(row))}
                </span>
              </span>
              <span className="use-volume">
                <Amount amount={row.captured.amount} currency={row.currency} />
                <span className="quiet">{words.captured}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
