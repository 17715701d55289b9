import { useState } from 'react';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { isDue } from '../disputes/state.tsx';
import { AcceptDialog } from './accept-dialog.tsx';
import { EvidenceDialog } from './evidence-dialog.tsx';
import type { Dispute } from './query.ts';
import { isUnderWay, supports } from './words.ts';

type ActionsProps = { readonly dispute: Dispute; readonly onChanged: () => void };

/** The responses that the dispute's state, its provider and the person's role allow. The API decides again. */
export function Actions({ dispute, onChanged }: ActionsProps) {
  const { act } = texts.disputes;
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
