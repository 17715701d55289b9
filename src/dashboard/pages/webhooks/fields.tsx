import { mistakeAt } from '../../app/mistakes.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { CheckField, SelectField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { EventNames } from './event-names.tsx';
import type { Header, Values } from './form.ts';

const { form } = texts.webhooks;

export type FieldsProps = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

/** The values of an endpoint. Rare ones are folded away. */
export function EndpointFields({ values, onChange, error }: FieldsProps) {
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  return (
    <>
      <TextField
        label={form.url}
        hint={form.urlHint}
        mistake={mistakeAt(error, 'url')}
        type="url"
        autoFocus
        required
        maxLength={2000}
        placeholder="https://"
        value={values.url}
        onChange={(url) => set({ url })}
      />
      <TextField
        label={form.description}
        maxLength={255}
        value={values.description}
        onChange={(description) => set({ description })}
      />
      <EventNames chosen={values.eventNames} onChange={(eventNames) => set({ eventNames })} />
      <details className="more">
        <summary>{form.more}</summary>
        <SelectField
          label={form.bodyFormat}
          value={values.bodyFormat}
          options={[
            ['PAYGRAPH', form.bodyFormats.PAYGRAPH],
            ['CLOUD_EVENTS', form.bodyFormats.CLOUD_EVENTS],
          ]}
          onChange={(bodyFormat) => set({ bodyFormat })}
        />
        <Credentials values={values} onChange={onChange} error={error} />
        <Headers values={values} onChange={onChange} error={error} />
        <CheckField
          label={form.autoDisable}
          hint={form.autoDisableHint}
          isChecked={values.autoDisable}
          onChange={(autoDisable) => set({ autoDisable })}
        />
      </details>
    </>
  );
}

function Credentials({ values, onChange, error }: FieldsProps) {
  const { credentials } = values;
  const set = (next: Values['credentials']): void => onChange({ ...values, credentials: next });
  if (!credentials)
    return <Kept label={form.credentials} onReplace={() => set({ username: '', password: '' })} />;
  return (
    <div className="pair">
      <TextField
        label={form.username}
        mistake={mistakeAt(error, 'basicAuthentication.username')}
        maxLength={255}
        value={credentials.username}
        onChange={(username) => set({ ...credentials, username })}
      />
      <TextField
        label={form.password}
        type="password"
        autoComplete="new-password"
        maxLength={255}
        value={credentials.password}
        onChange={(password) => set({ ...credentials, password })}
      />
    </div>
  );
}

/** A secret value that the form does not know. */
const Kept = ({ label, onReplace }: { readonly label: string; readonly onReplace: () => void }) => (
  <div className="kept">
    <span>
      {label} <span className="quiet">{form.kept}</span>
    </span>
    <Button onPress={onReplace}>{form.replace}</Button>
  </div>
);

function Headers({ values, onChange, error }: FieldsProps) {
  const { headers } = values;
  const set = (next: readonly Header[]): void => onChange({ ...values, headers: next });
  if (!headers) return <Kept label={form.headers} onReplace={() => set([])} />;
  const change = (index: number, part: Partial<Header>): void =>
    set(headers.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <fieldset className="field">
      <legend className="label">{form.headers}</legend>
      {headers.map((header, index) => (
        <div key={index} className="header-line">
          <TextField
            label={form.headerName(index + 1)}
            mistake={mistakeAt(error, `headers.${index}.name`)}
            value={header.name}
            onChange={(name) => change(index, { name })}
          />
          <TextField
            label={form.headerValue(index + 1)}
            mistake={mistakeAt(error, `headers.${index}.value`)}
            value={header.value}
            onChange={(value) => change(index, { value })}
          />
          <IconButton
            icon="trash"
            label={form.removeHeader(index + 1)}
            onPress={() => set(headers.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" onPress={() => set([...headers, { name: '', value: '' }])}>
          {form.addHeader}
        </Button>
      </div>
    </fieldset>
  );
}
