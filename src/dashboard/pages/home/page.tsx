import { useCallback, useEffect, useRef } from 'react';
import { mayChangePayments, useLive } from '../../app/data/live.tsx';
import { useRead } from '../../app/data/read.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { go, Link, useRoute } from '../../app/route.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { Bone, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { SmallFigures, Volume } from './figures.tsx';
import { readHome, type HomeData } from './query.ts';
import { Declines, Services } from './rankings.tsx';
import { readSpan, SPANS, type SpanName } from './span.ts';
import { currenciesOf } from './sums.ts';
import { ZoneMenu } from './zone-menu.tsx';
import { keepZone, readClock } from './zone.ts';

/** The numbers of a span beside the span before. The address holds the span, the currency and the time zone. */
export function Home() {
  const { search } = useRoute();
  const name = readSpan(search.get('span'));
  const clock = readClock(search.get('zone'));
  const read = useRead(`${name} ${clock.zone}`, (signal) => readHome(name, clock, signal));
  const { data, error, isLoading, reload } = read;
  useLater(reload);
  const currencies = data ? currenciesOf(data) : [];
  const asked = search.get('currency') ?? '';
  const currency = currencies.includes(asked) ? asked : currencies[0];
  const choose = (change: Chosen): void => {
    const chosen = { span: name, currency, zone: search.get('zone') ?? undefined, ...change };
    const given = Object.entries(chosen).filter((entry): entry is [string, string] => entry[1] !== undefined);
    go(`.?${new URLSearchParams(given).toString()}`, { replace: true });
  };
  return (
    <>
      <PageHead title={texts.home.title}>
        {currencies.length > 1 && currency !== undefined && (
          <Currencies {...{ currencies, currency }} onChange={(next) => choose({ currency: next })} />
        )}
        <ZoneMenu
          zone={clock.zone}
          onChange={(zone) => {
            keepZone(zone);
            choose({ zone });
          }}
        />
        <Segments
          label={texts.home.span}
          value={name}
          options={(Object.keys(SPANS) as readonly SpanName[]).map((each) => [each, texts.home.spans[each]])}
          onChange={(next) => choose({ span: next })}
        />
      </PageHead>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data === null && isLoading && <Loading />}
      {data !== null && currency === undefined && <Nothing />}
      {data !== null && currency !== undefined && (
        <Numbers data={data} currency={currency} isStale={isLoading} />
      )}
    </>
  );
}

/** The parts of the address that a person chooses. */
type Chosen = { readonly span?: SpanName; readonly currency?: string; readonly zone?: string };

/** The sums are up to two seconds old, so a read right after a change misses it. */
const BEHIND_MS = 2_400;

/** Reads again after the first read and after events. Events of a busy shop cause one read in this time. */
function useLater(reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readLater = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, BEHIND_MS);
  }, []);
  useLive((events) => void (mayChangePayments(events) && readLater()));
  useEffect(() => {
    readLater();
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [readLater]);
}

type NumbersProps = { readonly data: HomeData; readonly currency: string; readonly isStale: boolean };

function Numbers({ data, currency, isStale }: NumbersProps) {
  const now = data.now.filter((row) => row.currency === currency);
  const past = data.past.filter((row) => row.currency === currency);
  return (
    <div className="home" aria-busy={isStale}>
      <Volume {...{ data, currency, now, past }} />
      <SmallFigures {...{ data, currency, now, past }} />
      <div className="home-pair">
        <Declines {...{ data, currency }} />
        <Services {...{ data, currency }} />
      </div>
      <p className="home-note">{texts.home.zone(data.clock.zone)}</p>
    </div>
  );
}

type CurrenciesProps = {
  readonly currencies: readonly string[];
  readonly currency: string;
  readonly onChange: (currency: string) => void;
};

function Currencies({ currencies, currency, onChange }: CurrenciesProps) {
  return (
    <select
      className="select currency"
      aria-label={texts.home.currency}
      value={currency}
      onChange={({ target }) => onChange(target.value)}
    >
      {currencies.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

function Nothing() {
  return (
    <Empty
      icon="home"
      title={texts.home.empty}
      actions={
        <Link className="button" to="payments">
          {texts.home.showPayments}
        </Link>
      }
    >
      {texts.home.emptyText}
    </Empty>
  );
}

function Loading() {
  return (
    <div className="home" role="status" aria-label={texts.loading}>
      <section className="card figure-large loading">
        <Bone width={160} />
        <Bone width={260} />
      </section>
      <div className="figures">
        {[120, 90, 140, 110].map((width) => (
          <section key={width} className="card figure-small loading">
            <Bone width={width} />
          </section>
        ))}
      </div>
    </div>
  );
}
