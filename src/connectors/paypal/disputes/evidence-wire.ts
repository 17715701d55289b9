import { FILE_TYPES, multipartForm, type Evidence, type EvidenceKind, type Multipart } from '../../door.ts';

/** PayPal's types of evidence. */
const TYPES = {
  receipt: 'PROOF_OF_RECEIPT_COPY',
  customer_communication: 'OTHER',
  // The proofs of a fulfilment and of a refund need a tracking number or the id of the refund.
  shipping: 'ADDITIONAL_PROOF_OF_SHIPMENT',
  service: 'DETAILS_OF_PURCHASE',
  refund_policy: 'RETURN_POLICY',
  cancellation_policy: 'COPY_OF_CONTRACT',
  duplicate_charge: 'OTHER',
  other: 'OTHER',
} as const satisfies Record<EvidenceKind, string>;

type WireEvidence = {
  readonly evidence_type: (typeof TYPES)[EvidenceKind];
  readonly notes?: string;
  readonly documents?: readonly { readonly name: string }[];
};

/** PayPal takes at most this number of characters in one note. */
const NOTE_MAX = 2_000;

/**
 * Maps the evidence to PayPal's items. A long text takes several items. PayPal keeps no keys, so the last item has a note with our
 * key. A repeat finds the first response by the note.
 */
export const evidenceToWire = (
  { texts, files }: Evidence,
  key: string,
): { readonly evidences: readonly WireEvidence[] } => ({
  evidences: [
    ...texts.flatMap(({ kind, text }) =>
      partsOf(text).map((notes) => ({ evidence_type: TYPES[kind], notes })),
    ),
    ...files.map((file) => ({ evidence_type: TYPES[file.kind], documents: [{ name: nameOf(file) }] })),
    { evidence_type: 'OTHER', notes: noteOf(key) },
  ],
});

/** Returns the note by which a repeat finds the response. */
export const noteOf = (key: string): string => `Response ${key}`;

/** Splits a text between characters. */
function partsOf(text: string): readonly string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / PART_CHARACTERS);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * PART_CHARACTERS, (index + 1) * PART_CHARACTERS).join(''),
  );
}

/** A character beyond the basic plane may count as two at PayPal. */
const PART_CHARACTERS = NOTE_MAX / 2;

const ENDINGS = { pdf: 'pdf', jpeg: 'jpg', png: 'png' } as const;

/** PayPal allows few characters in a name. There is at most one file of a kind, so the kind is a name. */
const nameOf = ({ kind, format }: Evidence['files'][number]): string => `${kind}.${ENDINGS[format]}`;

/** Writes a response as a form: the parameters, then the files. The same response always gives the same bytes. */
export const responseForm = (parameters: object, files: Evidence['files'], key: string): Multipart =>
  multipartForm(
    [
      { name: 'input', contentType: 'application/json', content: JSON.stringify(parameters) },
      ...files.map((file, index) => ({
        ...{ name: `file${index + 1}`, fileName: nameOf(file), contentType: FILE_TYPES[file.format] },
        content: Buffer.from(file.content, 'base64'),
      })),
    ],
    key,
  );
