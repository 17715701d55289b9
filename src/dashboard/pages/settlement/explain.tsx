import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { AreaField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { explain, type Entry } from './query.ts';

const { settlements } = texts;

type ExplainProps = { readonly entry: Entry; readonly onChanged: () => void };

/** Leads to the dialog that explains a difference. */
export function ExplainButton(props: ExplainProps) {
  const { difference } = props.entry;
  const [isOpen, setOpen] = useState(false);
  if (!useMay('settlements.write') || difference === null) return null;
  const isNew = difference.explanation === null;
  return (
    <div className="actions">
      <Button icon="pencil" {...(isNew && { look: 'primary' })} onPress={() => setOpen(true)}>
        {isNew ? settlements.explain.open : settlements.explain.again}
      </Button>
      {isOpen && <ExplainDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ExplainDialog({ entry, onChanged, onClose }: ExplainProps & { readonly onClose: () => void }) {
  const { explain: words } = settlements;
  const act = useAct();
  const toast = useToast();
  const [reason, setReason] = useState(entry.difference?.explanation ?? '');
  const finish = (): void => {
    toast('good', words.done);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={words.title}
      act={act}
      submit={words.submit}
      isReady={reason.trim() !== ''}
      summary={[
        [settlements.column.net, <Amount amount={entry.net} currency={entry.currency} />],
        ...(entry.difference
          ? [[words.difference, settlements.difference[entry.difference.reason].short] as const]
          : []),
      ]}
      onSubmit={() => act.run(() => explain(entry.id, reason.trim()), finish)}
      onClose={onClose}
    >
      <p className="quiet">{words.text}</p>
      <AreaField
        label={words.reason}
        hint={words.reasonHint}
        maxLength={500}
        required
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
