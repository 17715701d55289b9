import { mayChangePayments } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { CardBones } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { rate, refusals } from '../home/sums.ts';
import { PaymentLines } from '../payments/lines.tsx';
import { writeShare } from '../services/words.ts';
import { readUse, type Use } from './query.ts';

const { use: words } = texts.services;

/** The success of a service over seven days, and its latest payments. */
export function UseOf({ serviceId }: { readonly serviceId: string }) {
  const { data, error, reload } = useRead(serviceId, (signal) => readUse(serviceId, signal));
  useRefresh(reload, { concerns: mayChangePayments, isMoving: false });
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
function Success({ sums }: Pick<Use, 'sums'>) {
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
      </header>
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
    </section>
  );
}
