import { go } from '../../app/route.tsx';
import { addressOf } from '../../app/session.ts';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import type { Source } from './query.ts';

const { empty } = texts.settlements;

type NoEntriesProps = {
  readonly isFiltered: boolean;
  /** Null before the answer. */
  readonly sources: readonly Source[] | null;
  readonly title?: string;
};

/** Stands in for a list without entries, and says whether Paygraph reads any reports. */
export function NoEntries({ isFiltered, sources, title = empty.title }: NoEntriesProps) {
  if (sources === null) return null;
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title={empty.filtered}
        actions={
          <Button onPress={() => go('settlements', { replace: true })}>{texts.action.clearAll}</Button>
        }
      />
    );
  const isOff = sources.length === 0;
  return (
    <Empty
      icon="settlement"
      title={isOff ? empty.off : title}
      actions={
        <a className="button" href={addressOf('docs/guides/settlements')}>
          {empty.guide}
        </a>
      }
    >
      {isOff ? empty.offText : empty.text}
    </Empty>
  );
}

/** Stands in for the list of differences. */
export const NoDifferences = ({ isExplained }: { readonly isExplained: boolean }) => (
  <Empty
    icon={isExplained ? 'settlement' : 'shield'}
    title={isExplained ? empty.explained : empty.differences}
  >
    {isExplained ? empty.explainedText : empty.differencesText}
  </Empty>
);
