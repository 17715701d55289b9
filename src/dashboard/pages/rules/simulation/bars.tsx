import { LOCALE } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';

const { routingSimulations: words } = texts;

const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

/** Writes a count, or an expected number with one decimal. */
export const writeNumber = (number: number): string => NUMBER.format(number);

type Row = readonly [name: string, then: number, now: number];

type BarsProps = {
  readonly title: string;
  /** The number of payments of a full bar. */
  readonly most: number;
  readonly rows: readonly Row[];
};

/** Two bars for each row: the past, and the simulation. The numbers beside them say the same. */
export const Bars = ({ title, most, rows }: BarsProps) => (
  <div className="simulated">
    <h3>{title}</h3>
    <ul className="simulated-bars">
      {rows.map(([name, then, now]) => (
        <li key={name}>
          <strong>{name}</strong>
          <Bar label={words.then} value={then} most={most} look="then" />
          <Bar label={words.now} value={now} most={most} look="now" />
        </li>
      ))}
    </ul>
  </div>
);

type BarProps = {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly look: 'then' | 'now';
};

const Bar = ({ label, value, most, look }: BarProps) => (
  <div className="simulated-bar" data-look={look}>
    <span className="quiet">{label}</span>
    <span className="track">
      <span style={{ width: `${most === 0 ? 0 : Math.min(100, (value / most) * 100)}%` }} />
    </span>
    <span className="count">{writeNumber(value)}</span>
  </div>
);
