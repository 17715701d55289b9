import { FILE_TYPES, multipartForm, type EvidenceFile, type Multipart } from '../door.ts';

type Document = { readonly query: string; readonly variables: object };

/** Writes a document with one file as a form, by the GraphQL multipart request specification. */
export const formWith = (
  { query, variables }: Document,
  { name, format, content }: EvidenceFile,
  key: string,
): Multipart =>
  multipartForm(
    [
      {
        ...{ name: 'operations', contentType: 'application/json' },
        content: JSON.stringify({ query, variables: { ...variables, file: null } }),
      },
      { name: 'map', content: JSON.stringify({ file: 'variables.file' }) },
      {
        ...{ name: 'file', fileName: name, contentType: FILE_TYPES[format] },
        content: Buffer.from(content, 'base64'),
      },
    ],
    key,
  );
