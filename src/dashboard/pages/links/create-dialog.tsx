import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { LinkFields } from './fields.tsx';
import { inputOf, NEW } from './form.ts';
import { Preview } from './preview.tsx';
import { createLink } from './query.ts';

const { links } = texts;

type CreateDialogProps = { readonly onClose: () => void; readonly onCreated: (id: string) => void };

/** Creates a payment link, with a sketch of its page beside the values. */
export function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const act = useAct();
  const [values, setValues] = useState(NEW);
  const input = inputOf(values, Date.now());
  return (
    <FormDialog
      title={links.form.title}
      isWide
      act={act}
      submit={links.create}
      isReady={input !== null}
      onSubmit={() => input && act.run((key) => createLink(input, key), onCreated)}
      onClose={onClose}
    >
      <div className="with-preview">
        <div>
          <LinkFields values={values} onChange={setValues} error={act.error} />
        </div>
        <Preview values={values} />
      </div>
    </FormDialog>
  );
}
