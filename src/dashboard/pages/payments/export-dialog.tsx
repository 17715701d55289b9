import { useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/form/dialog.tsx';
import { CheckField } from '../../design/form/field.tsx';
import { Icon } from '../../design/icon.tsx';
import { Problem } from '../../design/problem.tsx';
import { Summary } from '../../design/record/facts.tsx';
import { texts } from '../../texts/texts.ts';
import { factsOf, toApi, type Filters } from './filters/filters.ts';
import { createFile, readFile } from './query.ts';

type File = Awaited<ReturnType<typeof readFile>>;

/** Creates a file of the filtered payments, and leads to it. A repeated press gives the same file. */
export function ExportDialog({
  filters,
  onClose,
}: {
  readonly filters: Filters;
  readonly onClose: () => void;
}) {
  const [key] = useState(() => crypto.randomUUID());
  const [byteOrderMark, setByteOrderMark] = useState(false);
  const [id, setId] = useState<string | null>(null);
  const [file, setFile] = useState<File>(null);
  const [error, setError] = useState<unknown>(null);
  useProgress(id, setFile, setError);
  const start = (): void => {
    setError(null);
    const wanted = { filter: toApi(filters), byteOrderMark };
    createFile(wanted, byteOrderMark ? `${key} mark` : key).then(setId, setError);
  };
  const isDone = file?.status === 'SUCCEEDED';
  return (
    <Dialog title={texts.payments.export.title} onClose={onClose}>
      <div className="dialog-body">
        <p className="quiet">{texts.payments.export.text}</p>
        <Summary facts={factsOf(filters)} />
        {id === null && (
          <CheckField label={texts.payments.export.mark} value={byteOrderMark} onChange={setByteOrderMark} />
        )}
        {error !== null && <Problem error={error} />}
        <p role="status">{progressOf(id, file)}</p>
      </div>
      <div className="dialog-foot">
        <Button onPress={onClose}>{texts.action.close}</Button>
        {isDone && file.downloadUrl !== null ? (
          <a className="button primary" href={file.downloadUrl} download>
            <Icon name="download" />
            {texts.payments.export.download}
          </a>
        ) : (
          <Button look="primary" onPress={start} isDisabled={id !== null}>
            {texts.payments.export.start}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** The time between two looks at a file. */
const LOOK_MS = 700;

function useProgress(
  id: string | null,
  setFile: (file: File) => void,
  setError: (error: unknown) => void,
): void {
  useEffect(() => {
    if (id === null) return undefined;
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      const file = await readFile(id, abort.signal);
      if (abort.signal.aborted) return;
      setFile(file);
      if (file?.status === 'PENDING' || file?.status === 'RUNNING') setTimeout(() => run(), LOOK_MS);
    };
    const run = (): void => void look().catch((error: unknown) => abort.signal.aborted || setError(error));
    run();
    return () => abort.abort();
  }, [id, setFile, setError]);
}

function progressOf(id: string | null, file: File): string {
  const { running, done, keep, failed } = texts.payments.export;
  if (id === null) return '';
  if (file?.status === 'SUCCEEDED') return `${done(file.rowsWritten)} ${keep}`;
  return file?.status === 'FAILED' ? failed : running(file?.rowsWritten ?? 0);
}
