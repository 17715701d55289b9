import { useState } from 'react';
import { mistakeAt } from '../../app/mistakes.ts';
import { Button } from '../../design/button.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import {
  bytesOf,
  BYTES_MAX,
  filesIn,
  FILES_MAX,
  firstPiece,
  inputOf,
  kindsLeft,
  pieceOf,
  textsIn,
  type Piece,
} from './evidence.ts';
import { PieceFields } from './piece-fields.tsx';
import { submitEvidence } from './query.ts';
import { useRespond, type RespondProps } from './respond.ts';

const { evidence: words, help } = texts.disputes;

/** Sends evidence by subjects, each with a text, a file or both. */
export function EvidenceDialog(props: RespondProps) {
  const { dispute, onClose } = props;
  const act = useRespond(props);
  const [pieces, setPieces] = useState<readonly Piece[]>(() => [firstPiece(dispute.reason)]);
  const change = (next: Piece): void =>
    setPieces((all) => all.map((each) => (each.id === next.id ? next : each)));
  const [files, written] = [filesIn(pieces), textsIn(pieces)];
  const mistake = mistakeOf(pieces) ?? mistakeAt(act.error, 'files') ?? mistakeAt(act.error, 'texts');
  return (
    <FormDialog
      title={words.title}
      isWide
      act={act}
      submit={words.submit}
      isReady={files.length + written.length > 0 && mistakeOf(pieces) === null}
      summary={[
        [words.amount, <Amount {...dispute} />],
        [words.parts, words.count(written.length, files.length)],
      ]}
      onSubmit={() => act.run((key) => submitEvidence(dispute.id, inputOf(pieces), key), words.done)}
      onClose={onClose}
    >
      <p className="quiet">
        {help.by[dispute.reason]} {words.once}
      </p>
      {pieces.map((piece) => (
        <PieceFields
          key={piece.id}
          piece={piece}
          kinds={kindsLeft(pieces, piece)}
          textMistake={mistakeAt(act.error, `texts.${written.indexOf(piece)}.text`)}
          fileMistake={mistakeAt(act.error, `files.${files.indexOf(piece)}.content`)}
          onChange={change}
          {...(pieces.length > 1 && {
            onRemove: () => setPieces(pieces.filter(({ id }) => id !== piece.id)),
          })}
        />
      ))}
      <AddPiece pieces={pieces} onAdd={(piece) => setPieces([...pieces, piece])} />
      {mistake !== null && (
        <p className="mistake" role="alert">
          {mistake}
        </p>
      )}
    </FormDialog>
  );
}

function mistakeOf(pieces: readonly Piece[]): string | null {
  if (filesIn(pieces).length > FILES_MAX) return words.tooMany(FILES_MAX);
  const bytes = bytesOf(pieces);
  return bytes > BYTES_MAX ? words.tooLarge(sizeOf(bytes), sizeOf(BYTES_MAX)) : null;
}

const sizeOf = (bytes: number): string => words.size(Math.ceil(bytes / 1024));

type AddPieceProps = { readonly pieces: readonly Piece[]; readonly onAdd: (piece: Piece) => void };

/** Adds a piece about the next subject that is left. */
function AddPiece({ pieces, onAdd }: AddPieceProps) {
  const [next] = kindsLeft(pieces);
  if (next === undefined) return null;
  const id = Math.max(...pieces.map((piece) => piece.id)) + 1;
  return (
    <div className="actions">
      <Button icon="plus" onPress={() => onAdd(pieceOf(id, next))}>
        {words.add}
      </Button>
    </div>
  );
}
