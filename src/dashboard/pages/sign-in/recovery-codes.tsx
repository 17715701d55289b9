import { useState } from 'react';
import { Mark } from '../../app/frame/shell.tsx';
import { Button } from '../../design/button.tsx';
import { CodeList } from '../../design/record/code.tsx';
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
        <CodeList codes={codes} />
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
