import { Button, IconButton } from '../../../design/button.tsx';
import { binder, CheckField, Kept, optionsOf, SelectField, TextField } from '../../../design/form/field.tsx';
import { texts } from '../../../texts/texts.ts';
import { EventNames } from './event-names.tsx';
import type { Header, Values } from './form.ts';

const { form } = texts.webhooks;

type FieldsProps = { readonly values: Values; readonly onChange: (values: Values) => void };

/** The values of an endpoint. Rare ones are folded away. */
export function EndpointFields({ values, onChange }: FieldsProps) {
  const bind = binder(values, onChange);
  return (
    <>
      <TextField
        {...bind('url')}
        label={form.url}
        hint={form.urlHint}
        type="url"
        autoFocus
        required
        maxLength={2000}
        placeholder="https://"
      />
      <TextField {...bind('description')} label={form.description} maxLength={255} />
      <EventNames chosen={values.eventNames} onChange={(eventNames) => onChange({ ...values, eventNames })} />
      <details className="more">
        <summary>{form.more}</summary>
        <SelectField
          {...bind('bodyFormat')}
          label={form.bodyFormat}
          options={optionsOf(form.bodyFormats, ['PAYGRAPH', 'CLOUD_EVENTS'])}
        />
        <Credentials values={values} onChange={onChange} />
        <Headers values={values} onChange={onChange} />
        <CheckField {...bind('autoDisable')} label={form.autoDisable} hint={form.autoDisableHint} />
      </details>
    </>
  );
}

const KEPT = { note: form.kept, replace: form.replace } as const;

function Credentials({ values, onChange }: FieldsProps) {
  const { credentials } = values;
  const set = (next: Values['credentials']): void => onChange({ ...values, credentials: next });
  if (!credentials)
    return <Kept {...KEPT} label={form.credentials} onReplace={() => set({ username: '', password: '' })} />;
  const bind = binder(credentials, set, 'basicAuthentication.');
  return (
    <div className="pair">
      <TextField {...bind('username')} label={form.username} maxLength={255} />
      <TextField
        {...bind('password')}
        label={form.password}
        type="password"
        autoComplete="new-password"
        maxLength={255}
      />
    </div>
  );
}

function Headers({ values, onChange }: FieldsProps) {
  const { headers } = values;
  const set = (next: readonly Header[]): void => onChange({ ...values, headers: next });
  if (!headers) return <Kept {...KEPT} label={form.headers} onReplace={() => set([])} />;
  return (
    <fieldset className="field">
      <legend className="label">{form.headers}</legend>
      {headers.map((header, at) => {
        const bind = binder(header, (next) => set(headers.with(at, next)), `headers.${at}.`);
        return (
          <div key={at} className="header-line">
            <TextField {...bind('name')} label={form.headerName(at + 1)} />
            <TextField {...bind('value')} label={form.headerValue(at + 1)} />
            <IconButton
              icon="trash"
              label={form.removeHeader(at + 1)}
              onPress={() => set(headers.toSpliced(at, 1))}
            />
          </div>
        );
      })}
      <div>
        <Button icon="plus" onPress={() => set([...headers, { name: '', value: '' }])}>
          {form.addHeader}
        </Button>
      </div>
    </fieldset>
  );
}
