import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useMistake } from '../../design/form/field.tsx';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import {
  BYTES_MAX,
  bytesOf,
  FILES_MAX,
  filesIn,
  firstPiece,
  inputOf,
  kindsLeft,
  pieceOf,
  textsIn,
  type Piece,
} from './evidence.ts';
import { PieceFields } from './piece-fields.tsx';
import { submitEvidence } from './query.ts';
import { sayOutcome, type RespondProps } from './words.ts';

const { evidence: words, help } = texts.disputes;

/** Sends evidence by subjects, each with a text, a file or both. */
export function EvidenceDialog({ dispute, ...ends }: RespondProps) {
  const [pieces, setPieces] = useState<readonly Piece[]>(() => [firstPiece(dispute.reason)]);
  const change = (next: Piece): void =>
    setPieces((all) => all.map((each) => (each.id === next.id ? next : each)));
  const [files, written] = [filesIn(pieces), textsIn(pieces)];
  return (
    <FormDialog
      title={words.title}
      isWide
      submit={words.submit}
      isReady={files.length + written.length > 0 && mistakeOf(pieces) === null}
      summary={[
        [words.amount, <Amount {...dispute} />],
        [words.parts, words.count(written.length, files.length)],
      ]}
      run={(key) => submitEvidence(dispute.id, inputOf(pieces), key)}
      said={(outcome) => sayOutcome(outcome, words.done)}
      {...ends}
    >
      <p className="quiet">
        {help.by[dispute.reason]} {words.once}
      </p>
      {pieces.map((piece) => (
        <PieceFields
          key={piece.id}
          piece={piece}
          kinds={kindsLeft(pieces, piece)}
          textPath={`texts.${written.indexOf(piece)}.text`}
          filePath={`files.${files.indexOf(piece)}.content`}
          onChange={change}
          {...(pieces.length > 1 && {
            onRemove: () => setPieces(pieces.filter(({ id }) => id !== piece.id)),
          })}
        />
      ))}
      <AddPiece pieces={pieces} onAdd={(piece) => setPieces([...pieces, piece])} />
      <Mistake pieces={pieces} />
    </FormDialog>
  );
}

function Mistake({ pieces }: { readonly pieces: readonly Piece[] }) {
  const [files, written] = [useMistake('files'), useMistake('texts')];
  const mistake = mistakeOf(pieces) ?? files ?? written;
  return (
    mistake !== null && (
      <p className="mistake" role="alert">
        {mistake}
      </p>
    )
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
