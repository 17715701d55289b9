import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { useRead } from '../../app/read.ts';
import { SelectField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Bone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { ServiceFields } from './fields.tsx';
import { createInput, isReady, newValues, type Values } from './form.ts';
import { createService, readDefinitions } from './query.ts';

const { services: words } = texts;

type CreateDialogProps = {
  /** True if another service judges payments. */
  readonly hasActive: boolean;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
};

/** Connects an anti-fraud service. The definition decides about the fields. */
export function CreateDialog({ hasActive, onClose, onCreated }: CreateDialogProps) {
  const act = useAct();
  const { data, error } = useRead('definitions', readDefinitions);
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState<Values | null>(null);
  const definition = data?.find(({ id }) => id === chosen) ?? data?.[0] ?? null;
  const values = typed ?? (definition && newValues(definition, hasActive));
  const form = definition && { definition, stored: null };
  const choose = (id: string): void => {
    setChosen(id);
    setTyped(null);
  };
  return (
    <FormDialog
      title={words.add}
      isWide
      act={error === null ? act : { ...act, error }}
      submit={words.add}
      isReady={form !== null && values !== null && isReady(form, values)}
      onSubmit={() =>
        form && values && act.run((key) => createService(createInput(form, values), key), onCreated)
      }
      onClose={onClose}
    >
      {!data && error === null && <Bone width={320} />}
      {data?.length === 0 && <p className="quiet">{texts.antiFraud.form.noDefinition}</p>}
      {data && definition && (
        <SelectField
          label={words.form.definition}
          mistake={mistakeAt(act.error, 'antiFraudServiceDefinitionId')}
          value={definition.id}
          options={data.map(({ id, displayName }) => [id, displayName])}
          onChange={choose}
        />
      )}
      {form && values && <ServiceFields form={form} values={values} onChange={setTyped} error={act.error} />}
    </FormDialog>
  );
}
