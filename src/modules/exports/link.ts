import { assignWork } from '../../platform/fairness/owner.ts';
import { timingSafeEqual } from 'node:crypto';
import type { App } from '../../app.ts';
import { collectYoung } from '../../platform/process/collect-garbage.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Export } from './export.ts';
import { readPiece, readExportOfLink, type StoredExport } from './store.ts';

/** The lifetime of a link. */
const LINK_MS = 3_600_000;

/** The length of a signature: 128 bits, as hexadecimal digits. */
const SIGNATURE_LENGTH = 32;

/** The last second of a link in base 36, and the signature. */
const TOKEN = /^([0-9a-z]{1,9})-([0-9a-f]{32})$/;

/**
 * Makes a link to the file of an export. The link expires after an hour, or with the file. Null without a file. The
 * signature is a keyed digest, so the database alone does not reveal a link.
 */
export async function downloadUrlOf(
  app: Pick<App, 'vault' | 'clock' | 'publicUrl'>,
  wanted: Export,
): Promise<string | null> {
  const { id, status, expiresAt } = wanted;
  const now = app.clock.now().getTime();
  if (status !== 'succeeded' || expiresAt === null || expiresAt.getTime() <= now) return null;
  const until = Math.floor(Math.min(now + LINK_MS, expiresAt.getTime()) / 1000);
  return `${app.publicUrl}/exports/${id}/${until.toString(36)}-${await signatureOf(app, wanted, until)}`;
}

async function signatureOf(
  { vault }: Pick<App, 'vault'>,
  { merchantAccountId, id }: Export,
  until: number,
): Promise<string> {
  const digest = await vault.fingerprint(merchantAccountId, `download of export ${id} until ${until}`);
  return digest.slice(0, SIGNATURE_LENGTH);
}

/** The file behind a link. `expired` needs a right signature, so that a guess learns nothing. */
export type Download =
  | { readonly kind: 'file'; readonly export: Export; pieces(): AsyncGenerator<Uint8Array> }
  | { readonly kind: 'expired' }
  | { readonly kind: 'not_found' };

/** Finds the file of a link. Compares the signature in constant time. Reads pieces one by one, as they are taken. */
export async function openDownload(app: App, id: string, token: string): Promise<Download> {
  const [, last = '', signature = ''] = TOKEN.exec(token) ?? [];
  const found = signature !== '' && isUuid(id) ? await readExportOfLink(app.readDb, id) : null;
  if (!found) return { kind: 'not_found' };
  const until = Number.parseInt(last, 36);
  const right = await signatureOf(app, found, until);
  if (!timingSafeEqual(Buffer.from(right), Buffer.from(signature))) return { kind: 'not_found' };
  assignWork(found.merchantAccountId);
  const now = app.clock.now();
  const isOver = until * 1000 <= now.getTime() || found.expiresAt === null || found.expiresAt <= now;
  if (isOver || found.status !== 'succeeded') return { kind: 'expired' };
  return { kind: 'file', export: found, pieces: () => piecesOf(app, found) };
}

/** V8 would let 128 MB of sent bytes wait for a collection. So a download asks for one after so many pieces, which are 4 MB. */
const PIECES_AT_ONCE = 64;

async function* piecesOf(app: App, found: StoredExport): AsyncGenerator<Uint8Array> {
  for (let number = 1; number <= found.chunks; number += 1) {
    const content = await readPiece(app.readDb, found, number);
    // The connection ends before the announced length, so the client sees that the file is incomplete.
    if (!content) throw new Error('A piece was removed during the download');
    yield content;
    if (number % PIECES_AT_ONCE === 0) collectYoung();
  }
}
