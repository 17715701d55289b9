import { LOCALE, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Chart, Spark } from './chart.tsx';
import type { HomeData, Row } from './query.ts';
import { startsOf } from './span.ts';
import { disputes, payments, rate, refunds, seriesOf, volume, type Measure } from './sums.ts';

/** The rows of one currency, now and in the span before. */
export type Figures = {
  readonly data: HomeData;
  readonly currency: string;
  readonly now: readonly Row[];
  readonly past: readonly Row[];
};

const FORMATS = {
  DAY: { weekday: 'short', day: 'numeric', month: 'short' },
  HOUR: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const;
const SHARE = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const COUNT = new Intl.NumberFormat(LOCALE);

/** Writes a share, 0 to 1. */
export const writeShare = (share: number): string => SHARE.format(share);

/** The captured amount over time, beside the span before. */
export function Volume({ data, currency, now, past }: Figures) {
  const write = (amount: number): string => writeMoney({ amount, currency });
  const { span, before, interval, clock } = data;
  const format = new Intl.DateTimeFormat(LOCALE, { ...FORMATS[interval], timeZone: clock.zone });
  return (
    <section className="card figure-large">
      <Head label={texts.home.volume} measure={volume} {...{ now, past, write }} />
      <Chart
        label={texts.home.volume}
        write={write}
        names={startsOf(span, interval, clock).map((start) => format.format(start))}
        now={seriesOf(now, data, volume)}
        past={seriesOf(past, { ...data, span: before }, volume)}
      />
    </section>
  );
}

/** The share of authorised payments, their number, the refunds and the lost disputes. */
export function SmallFigures({ data, currency, now, past }: Figures) {
  const write = (amount: number): string => writeMoney({ amount, currency });
  const all = [
    { label: texts.home.rate, measure: rate, write: writeShare, isShare: true },
    { label: texts.home.payments, measure: payments, write: (count: number) => COUNT.format(count) },
    { label: texts.home.refunds, measure: refunds, write, isCost: true },
    { label: texts.home.disputes, measure: disputes, write, isCost: true },
  ];
  return (
    <div className="figures">
      {all.map((each) => (
        <section key={each.label} className="card figure-small">
          <Head {...each} now={now} past={past} />
          <Spark series={seriesOf(now, data, each.measure)} />
        </section>
      ))}
    </div>
  );
}

type HeadProps = Pick<Figures, 'now' | 'past'> & {
  readonly label: string;
  readonly measure: Measure;
  readonly write: (value: number) => string;
  /** True if less is better. */
  readonly isCost?: boolean;
  /** True if the value is a share. Its change is in points then. */
  readonly isShare?: boolean;
};

function Head({ label, measure, write, isCost = false, isShare = false, now, past }: HeadProps) {
  const [value, former] = [measure(now), measure(past)];
  return (
    <header className="figure">
      <h2>{label}</h2>
      <p>
        <strong>{value === null ? texts.home.none : write(value)}</strong>
        {value !== null && former !== null && <Change {...{ value, former, write, isCost, isShare }} />}
      </p>
    </header>
  );
}

type ChangeProps = Required<Pick<HeadProps, 'write' | 'isCost' | 'isShare'>> & {
  readonly value: number;
  readonly former: number;
};

/** The change since the span before. Without a former value there is no share. */
function Change({ value, former, write, isCost, isShare }: ChangeProps) {
  const title = texts.home.before(write(former));
  if (former === 0) return <span className="change">{title}</span>;
  const change = isShare ? value - former : value / former - 1;
  const tone = change === 0 ? 'calm' : change > 0 === isCost ? 'bad' : 'good';
  return (
    <span className="change" data-tone={tone} title={title}>
      {change > 0 && '+'}
      {isShare ? texts.home.points(change * 100) : writeShare(change)}{' '}
      <span className="change-before">{title}</span>
    </span>
  );
}
