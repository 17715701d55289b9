import { useRead } from '../../app/data/read.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { useKeys } from '../../app/keys/keys.ts';
import { useLineKeys } from '../../app/keys/line-keys.ts';
import { go, useRoute, withSearch } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Disclosure } from '../../design/record/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Opened } from './opened.tsx';
import { readNames, type Event } from './query.ts';
import { useTail, type Tail } from './tail.ts';

const { events: words } = texts;

/** The feed of events as it grows. The address holds the filter. */
export function Events() {
  const type = useRoute().search.get('type') ?? '';
  const tail = useTail(type);
  useKeys({ p: tail.togglePause });
  useLineKeys();
  return (
    <>
      <PageHead title={words.title}>
        <Button icon={tail.isPaused ? 'play' : 'pause'} onPress={tail.togglePause}>
          {tail.isPaused ? words.resume(tail.heldCount) : words.pause}
        </Button>
      </PageHead>
      <div className="toolbar">
        <TypeFilter type={type} />
        <p className="quiet hint-keys">{words.keys}</p>
      </div>
      {tail.error !== null && <Problem error={tail.error} onRetry={tail.reload} />}
      <Lines tail={tail} isFiltered={type !== ''} />
    </>
  );
}

function TypeFilter({ type }: { readonly type: string }) {
  const { data } = useRead('event-names', readNames);
  const groups = Map.groupBy(data ?? [], (name) => name.split('.')[0] ?? name);
  const choose = (next: string): void => go(withSearch('events', { type: next }), { replace: true });
  return (
    <select
      className="select events-filter"
      aria-label={words.filter}
      value={type}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{words.all}</option>
      {type !== '' && !data && <option value={type}>{type}</option>}
      {[...groups].map(([group, names]) => (
        <optgroup key={group} label={group}>
          <option value={`${group}.*`}>{group}.*</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

function Lines({ tail, isFiltered }: { readonly tail: Tail; readonly isFiltered: boolean }) {
  const { events, isLoading, hasMore, more } = tail;
  if (!events) return isLoading && <CardBones widths={[300, 260, 340, 280, 320, 250]} />;
  if (events.length === 0 && !hasMore) return <NoEvents isFiltered={isFiltered} />;
  return (
    <section className="card">
      <ul className="lines" aria-label={words.title}>
        {events.map((event) => (
          <li key={event.id} className="line-new">
            <Disclosure summary={<Line event={event} />}>{() => <Opened event={event} />}</Disclosure>
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className="list-more">
          <Button onPress={more} isDisabled={isLoading}>
            {words.older}
          </Button>
        </div>
      )}
    </section>
  );
}

const Line = ({ event: { name, target, createdAt } }: { readonly event: Event }) => (
  <>
    <code>{name}</code>
    <span className="quiet mono wide">{target.id}</span>
    <span className="quiet">
      <Moment at={createdAt} seconds />
    </span>
  </>
);

const NoEvents = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty
      icon="events"
      title={words.empty.filteredTitle}
      actions={<Button onPress={() => go('events', { replace: true })}>{words.empty.all}</Button>}
    >
      {words.empty.text}
    </Empty>
  ) : (
    <Empty icon="events" title={words.empty.title} guide={['docs/guides/live-events', words.empty.guide]}>
      {words.empty.text}
    </Empty>
  );
