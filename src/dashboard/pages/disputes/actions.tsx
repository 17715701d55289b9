import { useState } from 'react';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/form/form-dialog.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { EvidenceDialog } from './evidence-dialog.tsx';
import { acceptDispute, type Dispute } from './query.ts';
import { isDue } from './state.tsx';
import { isUnderWay, sayOutcome, supports, type RespondProps } from './words.ts';

const { accept, act } = texts.disputes;

type ActionsProps = { readonly dispute: Dispute; readonly onChanged: () => void };

/** The responses that the dispute's state, its provider and the person's role allow. The API decides again. */
export function Actions({ dispute, onChanged }: ActionsProps) {
  const [open, setOpen] = useState<'evidence' | 'accept' | null>(null);
  const props = { dispute, onClose: () => setOpen(null), onChanged };
  if (!useMay('disputes.write') || !isDue(dispute) || isUnderWay(dispute)) return null;
  return (
    <div className="actions">
      {supports(dispute, 'dispute_acceptance') && (
        <Button icon="cancel" look="danger" onPress={() => setOpen('accept')}>
          {act.accept}
        </Button>
      )}
      {supports(dispute, 'dispute_evidence') && (
        <Button icon="send" look="primary" onPress={() => setOpen('evidence')}>
          {act.evidence}
        </Button>
      )}
      {open === 'accept' && <AcceptDialog {...props} />}
      {open === 'evidence' && <EvidenceDialog {...props} />}
    </div>
  );
}

/** Gives the disputed money up after a summary. */
const AcceptDialog = ({ dispute, ...ends }: RespondProps) => (
  <ConfirmDialog
    words={accept}
    text={accept.text}
    summary={[
      [accept.amount, <Amount {...dispute} />],
      [accept.reason, texts.disputes.reason[dispute.reason]],
    ]}
    run={(key) => acceptDispute(dispute.id, key)}
    said={(outcome) => sayOutcome(outcome, accept.done)}
    {...ends}
  />
);
