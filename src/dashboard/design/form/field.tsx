import { createContext, useContext, useId, type InputHTMLAttributes, type ReactNode } from 'react';
import { mistakeAt } from '../../app/data/mistakes.ts';
import { Button } from '../button.tsx';

type FrameProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The sentence about a wrong value. Without one, the field has the sentence of the API about its path. */
  readonly mistake?: string | null | undefined;
  /** The path of the value below `input`. */
  readonly path?: string | undefined;
};

/** The refusal of the form around a field. */
export const FormError = createContext<unknown>(null);

/** Returns the sentence of the API about one value of the form. Null without one. */
export const useMistake = (path: string | undefined): string | null =>
  mistakeAt(useContext(FormError), path ?? '');

/** Binds fields to the values of a form, each with its path. */
export const binder =
  <Values extends object>(values: Values, onChange: (values: Values) => void, root = '') =>
  <Name extends keyof Values & string>(name: Name) => ({
    path: root + name,
    value: values[name],
    onChange: (value: Values[Name]) => onChange({ ...values, [name]: value }),
  });

/** Lists the options of a select from the words of all, in the order of the names. */
export const optionsOf = <const Name extends string>(
  words: Readonly<Record<Name, string>>,
  names: readonly Name[] = Object.keys(words) as Name[],
): readonly (readonly [value: Name, shown: string])[] => names.map((name) => [name, words[name]]);

type Control = Pick<InputHTMLAttributes<Element>, 'id' | 'aria-describedby' | 'aria-invalid'>;

/** A labelled control with its hint, and with the sentence about a wrong value. */
export function Field(props: FrameProps & { readonly children: (control: Control) => ReactNode }) {
  const { label, hint, path, children } = props;
  const refused = useMistake(path);
  const mistake = props.mistake ?? refused;
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
export function TextField({ label, hint, mistake, path, value, onChange, ...native }: TextProps) {
  return (
    <Field {...{ label, hint, mistake, path }}>
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
export function AreaField({ label, hint, mistake, path, value, onChange, ...native }: TextProps) {
  const { maxLength, placeholder, required } = native;
  return (
    <Field {...{ label, hint, mistake, path }}>
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
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
};

/** A stored secret, which never shows and may be replaced. */
export const Kept = ({ label, note, replace, onReplace }: KeptProps) => (
  <div className="kept">
    <span>
      {label} <span className="quiet">{note}</span>
    </span>
    <Button onPress={onReplace}>{replace}</Button>
  </div>
);

type KeptProps = {
  readonly label: string;
  readonly note: string;
  readonly replace: string;
  readonly onReplace: () => void;
};

/** A value that is true or false. */
export function CheckField({ label, hint, value, onChange }: CheckProps) {
  return (
    <label className="choice">
      <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {label} {hint && <span className="quiet">{hint}</span>}
      </span>
    </label>
  );
}
