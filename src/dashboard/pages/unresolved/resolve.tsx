import { useState } from 'react';
import type { ResolvedOutcome, ResolveOperationInput } from '../../../client/generated/schema.ts';
import { useAct } from '../../app/act.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Segments } from '../../design/segments.tsx';
import { useToast } from '../../design/toast.tsx';
import { Amount, writeMoney, type Money } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { resolveOperation, type Unresolved } from './query.ts';

const { unresolved: words } = texts;

/** The operation of a dialog. */
type Open = Pick<Unresolved, 'id' | 'kind'> & Money;

type ResolveProps = { readonly operation: Open; readonly onChanged: () => void };

/** Leads to the dialog that records an outcome. */
export function ResolveButton(props: ResolveProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="tick" onPress={() => setOpen(true)}>
        {words.resolve.open}
      </Button>
      {isOpen && <ResolveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

type ResolveDialogProps = ResolveProps & { readonly onClose: () => void };

/** Records the outcome that a person found at the provider, with the evidence. */
function ResolveDialog({ operation, onChanged, onClose }: ResolveDialogProps) {
  const { resolve } = words;
  const act = useAct();
  const toast = useToast();
  const [values, setValues] = useState<Values>({ outcome: 'SUCCEEDED', reason: '', reference: '' });
  const { outcome } = values;
  const finish = (): void => {
    toast('good', resolve.recorded);
    onChanged();
    onClose();
  };
  const shown = words.operation(texts.payment.timeline.kind[operation.kind], writeMoney(operation));
  return (
    <FormDialog
      title={resolve.title(shown)}
      act={act}
      submit={resolve.submit[outcome]}
      look={outcome === 'FAILED' ? 'danger' : 'primary'}
      isReady={values.reason.trim() !== ''}
      summary={[
        [resolve.amount, <Amount key="amount" amount={operation.amount} currency={operation.currency} />],
        [resolve.effect, resolve.effects[outcome]],
      ]}
      onSubmit={() => act.run(() => resolveOperation(operation.id, inputOf(values)), finish)}
      onClose={onClose}
    >
      <p className="quiet">{resolve.text}</p>
      <Fields values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}

type Values = { readonly outcome: ResolvedOutcome; readonly reason: string; readonly reference: string };

const inputOf = ({ outcome, reason, reference }: Values): ResolveOperationInput => ({
  ...{ outcome, reason: reason.trim() },
  paymentServiceReference: reference.trim() || null,
});

type FieldsProps = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

function Fields({ values, onChange, error }: FieldsProps) {
  const { resolve } = words;
  return (
    <>
      <Segments
        label={resolve.outcome}
        value={values.outcome}
        options={[
          ['SUCCEEDED', resolve.outcomes.SUCCEEDED],
          ['FAILED', resolve.outcomes.FAILED],
        ]}
        onChange={(outcome) => onChange({ ...values, outcome })}
      />
      <TextField
        label={resolve.reason}
        hint={resolve.reasonHint}
        mistake={mistakeAt(error, 'reason')}
        maxLength={500}
        required
        value={values.reason}
        onChange={(reason) => onChange({ ...values, reason })}
      />
      <TextField
        label={resolve.reference}
        hint={resolve.referenceHint}
        mistake={mistakeAt(error, 'paymentServiceReference')}
        maxLength={255}
        value={values.reference}
        onChange={(reference) => onChange({ ...values, reference })}
      />
    </>
  );
}
