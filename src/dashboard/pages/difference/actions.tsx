import { useState } from 'react';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { AdoptDialog } from './adopt-dialog.tsx';
import { DismissDialog } from './dismiss-dialog.tsx';
import type { Difference } from './query.ts';

const { differences } = texts;

type ActionsProps = { readonly difference: Difference; readonly onChanged: () => void };

/** The ends of an open difference that the person's role allows. The API decides again. */
export function Actions({ difference, onChanged }: ActionsProps) {
  const [open, setOpen] = useState<'adopt' | 'dismiss' | null>(null);
  const props = { difference, onClose: () => setOpen(null), onChanged };
  if (!useMay('transactions.write') || difference.state !== 'OPEN') return null;
  return (
    <div className="actions">
      <Button icon="cancel" onPress={() => setOpen('dismiss')}>
        {differences.dismiss.open}
      </Button>
      {difference.adoption !== null && (
        <Button icon="tick" look="primary" onPress={() => setOpen('adopt')}>
          {differences.adopt.open}
        </Button>
      )}
      {open === 'adopt' && difference.adoption !== null && (
        <AdoptDialog {...props} adoption={difference.adoption} />
      )}
      {open === 'dismiss' && <DismissDialog {...props} />}
    </div>
  );
}
