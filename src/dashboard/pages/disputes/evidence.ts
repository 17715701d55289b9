import type {
  DisputeEvidenceInput,
  DisputeReason,
  EvidenceFormat,
  EvidenceKind,
} from '../../../client/generated/schema.ts';
import { texts } from '../../texts/texts.ts';

/** A file as the person chose it. `content` is base64. */
export type Attached = {
  readonly name: string;
  readonly format: EvidenceFormat;
  readonly bytes: number;
  readonly content: string;
};

/** The evidence about one subject: a text, a file, or both. */
export type Piece = {
  readonly id: number;
  readonly kind: EvidenceKind;
  readonly text: string;
  readonly file: Attached | null;
};

/** Every subject, in the order of the list. */
export const KINDS = Object.keys(texts.disputes.evidence.kinds) as readonly EvidenceKind[];

/** The bytes that all files of a request may have. */
export const BYTES_MAX = 128 * 1024;

/** The files that a request may have. */
export const FILES_MAX = 5;

/** The subject that helps most against each reason. */
const FIRST: Readonly<Record<DisputeReason, EvidenceKind>> = {
  FRAUDULENT: 'CUSTOMER_COMMUNICATION',
  UNRECOGNIZED: 'RECEIPT',
  DUPLICATE: 'DUPLICATE_CHARGE',
  INCORRECT_AMOUNT: 'RECEIPT',
  PRODUCT_NOT_RECEIVED: 'SHIPPING',
  PRODUCT_UNACCEPTABLE: 'CUSTOMER_COMMUNICATION',
  SUBSCRIPTION_CANCELED: 'CANCELLATION_POLICY',
  CREDIT_NOT_PROCESSED: 'REFUND_POLICY',
  PROCESSING_ERROR: 'RECEIPT',
  GENERAL: 'OTHER',
};

/** Returns the first piece of a form. */
export const firstPiece = (reason: DisputeReason): Piece => pieceOf(0, FIRST[reason]);

/** Returns a piece without text and file. */
export const pieceOf = (id: number, kind: EvidenceKind): Piece => ({ id, kind, text: '', file: null });

/** Returns the subjects that no other piece is about. */
export const kindsLeft = (pieces: readonly Piece[], own: Piece | null = null): readonly EvidenceKind[] =>
  KINDS.filter((kind) => !pieces.some((piece) => piece.kind === kind && piece.id !== own?.id));

/** Returns the bytes of all files. */
export const bytesOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);

/** Translates the pieces for the API. Pieces without text and file are left out. */
export const inputOf = (pieces: readonly Piece[]): DisputeEvidenceInput => ({
  texts: textsIn(pieces).map(({ kind, text }) => ({ kind, text: text.trim() })),
  files: filesIn(pieces).flatMap(({ kind, file }) => {
    if (file === null) return [];
    const { name, format, content } = file;
    return [{ kind, name, format, content }];
  }),
});

/** Returns the pieces with a text, in the order of the request. */
export const textsIn = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.filter(({ text }) => text.trim() !== '');

/** Returns the pieces with a file, in the order of the request. */
export const filesIn = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.filter(({ file }) => file !== null);

const FORMATS: Readonly<Record<string, EvidenceFormat>> = {
  ...{ 'application/pdf': 'PDF', 'image/jpeg': 'JPEG', 'image/png': 'PNG' },
};

/** The types of files that a person can choose. */
export const FILE_TYPES = Object.keys(FORMATS).join(',');

/** Reads a chosen file. Null for another format than those of evidence. */
export async function attach(file: File): Promise<Attached | null> {
  const format = FORMATS[file.type];
  if (format === undefined) return null;
  const content = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    // The result is a data address: the content follows the comma.
    reader.onload = () =>
      resolve(typeof reader.result === 'string' ? (reader.result.split(',')[1] ?? '') : '');
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
  return { name: file.name.slice(-100), format, bytes: file.size, content };
}
