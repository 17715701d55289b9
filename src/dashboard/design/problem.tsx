import { PaygraphError } from '../../client/error.ts';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Shows an error with the sentence of the API and its code. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { sentence, code } = describe(error);
  return (
    <div className="problem" role="alert">
      <Icon name="warning" />
      <p>
        {sentence}
        {code !== null && <small>{texts.error.code(code)}</small>}
      </p>
      {onRetry && <Button onPress={onRetry}>{texts.action.retry}</Button>}
    </div>
  );
}

function describe(error: unknown): { readonly sentence: string; readonly code: string | null } {
  if (!(error instanceof PaygraphError)) return { sentence: texts.error.unreachable, code: null };
  const { code, message } = error;
  return code === 'UNAVAILABLE' ? { sentence: texts.error.unreachable, code } : { sentence: message, code };
}
