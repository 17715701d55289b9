import { useId } from 'react';

type SegmentsProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, shown: string])[];
  readonly onChange: (value: Value) => void;
};

/** One of a few values, side by side. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map(([each, shown]) => (
        <label key={each}>
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          {shown}
        </label>
      ))}
    </div>
  );
}
