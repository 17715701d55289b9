import { useRead } from '../../app/read.ts';
import { useMay } from '../../app/session-context.tsx';
import { SelectField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { AGES, KINDS, readServices, SOURCES, type Age, type Filters } from './query.ts';

const { differences, payment } = texts;
const { any, field } = differences;

type FieldsProps = {
  readonly filters: Filters;
  readonly onChange: (part: Partial<Filters>) => void;
};

/** Filters the differences by report, operation, payment service and age. */
export function DifferenceFilters({ filters, onChange }: FieldsProps) {
  return (
    <div className="filter-fields four">
      <SelectField
        label={field.source}
        value={filters.source}
        options={[['', any.source], ...SOURCES.map((each) => [each, differences.source[each]] as const)]}
        onChange={(source) => onChange({ source })}
      />
      <SelectField
        label={field.kind}
        value={filters.kind}
        options={[['', any.kind], ...KINDS.map((each) => [each, payment.timeline.kind[each]] as const)]}
        onChange={(kind) => onChange({ kind })}
      />
      {useMay('payment-services.read') && <ServiceField filters={filters} onChange={onChange} />}
      <SelectField
        label={field.age}
        value={filters.age}
        options={[
          ['', any.age],
          ...(Object.keys(AGES) as readonly Age[]).map((each) => [each, differences.age[each]] as const),
        ]}
        onChange={(age) => onChange({ age })}
      />
    </div>
  );
}

function ServiceField({ filters, onChange }: FieldsProps) {
  const services = useRead('services', readServices);
  return (
    <SelectField
      label={field.service}
      value={filters.service}
      options={[
        ['', any.service],
        ...(services.data ?? []).map(({ id, displayName }) => [id, displayName] as const),
      ]}
      onChange={(service) => onChange({ service })}
    />
  );
}
