import { readParts } from '../../support/multipart.ts';
import type { DoubleRequest } from '../double-server.ts';
import type { Json } from './json.ts';
import { refuse } from './refusal.ts';
import { checkBody } from './schemas.ts';
import { textAt, wireAt, type Wire } from './world.ts';

/** Reads and checks the body of a call. An empty body has no parameters. */
export function readBody(call: string, { headers, body }: DoubleRequest): Json {
  const contentType = headers['content-type'] ?? '';
  const response = /\/disputes\/\{id\}\/(provide-evidence|accept-claim)$/.exec(call)?.[1];
  if (response !== undefined && contentType.startsWith('multipart/'))
    return readForm(response, contentType, body);
  if (!contentType.startsWith('application/json')) refuse({ status: 415, name: 'UNSUPPORTED_MEDIA_TYPE' });
  const read = body === '' ? {} : parse(body);
  checkBody(response ?? call, read);
  return read;
}

/** Reads a response to a dispute: its parameters in the part `input`, and its files. */
function readForm(response: string, contentType: string, body: string): Json {
  const parts = readParts(contentType, body) ?? [];
  const input = parts.find(({ name }) => name === 'input');
  const read = input ? parse(Buffer.from(input.content, 'latin1').toString('utf8')) : {};
  checkBody(response, read);
  const files = parts.flatMap(({ filename }) => (filename === null ? [] : [filename]));
  for (const evidence of (wireAt(read, 'evidences') ?? []) as readonly Wire[])
    for (const document of (evidence['documents'] ?? []) as readonly Wire[])
      if (!files.includes(textAt(document, 'name') ?? ''))
        refuse({ status: 400, name: 'INVALID_REQUEST', issue: 'MISSING_DOCUMENT', field: '/evidences' });
  return read;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return refuse({ status: 400, name: 'INVALID_REQUEST', issue: 'MALFORMED_REQUEST_JSON' });
  }
}
