import { useState } from 'react';
import type { ResolvedOutcome } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { Button } from '../../design/button.tsx';
import { binder, optionsOf, TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { Amount, writeMoney, type Money } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Unresolved } from './query.ts';

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

type Values = { readonly outcome: ResolvedOutcome; readonly reason: string; readonly reference: string };

/** Records the outcome that a person found at the provider, with the evidence. A repeated request changes nothing. */
function ResolveDialog({ operation, ...ends }: DialogProps & { readonly operation: Open }) {
  const { resolve } = words;
  const { id, kind, amount, currency } = operation;
  const [values, setValues] = useState<Values>({ outcome: 'SUCCEEDED', reason: '', reference: '' });
  const { outcome, reason, reference } = values;
  const bind = binder(values, setValues);
  const input = { outcome, reason: reason.trim(), paymentServiceReference: reference.trim() || null };
  return (
    <FormDialog
      title={resolve.title(words.operation(texts.payment.timeline.kind[kind], writeMoney(operation)))}
      submit={resolve.submit[outcome]}
      look={outcome === 'FAILED' ? 'danger' : 'primary'}
      isReady={input.reason !== ''}
      summary={[
        [resolve.amount, <Amount key="amount" amount={amount} currency={currency} />],
        [resolve.effect, resolve.effects[outcome]],
      ]}
      run={() => api.mutate({ resolveOperation: [{ id, input }, { transactionId: true }] })}
      said={resolve.recorded}
      {...ends}
    >
      <p className="quiet">{resolve.text}</p>
      <Segments
        {...bind('outcome')}
        label={resolve.outcome}
        options={optionsOf(resolve.outcomes, ['SUCCEEDED', 'FAILED'])}
      />
      <TextField
        {...bind('reason')}
        label={resolve.reason}
        hint={resolve.reasonHint}
        maxLength={500}
        required
      />
      <TextField
        {...bind('reference')}
        path="paymentServiceReference"
        label={resolve.reference}
        hint={resolve.referenceHint}
        maxLength={255}
      />
    </FormDialog>
  );
}
