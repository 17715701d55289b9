import type { ReactNode } from 'react';
import type { Pages } from '../../app/data/pages.ts';
import { Link } from '../../app/route.tsx';
import { texts } from '../../texts/texts.ts';
import type { IconName } from '../icon.tsx';
import { Bone, Empty } from '../pieces.tsx';
import { Problem } from '../problem.tsx';
import { More } from './more.tsx';

type CasesProps<Row> = {
  readonly list: Pages<Row>;
  /** Stands above the cards, if any. */
  readonly note: string;
  /** Stands in place of the cards, if none. */
  readonly nothing: ReactNode;
  /** Draws the list item of a row. */
  readonly children: (row: Row) => ReactNode;
};

/** The matters that wait for a person, a card each. Grows by a button. */
export const Cases = <Row,>({ list, note, nothing, children }: CasesProps<Row>) => {
  const { data, error, isLoading, reload } = list;
  return (
    <>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <Bones />}
      {data?.rows.length === 0 && nothing}
      {data && data.rows.length > 0 && <p className="page-note">{note}</p>}
      <ul className="cases">{data?.rows.map(children)}</ul>
      <More list={list} />
    </>
  );
};

type NothingWaitsProps = {
  readonly icon?: IconName;
  readonly title?: string;
  readonly words: {
    readonly title?: string;
    readonly text: string;
    readonly payments: string;
    readonly guide: string;
  };
  /** The path of the guide below the server's address. */
  readonly guide: string;
};

/** Tells that nothing waits. Leads to the payments and to the guide. */
export const NothingWaits = ({ icon = 'shield', words, title = words.title, guide }: NothingWaitsProps) => (
  <Empty
    icon={icon}
    title={title ?? words.text}
    actions={
      <Link className="button" to="payments">
        {words.payments}
      </Link>
    }
    guide={[guide, words.guide]}
  >
    {words.text}
  </Empty>
);

const Bones = () => (
  <div className="cases" role="status" aria-label={texts.loading}>
    {[280, 320].map((width) => (
      <div key={width} className="card case">
        <Bone width={width} />
        <Bone width={width + 80} />
        <Bone width={width - 60} />
      </div>
    ))}
  </div>
);
