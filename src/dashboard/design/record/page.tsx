import { useEffect, useState, type ReactNode } from 'react';
import type { Read } from '../../app/data/read.ts';
import { LiveMark } from '../../app/frame/shell.tsx';
import { Link } from '../../app/route.tsx';
import { texts } from '../../texts/texts.ts';
import { Icon } from '../icon.tsx';
import { Bone, Empty } from '../pieces.tsx';
import { Problem } from '../problem.tsx';

type Head = {
  readonly title: ReactNode;
  readonly state?: ReactNode;
  readonly sentence?: ReactNode;
  /** A value below the sentence, such as the id. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
};

type RecordProps<Data> = {
  readonly read: Read<Data | null>;
  /** The address of the list that the record belongs to. */
  readonly list: string;
  /** The name of that list, and the sentences about an absent record. */
  readonly words: { readonly back: string; readonly missing: string; readonly missingText: string };
  /** The title of the browser's tab. */
  readonly title: (data: Data) => string;
  readonly head: (data: Data) => Head;
  readonly main: (data: Data) => ReactNode;
  readonly side: (data: Data) => ReactNode;
};

/** The page of a record, with its skeleton, its error and its absence. */
export function RecordPage<Data>({ read, list, words, ...parts }: RecordProps<Data>) {
  const { data, error, isLoading, reload } = read;
  return (
    <>
      <div className="trail">
        <Link to={list} className="back">
          <Icon name="back" />
          {words.back}
        </Link>
        <LiveMark />
      </div>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data !== null && <Shown data={data} {...parts} />}
      {data === null && isLoading && <Loading />}
      {data === null && !isLoading && error === null && (
        <Empty isPage icon="search" title={words.missing}>
          {words.missingText}
        </Empty>
      )}
    </>
  );
}

type ShownProps<Data> = Pick<RecordProps<Data>, 'title' | 'head' | 'main' | 'side'> & { readonly data: Data };

function Shown<Data>({ data, title: titleOf, head, main, side }: ShownProps<Data>) {
  const name = titleOf(data);
  useEffect(() => {
    document.title = `${name} · ${texts.product}`;
  }, [name]);
  const { title, state, sentence, note, actions } = head(data);
  return (
    <>
      <header className="record-head">
        <div>
          <h1>
            {title}
            {state}
          </h1>
          {sentence && <p className="quiet">{sentence}</p>}
          {note}
        </div>
        {actions}
      </header>
      <div className="record">
        <div className="record-main">{main(data)}</div>
        <div className="record-side">{side(data)}</div>
      </div>
    </>
  );
}

/** Stands in for a record that is on its way. It shows only after a moment, so that quick answers do not flicker. */
function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="record-loading" role="status" aria-label={texts.loading}>
      {isLate && [220, 420, 300, 380, 340].map((width) => <Bone key={width} width={width} />)}
    </div>
  );
}
