import { useState } from 'react';
import { useRead } from '../../app/data/read.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/form/dialog.tsx';
import { binder, TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { Bone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { CodeList } from '../../design/record/code.tsx';
import { texts } from '../../texts/texts.ts';
import { PresentPassword } from './dialogs.tsx';
import { readCodesOffer, renewCodes, type CodesOffer } from './query.ts';

const { ownAccount: words } = texts;
const { join } = texts.signIn;

/** Replaces the shared secret of the one-time codes, and shows the new recovery codes once. */
export function CodesDialog({ onClose, onChanged }: DialogProps) {
  const { data: offer, error } = useRead('codes offer', readCodesOffer);
  const [values, setValues] = useState({ present: '', code: '' });
  const [renewed, setRenewed] = useState<readonly string[] | null>(null);
  const bind = binder(values, setValues);
  const { present, code } = values;
  if (renewed) return <NewCodes codes={renewed} onClose={onClose} />;
  return (
    <FormDialog
      title={words.codes.renew}
      submit={words.codes.renew}
      isWide
      isReady={offer !== null && present !== '' && code !== ''}
      run={async () => offer && renewCodes(offer, present, code)}
      said={words.codes.done}
      onDone={setRenewed}
      {...{ onClose, onChanged }}
    >
      <p className="quiet">
        {words.codes.text} {words.others}
      </p>
      {error !== null && <Problem error={error} />}
      {offer ? <Secret {...offer} /> : <Bone width={280} />}
      <TextField
        {...bind('code')}
        label={texts.signIn.code}
        hint={join.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
      />
      <PresentPassword {...bind('present')} />
    </FormDialog>
  );
}

const Secret = ({ totpSecret, totpAddress }: CodesOffer) => (
  <div className="totp">
    <QrCode text={totpAddress} label={join.scan} ecc="M" />
    <div>
      <p>{join.scan}</p>
      <p className="hint quiet">
        {join.key} <code>{totpSecret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
    </div>
  </div>
);

type NewCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void };

const NewCodes = ({ codes, onClose }: NewCodesProps) => (
  <Dialog
    title={join.codesTitle}
    onClose={onClose}
    foot={
      <Button look="primary" onPress={onClose}>
        {join.done}
      </Button>
    }
  >
    <p className="quiet">{join.codesLead}</p>
    <CodeList codes={codes} />
  </Dialog>
);
