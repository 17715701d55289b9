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
import { createService, readDefinitions, type Definition, type Row } from './query.ts';
import { methodName } from './words.ts';

const { services: words } = texts;

type CreateDialogProps = {
  /** A service whose currencies and countries the form begins with. */
  readonly example: Row | undefined;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
};

/** Connects a provider. The definition decides about the fields. */
export function CreateDialog({ example, onClose, onCreated }: CreateDialogProps) {
  const act = useAct();
  const { data, error } = useRead('definitions', readDefinitions);
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState<Values | null>(null);
  const definition = definitionOf(data, chosen, example);
  const values = typed ?? (definition && newValues(definition, example));
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
      {data && definition && (
        <SelectField
          label={words.form.definition}
          mistake={mistakeAt(act.error, 'paymentServiceDefinitionId')}
          value={definition.id}
          options={data.map((each) => [
            each.id,
            words.form.definitionOf(each.displayName, methodName(each.method)),
          ])}
          onChange={choose}
        />
      )}
      {form && values && <ServiceFields form={form} values={values} onChange={setTyped} error={act.error} />}
    </FormDialog>
  );
}

/** Returns the chosen definition. The form begins with a card's definition, if there is one. */
function definitionOf(
  definitions: readonly Definition[] | null,
  chosen: string | null,
  example: Row | undefined,
): Definition | null {
  const all = definitions ?? [];
  const wished = chosen ?? example?.paymentServiceDefinitionId;
  return all.find(({ id }) => id === wished) ?? all.find(({ method }) => method === 'card') ?? all[0] ?? null;
}
