import { go } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { KINDS, type Filters } from './query.ts';

const { settlements } = texts;

/** Filters the entries by kind and by day. The entries of one payout have no other filter. */
export function EntryFilters({ filters }: { readonly filters: Filters }) {
  if (filters.payout !== '')
    return (
      <div className="payout-note">
        <p>
          {settlements.ofPayout} <span className="mono">{filters.payout}</span>
        </p>
        <Button icon="close" onPress={() => go('settlements')}>
          {settlements.allEntries}
        </Button>
      </div>
    );
  const change = (part: Partial<Filters>): void => {
    const given = Object.entries({ ...filters, ...part }).filter(([, value]) => value !== '');
    go(given.length === 0 ? 'settlements' : `settlements?${new URLSearchParams(given)}`, { replace: true });
  };
  return (
    <div className="filter-fields">
      <SelectField
        label={settlements.column.kind}
        value={filters.kind}
        options={[
          ['', settlements.allKinds],
          ...KINDS.map((kind) => [kind, settlements.kind[kind]] as const),
        ]}
        onChange={(kind) => change({ kind })}
      />
      <TextField
        label={settlements.from}
        type="date"
        value={filters.from}
        onChange={(from) => change({ from })}
      />
      <TextField
        label={settlements.until}
        type="date"
        value={filters.until}
        onChange={(until) => change({ until })}
      />
    </div>
  );
}
