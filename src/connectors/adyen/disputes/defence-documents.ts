import { ok, refuse, type Result, type Evidence, type EvidenceFormat } from '../../door.ts';
import { pdfOf } from './text-pdf.ts';

/** A document in Adyen's format, without its type. */
export type DefenceDocument = {
  /** In base64. */
  readonly content: string;
  readonly contentType: 'application/pdf' | 'image/jpeg';
};

/** A refusal of evidence that Adyen could not take. Nothing was sent. */
export type DocumentRefusal =
  | 'no_evidence'
  | 'unsupported_file_format'
  | 'unsupported_characters'
  | 'file_too_large';

/** The largest document of each kind, in bytes. */
const TYPES = {
  pdf: { contentType: 'application/pdf', bytesMax: 2 * 1024 * 1024 },
  jpeg: { contentType: 'image/jpeg', bytesMax: 10 * 1024 * 1024 },
  png: null,
} as const satisfies Record<
  EvidenceFormat,
  { contentType: DefenceDocument['contentType']; bytesMax: number } | null
>;

/** Maps the evidence to documents. Adyen takes documents alone, so all texts become one of them. */
export function documentsOf({ texts, files }: Evidence): Result<readonly DefenceDocument[], DocumentRefusal> {
  const documents: DefenceDocument[] = [];
  if (texts.length > 0) {
    const pdf = pdfOf(texts.map(({ kind, text }) => ({ heading: headingOf(kind), text })));
    if (!pdf) return refuse('unsupported_characters');
    documents.push({ content: pdf.toString('base64'), contentType: 'application/pdf' });
  }
  for (const { format, content } of files) {
    const type = TYPES[format];
    if (!type) return refuse('unsupported_file_format');
    if (Buffer.byteLength(content, 'base64') > type.bytesMax) return refuse('file_too_large');
    documents.push({ content, contentType: type.contentType });
  }
  return documents.length === 0 ? refuse('no_evidence') : ok(documents);
}

/** Returns the subject of evidence as a heading, such as `Refund policy`. */
const headingOf = (kind: string): string => {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
