import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { AreaField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Entry } from './entry.ts';

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

function ExplainDialog({ entry, ...ends }: ExplainProps & DialogProps) {
  const { explain: words } = settlements;
  const { difference } = entry;
  const [reason, setReason] = useState(difference?.explanation ?? '');
  const given = { id: entry.id, reason: reason.trim() };
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      isReady={given.reason !== ''}
      summary={[
        [settlements.column.net, <Amount amount={entry.net} currency={entry.currency} />],
        ...(difference ? [[words.difference, settlements.difference[difference.reason].short] as const] : []),
      ]}
      run={() => api.mutate({ explainSettlementDifference: [given, { difference: { id: true } }] })}
      said={words.done}
      {...ends}
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
