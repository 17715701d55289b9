import type { ReactNode } from 'react';

/** A label with its value. */
export type Fact = readonly [label: string, value: ReactNode];

const isGiven = ([, value]: Fact): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

type FactsProps = { readonly title: string; readonly facts: readonly Fact[]; readonly children?: ReactNode };

/** A card of facts. */
export function Facts({ title, facts, children }: FactsProps) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {children}
      </header>
      <FactList facts={facts} />
    </section>
  );
}

/** The facts of a card or of a row. A fact without a value is left out. */
export const FactList = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    <Pairs facts={facts.filter(isGiven)} />
  </dl>
);

/** The effect of an act, before it is carried out. */
export const Summary = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="summary">
    <Pairs facts={facts} />
  </dl>
);

const Pairs = ({ facts }: { readonly facts: readonly Fact[] }) =>
  facts.map(([label, value]) => (
    <div key={label}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  ));
