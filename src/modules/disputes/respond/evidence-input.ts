import { z } from 'zod';
import {
  EVIDENCE_FORMATS,
  EVIDENCE_KINDS,
  type EvidenceFormat,
} from '../../../connectors/interface/dispute-responses.ts';
import { text } from '../../../platform/input/text.ts';

const TEXT_MAX = 5_000;
const FILES_MAX = 5;

/** The most bytes of all files together. A request has at most 256 KiB, and base64 takes four bytes for three. */
const FILE_BYTES_MAX = 128 * 1024;

/** The first bytes of a file of each format, in hex. */
const BEGINNINGS: Readonly<Record<EvidenceFormat, string>> = {
  pdf: '255044462d',
  jpeg: 'ffd8ff',
  png: '89504e470d0a1a0a',
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const file = z
  .object({
    kind: z.enum(EVIDENCE_KINDS),
    name: text(1, 100),
    format: z.enum(EVIDENCE_FORMATS),
    content: z.string().regex(BASE64, { error: 'Must be base64 with padding, and not empty.', abort: true }),
  })
  .refine(
    ({ format, content }) =>
      Buffer.from(content.slice(0, 16), 'base64').toString('hex').startsWith(BEGINNINGS[format]),
    { path: ['content'], message: 'Must be a file of the given format.' },
  );

const once = (items: readonly { readonly kind: string }[]): boolean =>
  new Set(items.map(({ kind }) => kind)).size === items.length;

const ONCE = 'Give at most one of each kind.';

/** The evidence of submitDisputeEvidence. At least one text or file. */
export const evidenceInput = z
  .object({
    texts: z
      .array(z.object({ kind: z.enum(EVIDENCE_KINDS), text: text(1, TEXT_MAX) }))
      .default([])
      .refine(once, ONCE),
    files: z
      .array(file)
      .max(FILES_MAX, `Give at most ${FILES_MAX} files.`)
      .default([])
      .refine(once, ONCE)
      .refine(
        (files) =>
          files.reduce((sum, { content }) => sum + Buffer.byteLength(content, 'base64'), 0) <= FILE_BYTES_MAX,
        `Give at most ${FILE_BYTES_MAX / 1024} KiB of files.`,
      ),
  })
  .refine(({ texts, files }) => texts.length + files.length > 0, {
    path: ['texts'],
    message: 'Give at least one text or file.',
  });
