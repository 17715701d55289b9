import { useState } from 'react';
import { Mark } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';

type RecoveryProps = { readonly codes: readonly string[]; readonly onDone: () => void };

const words = texts.signIn.join;

/** Shows the recovery codes once. */
export function RecoveryCodes({ codes, onDone }: RecoveryProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <main className="alone">
      <div className="sign-in">
        <Mark />
        <h1>{words.codesTitle}</h1>
        <p className="quiet">{words.codesLead}</p>
        <ul className="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="actions">
          <Button look="primary" onPress={onDone}>
            {words.done}
          </Button>
          <Button icon={isCopied ? 'tick' : 'copy'} onPress={copy}>
            {isCopied ? words.copied : words.copy}
          </Button>
        </div>
      </div>
    </main>
  );
}
