import type { Stripe } from 'stripe';
import { FILE_TYPES, multipartForm, type Evidence, type EvidenceKind, type Multipart } from '../../door.ts';

type Wire = Stripe.DisputeUpdateParams.Evidence;

/** The field of each kind of file. */
const FILES = {
  receipt: 'receipt',
  customer_communication: 'customer_communication',
  shipping: 'shipping_documentation',
  service: 'service_documentation',
  refund_policy: 'refund_policy',
  cancellation_policy: 'cancellation_policy',
  duplicate_charge: 'duplicate_charge_documentation',
  other: 'uncategorized_file',
} as const satisfies Record<EvidenceKind, keyof Wire>;

/** The field of each kind of text. Kinds without one share the free text, under headings. */
const TEXTS: Partial<Readonly<Record<EvidenceKind, keyof Wire>>> = {
  service: 'product_description',
  refund_policy: 'refund_policy_disclosure',
  cancellation_policy: 'cancellation_policy_disclosure',
  duplicate_charge: 'duplicate_charge_explanation',
};

const HEADINGS: Partial<Readonly<Record<EvidenceKind, string>>> = {
  receipt: 'Receipt',
  customer_communication: 'Communication with the customer',
  shipping: 'Shipping',
};

/** Maps the evidence. `files` names the uploaded file of each kind. */
export function evidenceToWire(
  { texts }: Pick<Evidence, 'texts'>,
  files: ReadonlyMap<EvidenceKind, string>,
): Wire {
  const free = texts
    .filter(({ kind }) => TEXTS[kind] === undefined)
    .map(({ kind, text }) => (HEADINGS[kind] === undefined ? text : `${HEADINGS[kind]}:\n${text}`));
  const own = texts.flatMap(({ kind, text }) => {
    const field = TEXTS[kind];
    return field === undefined ? [] : [[field, text] as const];
  });
  return {
    ...Object.fromEntries([...files].map(([kind, id]) => [FILES[kind], id])),
    ...Object.fromEntries(own),
    ...(free.length > 0 && { uncategorized_text: free.join('\n\n') }),
  };
}

/** Maps a file to a form for an upload. The same file always gives the same bytes, as a repeat under one key must. */
export const fileToWire = ({ name, format, content }: Evidence['files'][number], key: string): Multipart =>
  multipartForm(
    [
      { name: 'purpose', content: 'dispute_evidence' },
      {
        ...{ name: 'file', fileName: name, contentType: FILE_TYPES[format] },
        content: Buffer.from(content, 'base64'),
      },
    ],
    key,
  );
