import {
  FILE_TYPES,
  multipartForm,
  ok,
  refuse,
  type Evidence,
  type EvidenceFile,
  type EvidenceKind,
  type Multipart,
  type Result,
} from '../../door.ts';

/** The fields of evidence. Each takes one text and one file. */
const FIELDS = {
  receipt: 'invoice_or_receipt',
  customer_communication: 'customer_communication',
  shipping: 'proof_of_delivery_or_service',
  service: 'proof_of_delivery_or_service',
  refund_policy: 'refund_or_cancellation_policy',
  cancellation_policy: 'refund_or_cancellation_policy',
  duplicate_charge: 'invoice_showing_distinct_transactions',
  other: 'additional_evidence',
} as const satisfies Record<EvidenceKind, string>;

export type EvidenceField = (typeof FIELDS)[EvidenceKind];

/** The field for a second file of a field, and for the name of the response. */
const REST = 'additional_evidence';

/** Checkout.com takes at most this number of characters in one text. */
const TEXT_MAX = 500;

/** The evidence of a response, by the fields of Checkout.com. */
export type PlacedEvidence = {
  readonly texts: ReadonlyMap<EvidenceField, string>;
  readonly files: ReadonlyMap<EvidenceField, EvidenceFile>;
};

/**
 * Places the evidence in the fields. Nothing is cut: evidence that does not fit is refused, with the reason. Checkout.com keeps no
 * keys, so the last text ends with the name of the response. A repeat finds the first response by the name.
 */
export function placeEvidence({ texts, files }: Evidence, key: string): Result<PlacedEvidence, string> {
  const placed = { texts: new Map<EvidenceField, string>(), files: new Map<EvidenceField, EvidenceFile>() };
  const add = (field: EvidenceField, text: string): void =>
    void placed.texts.set(field, [placed.texts.get(field), text].filter(Boolean).join('\n\n'));
  for (const { kind, text } of texts) add(FIELDS[kind], text);
  add(REST, nameOf(key));
  if ([...placed.texts.values()].some((text) => Array.from(text).length > TEXT_MAX))
    return refuse('text_too_long');
  for (const file of files) {
    const field = placed.files.has(FIELDS[file.kind]) ? REST : FIELDS[file.kind];
    if (placed.files.has(field)) return refuse('too_many_files');
    placed.files.set(field, file);
  }
  return ok(placed);
}

/** Returns the name by which a repeat finds the response. */
export const nameOf = (key: string): string => `Response ${key}`;

/** Maps the evidence with the ids of its uploaded files. */
export const evidenceToWire = (
  { texts }: PlacedEvidence,
  files: ReadonlyMap<EvidenceField, string>,
): object =>
  Object.fromEntries([
    ...Array.from(texts, ([field, text]) => [`${field}_text`, text] as const),
    ...Array.from(files, ([field, id]) => [`${field}_file`, id] as const),
  ]);

/** Maps a file to a form for an upload. */
export const fileToWire = ({ kind, name, format, content }: EvidenceFile, key: string): Multipart =>
  multipartForm(
    [
      { name: 'purpose', content: 'dispute_evidence' },
      {
        ...{ name: 'path', fileName: name, contentType: FILE_TYPES[format] },
        content: Buffer.from(content, 'base64'),
      },
    ],
    `${key}-${kind}`,
  );
