import type Stripe from 'stripe';
import { readParts } from '../../support/multipart.ts';
import { refuseParameter } from './refusal.ts';
import { seconds, type StripeWorld } from './world.ts';

/** The types of files that evidence may have. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' },
};

const BYTES_MAX = 5 * 1024 * 1024;

/** Takes an upload. The body is multipart, with one character for each byte. */
export function uploadFile(world: StripeWorld, contentType: string, body: string): Stripe.File {
  const parts = readParts(contentType, body);
  if (!parts) return refuseParameter('Uploads must be multipart/form-data.');
  for (const { name } of parts)
    if (name !== 'purpose' && name !== 'file')
      refuseParameter(`Received unknown parameter: ${name}`, name, 'parameter_unknown');
  const purpose = parts.find(({ name }) => name === 'purpose')?.content;
  const file = parts.find(({ name }) => name === 'file');
  if (purpose === undefined || !file) {
    const missing = purpose === undefined ? 'purpose' : 'file';
    return refuseParameter(`Missing required param: ${missing}.`, missing, 'parameter_missing');
  }
  if (purpose !== 'dispute_evidence') refuseParameter(`The double takes no files for ${purpose}.`, 'purpose');
  const type = TYPES[file.type];
  if (type === undefined || file.filename === null)
    return refuseParameter('Files for dispute_evidence must be PDF, JPEG or PNG.', 'file');
  if (file.content.length > BYTES_MAX) refuseParameter('Files can have up to 5 MB.', 'file');
  const id = world.newId('file');
  const stored: Stripe.File = {
    ...{ id, object: 'file', created: seconds(world), expires_at: null, filename: file.filename },
    ...{ links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${id}` } },
    ...{ purpose: 'dispute_evidence', size: file.content.length, title: null, type },
    url: `https://files.stripe.com/v1/files/${id}/contents`,
  };
  world.files.set(id, stored);
  return stored;
}
