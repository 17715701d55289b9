import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useRead } from '../../app/read.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { approve, readLeft, reject, withdraw, type RefundRequest } from './query.ts';

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

function OwnRequest({ request: { id }, onChanged }: DecideProps) {
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', words.withdraw.done);
    onChanged();
  };
  return (
    <>
      <p>{words.ownText}</p>
      {act.error !== null && <Problem error={act.error} />}
      <div className="actions">
        <Button icon="cancel" isDisabled={act.isRunning} onPress={() => act.run(() => withdraw(id), finish)}>
          {words.withdraw.open}
        </Button>
      </div>
    </>
  );
}

type DialogProps = DecideProps & { readonly onClose: () => void };

function ApproveDialog({ request, onChanged, onClose }: DialogProps) {
  const { approve: say } = words;
  const act = useAct();
  const toast = useToast();
  const left = useRead(`left ${request.transactionId}`, (signal) => readLeft(request.transactionId, signal));
  const finish = (status: string): void => {
    if (status === 'DECLINED' || status === 'FAILED') toast('bad', say.declined);
    else toast('good', status === 'SUCCEEDED' ? say.done(writeMoney(request)) : say.pending);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={say.title(writeMoney(request))}
      act={act}
      submit={say.submit(writeMoney(request))}
      summary={[
        [say.goes, <Amount key="amount" amount={request.amount} currency={request.currency} />],
        ...(left.data
          ? [
              [
                say.left,
                <Amount key="left" {...left.data} amount={left.data.amount - request.amount} />,
              ] as const,
            ]
          : []),
        [say.requester, request.requestedBy],
        ...(request.reason === null ? [] : [[say.reason, request.reason] as const]),
      ]}
      onSubmit={() => act.run(() => approve(request.id), finish)}
      onClose={() => {
        // The payment may have refused the refund, which ends the request.
        if (act.error !== null) onChanged();
        onClose();
      }}
    >
      <p className="quiet">{say.text}</p>
    </FormDialog>
  );
}

function RejectDialog({ request, onChanged, onClose }: DialogProps) {
  const { reject: say } = words;
  const act = useAct();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const finish = (): void => {
    toast('good', say.done);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={say.title(writeMoney(request))}
      act={act}
      submit={say.submit}
      look="danger"
      isReady={reason.trim() !== ''}
      onSubmit={() => act.run(() => reject(request.id, reason.trim()), finish)}
      onClose={onClose}
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
