import type { ReactNode } from 'react';
import type { Pages } from '../../app/pages.ts';
import { More } from '../../design/more.tsx';
import { Bone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';

type LinesProps<Row> = {
  readonly title: string;
  readonly list: Pages<Row>;
  /** The sentence in place of the lines, if there is none. */
  readonly empty?: string;
  /** Draws a line. */
  readonly children: (row: Row) => ReactNode;
};

/** A list of a payment in a card of its own. Grows by a button. */
export function Lines<Row extends { readonly id: string }>({
  title,
  list,
  empty,
  children,
}: LinesProps<Row>) {
  const { data, error, isLoading, reload } = list;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
      </header>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && (
        <div className="card-bones" role="status" aria-label={texts.loading}>
          <Bone width={320} />
          <Bone width={280} />
        </div>
      )}
      {data?.rows.length === 0 && empty && <p className="card-note">{empty}</p>}
      <ul className="events">
        {data?.rows.map((row) => (
          <li key={row.id}>{children(row)}</li>
        ))}
      </ul>
      <More list={list} />
    </section>
  );
}
