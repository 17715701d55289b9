import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { useRead } from '../../app/data/read.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { RefundRequest } from './query.ts';

const { refundRequests: words } = texts;

type DecideProps = { readonly request: RefundRequest; readonly onChanged: () => void };

/** The decisions that the person may take about a waiting request. The API decides again. */
export function Decisions(props: DecideProps) {
  const { status, requestedByViewer } = props.request;
  const [open, setOpen] = useState<'approve' | 'reject' | null>(null);
  const mayDecide = useMay('refund-approvals.write');
  const close = (): void => setOpen(null);
  if (status !== 'PENDING') return null;
  if (requestedByViewer) return <OwnRequest {...props} />;
  if (!mayDecide) return null;
  return (
    <div className="actions">
      <Button icon="cancel" onPress={() => setOpen('reject')}>
        {words.reject.open}
      </Button>
      <Button icon="tick" look="primary" onPress={() => setOpen('approve')}>
        {words.approve.open}
      </Button>
      {open === 'approve' && <ApproveDialog {...props} onClose={close} />}
      {open === 'reject' && <RejectDialog {...props} onClose={close} />}
    </div>
  );
}

const OwnRequest = ({ request: { id }, onChanged }: DecideProps) => (
  <>
    <p>{words.ownText}</p>
    <div className="actions">
      <ActButton
        icon="cancel"
        run={() => api.mutate({ withdrawRefund: [{ id }, { approval: { id: true } }] })}
        said={words.withdraw.done}
        onDone={onChanged}
      >
        {words.withdraw.open}
      </ActButton>
    </div>
  </>
);

const REFUNDABLE = { refundable: { amount: true, currency: true } } as const;

/** Reads the amount that is left to refund of a payment. Null without such a payment. */
async function readLeft(id: string, signal: AbortSignal) {
  const { transaction } = await api.query({ transaction: [{ id }, REFUNDABLE] }, { signal });
  return transaction && transaction.refundable;
}

type DecisionProps = DialogProps & { readonly request: RefundRequest };

function ApproveDialog({ request, ...ends }: DecisionProps) {
  const { approve: say } = words;
  const { id, transactionId, amount, requestedBy, reason } = request;
  const { data: left } = useRead(`left ${transactionId}`, (signal) => readLeft(transactionId, signal));
  const shown = writeMoney(request);
  return (
    <FormDialog
      title={say.title(shown)}
      submit={say.submit(shown)}
      summary={[
        [say.goes, <Amount key="amount" amount={amount} currency={request.currency} />],
        ...(left ? [[say.left, <Amount key="left" {...left} amount={left.amount - amount} />] as const] : []),
        [say.requester, requestedBy],
        ...(reason === null ? [] : [[say.reason, reason] as const]),
      ]}
      // A repeated request makes no second refund.
      run={() => api.mutate({ approveRefund: [{ id }, { refund: { status: true } }] })}
      said={({ approveRefund: { refund } }) => {
        if (refund?.status === 'DECLINED' || refund?.status === 'FAILED') return ['bad', say.declined];
        return refund?.status === 'SUCCEEDED' ? say.done(shown) : say.pending;
      }}
      {...ends}
    >
      <p className="quiet">{say.text}</p>
    </FormDialog>
  );
}

function RejectDialog({ request, ...ends }: DecisionProps) {
  const { reject: say } = words;
  const [reason, setReason] = useState('');
  const given = { id: request.id, reason: reason.trim() };
  return (
    <FormDialog
      title={say.title(writeMoney(request))}
      submit={say.submit}
      look="danger"
      isReady={given.reason !== ''}
      run={() => api.mutate({ rejectRefund: [given, { approval: { id: true } }] })}
      said={say.done}
      {...ends}
    >
      <p className="quiet">{say.text}</p>
      <TextField
        label={say.reason}
        hint={say.reasonHint}
        maxLength={100}
        required
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
