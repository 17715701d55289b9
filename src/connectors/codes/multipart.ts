import type { EvidenceFormat } from '../interface/dispute-responses.ts';

/** A form with files, as bytes. */
export type Multipart = { readonly contentType: string; readonly body: Buffer };

/** A part of a form. A part with a file name is a file. */
export type FormPart = {
  readonly name: string;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly content: string | Buffer;
};

/** The content types of files of evidence. */
export const FILE_TYPES = {
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
} as const satisfies Record<EvidenceFormat, string>;

/** Writes a form. The same parts under the same key always give the same bytes, as a repeat must. */
export function multipartForm(parts: readonly FormPart[], key: string): Multipart {
  const boundary = `paygraph-${key.replaceAll(/[^\w-]/g, '-')}`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      ...parts.flatMap((part) => [
        Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`),
        Buffer.from(part.content),
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  };
}

function headersOf({ name, fileName, contentType }: FormPart): string {
  const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
  const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
  return `Content-Disposition: form-data; name="${name}"${file}${type}`;
}

/** Keeps a name from ending its header. */
const quoted = (name: string): string => name.replaceAll(/["\\\r\n\u0000-\u001f]/g, '_');
