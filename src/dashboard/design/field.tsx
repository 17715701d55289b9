import { useId, type InputHTMLAttributes, type ReactNode } from 'react';

type FrameProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The sentence about a wrong value. */
  readonly mistake?: string | null | undefined;
};

type Control = Pick<InputHTMLAttributes<Element>, 'id' | 'aria-describedby' | 'aria-invalid'>;

/** A labelled control with its hint, and with the sentence about a wrong value. */
export function Field(props: FrameProps & { readonly children: (control: Control) => ReactNode }) {
  const { label, hint, mistake = null, children } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, mistake !== null && `${id}-mistake`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': mistake !== null,
        ...(described !== '' && { 'aria-describedby': described }),
      })}
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      <span id={`${id}-mistake`} className="mistake" role="alert">
        {mistake}
      </span>
    </div>
  );
}

type Native = 'type' | 'inputMode' | 'maxLength' | 'placeholder' | 'autoFocus' | 'autoComplete' | 'required';

type TextProps = FrameProps &
  Pick<InputHTMLAttributes<Element>, Native> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

/** A line of text. */
export function TextField({ label, hint, mistake, value, onChange, ...native }: TextProps) {
  return (
    <Field label={label} hint={hint} mistake={mistake}>
      {(control) => (
        <input
          autoComplete="off"
          {...native}
          {...control}
          className="input"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text, such as a key in PEM. */
export function AreaField({ label, hint, mistake, value, onChange, ...native }: TextProps) {
  const { maxLength, placeholder, required } = native;
  return (
    <Field label={label} hint={hint} mistake={mistake}>
      {(control) => (
        <textarea
          {...{ maxLength, placeholder, required }}
          {...control}
          className="input area"
          rows={4}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

type SelectProps<Value extends string> = FrameProps & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, shown: string])[];
  readonly onChange: (value: Value) => void;
};

/** One of several values. */
export function SelectField<Value extends string>({
  options,
  value,
  onChange,
  ...frame
}: SelectProps<Value>) {
  return (
    <Field {...frame}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={value}
          onChange={({ target }) => {
            const chosen = options.find(([each]) => each === target.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([each, shown]) => (
            <option key={each} value={each}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckProps = {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

/** A value that is true or false. */
export function CheckField({ label, hint, isChecked, onChange }: CheckProps) {
  return (
    <label className="choice">
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {label} {hint && <span className="quiet">{hint}</span>}
      </span>
    </label>
  );
}
