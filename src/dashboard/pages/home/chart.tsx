import { useId, useState, type PointerEvent } from 'react';
import { texts } from '../../texts/texts.ts';

type Series = readonly (number | null)[];

type ChartProps = {
  readonly label: string;
  readonly now: Series;
  readonly past: Series;
  /** The name of each point. */
  readonly names: readonly string[];
  readonly write: (value: number) => string;
};

/** The height of the drawing in its own units. The width stretches. */
const HEIGHT = 100;

/** The values of a span as an area, with the span before as a dashed line. Screen readers get a table. */
export function Chart({ label, now, past, names, write }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const fill = useId();
  const most = Math.max(1, ...[...now, ...past].map((value) => value ?? 0));
  const last = Math.max(1, Math.max(now.length, past.length) - 1);
  const look = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(now.length - 1, Math.round(((clientX - left) / width) * last))));
  };
  const scale = { most, last };
  return (
    <figure className="chart">
      <div className="chart-plot" onPointerMove={look} onPointerLeave={() => setAt(null)}>
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <defs>
            <linearGradient id={fill} x1="0" x2="0" y1="0" y2="1">
              <stop offset="0" className="chart-top" />
              <stop offset="1" className="chart-bottom" />
            </linearGradient>
          </defs>
          <path d={`${pathOf(now, scale)} V${HEIGHT} H0 Z`} fill={`url(#${fill})`} />
          <path d={pathOf(past, scale)} className="chart-past" />
          <path d={pathOf(now, scale)} className="chart-line" />
        </svg>
        {at !== null && <Tip at={at} {...{ now, past, names, write, scale }} />}
      </div>
      <figcaption>
        <span>{names[0]}</span>
        <span>{names.at(-1)}</span>
      </figcaption>
      <Table {...{ label, now, past, names, write }} />
    </figure>
  );
}

type Scale = { readonly most: number; readonly last: number };

const yOf = (value: number | null, { most }: Scale): number =>
  HEIGHT - 4 - ((value ?? 0) / most) * (HEIGHT - 10);

/** Draws a line through the values. An interval without a value is passed over. */
function pathOf(series: Series, scale: Scale): string {
  const points = series.flatMap((value, index) =>
    value === null ? [] : [`${((index / scale.last) * 100).toFixed(2)},${yOf(value, scale).toFixed(2)}`],
  );
  return points.length === 0 ? '' : `M${points.join(' L')}`;
}

type TipProps = Omit<ChartProps, 'label'> & { readonly at: number; readonly scale: Scale };

/** The values under the pointer. */
function Tip({ at, now, past, names, write, scale }: TipProps) {
  const left = `${(at / scale.last) * 100}%`;
  const top = `${yOf(now[at] ?? null, scale)}%`;
  return (
    <>
      <div className="chart-mark" style={{ left }} />
      <div className="chart-point" style={{ left, top }} />
      <div className="chart-tip" style={{ left }} data-side={at > scale.last / 2 ? 'left' : 'right'}>
        <strong>{write(now[at] ?? 0)}</strong>
        <span>{names[at]}</span>
        <span className="quiet">{texts.home.before(write(past[at] ?? 0))}</span>
      </div>
    </>
  );
}

function Table({ label, now, past, names, write }: ChartProps) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.home.time}</th>
            <th scope="col">{label}</th>
            <th scope="col">{texts.home.spanBefore}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, index) => (
            // A long day has the name of an hour twice.
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>{write(now[index] ?? 0)}</td>
              <td>{write(past[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A small line of values beside a number, which says the same. */
export function Spark({ series }: { readonly series: Series }) {
  const most = Math.max(1e-9, ...series.map((value) => value ?? 0));
  const scale = { most, last: Math.max(1, series.length - 1) };
  return (
    <svg className="spark" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={pathOf(series, scale)} className="chart-line" />
    </svg>
  );
}
