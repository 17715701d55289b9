import { useState, type ComponentType, type ReactNode } from 'react';
import { useSaidAct, type Said } from '../../app/data/act.ts';
import { useRead } from '../../app/data/read.ts';
import { go } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/form/field.tsx';
import { ConfirmDialog, FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Bone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import type { Fact } from '../../design/record/facts.tsx';
import { texts } from '../../texts/texts.ts';

const { services } = texts;

/** The form of a new connection, or of a stored one. */
type FormOf<Definition, Service> = { readonly definition: Definition; readonly stored: Service | null };

type FieldsProps<Form, Values> = {
  readonly form: Form;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** A kind of connection: how its values become a new one, or change a stored one. */
export type Kind<Definition, Service, Values> = {
  readonly Fields: ComponentType<FieldsProps<FormOf<Definition, Service>, Values>>;
  readonly isReady: (form: FormOf<Definition, Service>, values: Values) => boolean;
};

type CreateProps<Definition, Service, Values> = Kind<Definition, Service, Values> & {
  readonly readDefinitions: (signal: AbortSignal) => Promise<readonly Definition[]>;
  readonly nameOf: (definition: Definition) => string;
  /** The path of the definition below `input`. */
  readonly path: string;
  /** Chooses the definition of a new form. */
  readonly first: (definitions: readonly Definition[]) => Definition | undefined;
  readonly newValues: (definition: Definition) => Values;
  /** Creates the connection. Returns its id. */
  readonly create: (form: FormOf<Definition, Service>, values: Values, key: string) => Promise<string>;
  readonly said: string;
  readonly list: string;
  /** Stands in for the form without any definition. */
  readonly nothing?: string;
  readonly onClose: () => void;
};

/** Connects a third party. The definition decides about the fields. */
export function CreateDialog<Definition extends { readonly id: string }, Service, Values>(
  props: CreateProps<Definition, Service, Values>,
) {
  const { Fields, path, list, nothing } = props;
  const { data, error } = useRead('definitions', props.readDefinitions);
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState<Values | null>(null);
  const definition = data && (data.find(({ id }) => id === chosen) ?? props.first(data) ?? data[0] ?? null);
  const values = typed ?? (definition && props.newValues(definition));
  const form = definition && { definition, stored: null };
  const choose = (id: string): void => {
    setChosen(id);
    setTyped(null);
  };
  return (
    <FormDialog
      title={services.add}
      isWide
      error={error}
      submit={services.add}
      isReady={form !== null && values !== null && props.isReady(form, values)}
      run={async (key) => form && values && props.create(form, values, key)}
      said={props.said}
      onDone={(id) => go(`${list}/${id}`)}
      onClose={props.onClose}
    >
      {!data && error === null && <Bone width={320} />}
      {data?.length === 0 && nothing && <p className="quiet">{nothing}</p>}
      {data && definition && (
        <SelectField
          label={services.form.definition}
          path={path}
          value={definition.id}
          options={data.map((each) => [each.id, props.nameOf(each)])}
          onChange={choose}
        />
      )}
      {form && values && <Fields form={form} values={values} onChange={setTyped} />}
    </FormDialog>
  );
}

type Stored = {
  readonly id: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly isDeleted: boolean;
};

type EditProps<Definition, Service, Values> = Kind<Definition, Service, Values> &
  DialogProps & {
    readonly service: Service;
    readonly definition: Definition;
    readonly valuesOf: (service: Service) => Values;
    readonly update: (form: FormOf<Definition, Service>, values: Values) => Promise<unknown>;
    readonly said: string;
  };

/** Changes the values of a connection. */
export function EditDialog<Definition, Service extends Stored, Values>(
  props: EditProps<Definition, Service, Values>,
) {
  const { Fields, service, definition, said, onClose, onChanged } = props;
  const form = { definition, stored: service };
  const [values, setValues] = useState(() => props.valuesOf(service));
  return (
    <FormDialog
      title={services.act.editTitle(service.displayName)}
      isWide
      submit={services.act.save}
      isReady={props.isReady(form, values)}
      run={() => props.update(form, values)}
      {...{ said, onClose, onChanged }}
    >
      <Fields form={form} values={values} onChange={setValues} />
    </FormDialog>
  );
}

type ChangesProps = {
  readonly service: Stored;
  readonly list: string;
  /** The effects of a switched off and of a deleted connection. */
  readonly effects: { readonly off: string; readonly delete: string };
  readonly said: { readonly on: string; readonly off: string; readonly deleted: string };
  readonly summary: readonly Fact[];
  /** Draws the dialog that edits the connection. Without it, there is no definition any more. */
  readonly edit?: ((ends: DialogProps) => ReactNode) | null;
  /** Checks the stored credentials with the third party. */
  readonly check?: { readonly name: string; readonly run: () => Promise<Said> } | null;
  readonly update: (input: { readonly active: boolean }) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  readonly onChanged: () => void;
};

/** The buttons that change a connection. */
export function Changes({ service, list, effects, said, summary, edit, check, ...acts }: ChangesProps) {
  const { update, remove, onChanged } = acts;
  const { act: words, off, delete: deletion } = services;
  const [open, setOpen] = useState<'edit' | 'off' | 'delete' | null>(null);
  const { error, run } = useSaidAct(onChanged);
  const ends = { onClose: () => setOpen(null), onChanged };
  return (
    <>
      {error !== null && <Problem error={error} />}
      {edit && (
        <Button icon="pencil" onPress={() => setOpen('edit')}>
          {words.edit}
        </Button>
      )}
      <MoreMenu
        label={words.more}
        items={[
          ...(check
            ? [{ name: check.name, icon: 'shield' as const, act: () => run(check.run, (told) => told) }]
            : []),
          service.active
            ? { name: words.turnOff, icon: 'pause', act: () => setOpen('off') }
            : { name: words.turnOn, icon: 'play', act: () => run(() => update({ active: true }), said.on) },
          { name: words.delete, icon: 'trash', act: () => setOpen('delete'), isDanger: true },
        ]}
      />
      {open === 'edit' && edit?.(ends)}
      {open === 'off' && (
        <ConfirmDialog
          {...{ words: off, text: effects.off, said: said.off, summary, ...ends }}
          run={() => update({ active: false })}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          {...{ words: deletion, text: effects.delete, said: said.deleted, summary, run: remove }}
          onDone={() => go(list, { replace: true })}
          onClose={ends.onClose}
        />
      )}
    </>
  );
}
