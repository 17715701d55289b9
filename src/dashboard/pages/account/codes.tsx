import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useRead } from '../../app/read.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Bone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { PresentPassword } from './password.tsx';
import { readCodesOffer, renewCodes, type CodesOffer } from './query.ts';

const { ownAccount: words } = texts;
const { join } = texts.signIn;

type CodesProps = { readonly onClose: () => void; readonly onChanged: () => void };

/** Replaces the shared secret of the one-time codes, and shows the new recovery codes once. */
export function CodesDialog({ onClose, onChanged }: CodesProps) {
  const act = useAct();
  const toast = useToast();
  const { data: offer, error } = useRead('codes offer', readCodesOffer);
  const [present, setPresent] = useState('');
  const [code, setCode] = useState('');
  const [renewed, setRenewed] = useState<readonly string[] | null>(null);
  const finish = (codes: readonly string[]): void => {
    toast('good', words.codes.done);
    setRenewed(codes);
    onChanged();
  };
  if (renewed) return <NewCodes codes={renewed} onClose={onClose} />;
  return (
    <FormDialog
      title={words.codes.renew}
      act={act}
      submit={words.codes.renew}
      isWide
      isReady={offer !== null && present !== '' && code !== ''}
      onSubmit={() => offer && act.run(() => renewCodes(offer, present, code), finish)}
      onClose={onClose}
    >
      <p className="quiet">
        {words.codes.text} {words.others}
      </p>
      {error !== null && <Problem error={error} />}
      {offer ? <Secret {...offer} /> : <Bone width={280} />}
      <TextField
        label={texts.signIn.code}
        hint={join.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        value={code}
        onChange={setCode}
        required
      />
      <PresentPassword value={present} onChange={setPresent} />
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
  <Dialog title={join.codesTitle} onClose={onClose}>
    <div className="dialog-body">
      <p className="quiet">{join.codesLead}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
    <div className="dialog-foot">
      <Button look="primary" onPress={onClose}>
        {join.done}
      </Button>
    </div>
  </Dialog>
);
