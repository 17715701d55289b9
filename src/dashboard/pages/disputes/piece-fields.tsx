import { useState } from 'react';
import type { EvidenceKind } from '../../../client/generated/schema.ts';
import { IconButton } from '../../design/button.tsx';
import { AreaField, Field, SelectField, useMistake } from '../../design/form/field.tsx';
import { texts } from '../../texts/texts.ts';
import { attach, FILE_TYPES, type Piece } from './evidence.ts';

const { evidence: words } = texts.disputes;

type PieceFieldsProps = {
  readonly piece: Piece;
  /** The subjects to choose from, with the piece's own. */
  readonly kinds: readonly EvidenceKind[];
  readonly textPath: string;
  readonly filePath: string;
  readonly onChange: (piece: Piece) => void;
  /** Without it, the piece stays. */
  readonly onRemove?: () => void;
};

/** A subject with its text and its file. */
export function PieceFields({ piece, kinds, textPath, filePath, onChange, onRemove }: PieceFieldsProps) {
  const shown = words.kinds[piece.kind];
  return (
    <fieldset className="piece">
      <legend className="visually-hidden">{shown}</legend>
      <div className={onRemove ? 'piece-head' : undefined}>
        <SelectField
          label={words.subject}
          value={piece.kind}
          options={kinds.map((kind) => [kind, words.kinds[kind]])}
          onChange={(kind) => onChange({ ...piece, kind })}
        />
        {onRemove && <IconButton icon="trash" label={words.remove(shown)} onPress={onRemove} />}
      </div>
      <AreaField
        label={words.text}
        path={textPath}
        maxLength={5_000}
        placeholder={words.examples[piece.kind]}
        value={piece.text}
        onChange={(text) => onChange({ ...piece, text })}
      />
      <FileField piece={piece} path={filePath} onChange={onChange} />
    </fieldset>
  );
}

type FileFieldProps = Pick<PieceFieldsProps, 'piece' | 'onChange'> & { readonly path: string };

/** The file of a subject. A chosen file can be taken away again. */
function FileField({ piece, path, onChange }: FileFieldProps) {
  const mistake = useMistake(path);
  const [isWrong, setWrong] = useState(false);
  const choose = (file: File | undefined): void => {
    if (!file) return;
    attach(file).then(
      (attached) => {
        setWrong(attached === null);
        if (attached) onChange({ ...piece, file: attached });
      },
      () => setWrong(true),
    );
  };
  const { file } = piece;
  if (file !== null)
    return (
      <div className="attached">
        <span className="attached-name">{file.name}</span>
        <span className="quiet">{words.size(Math.ceil(file.bytes / 1024))}</span>
        <IconButton
          icon="close"
          label={words.detach(file.name)}
          onPress={() => onChange({ ...piece, file: null })}
        />
        {mistake !== null && (
          <span className="mistake" role="alert">
            {mistake}
          </span>
        )}
      </div>
    );
  return (
    <Field label={words.file} hint={words.fileHint} mistake={isWrong ? words.badFile : mistake}>
      {(control) => (
        <input
          {...control}
          type="file"
          className="input file"
          accept={FILE_TYPES}
          onChange={({ target }) => choose(target.files?.[0])}
        />
      )}
    </Field>
  );
}
