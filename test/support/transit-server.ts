import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A key service with the transit API. Its AES-256-GCM keys are real, have versions, and never leave the server. */
export type TransitServer = {
  readonly url: string;
  /** The accepted token. */
  readonly token: string;
  /** Each answered request: path and status. */
  readonly requests: readonly (readonly [path: string, status: number])[];
  /** Adds a version to a key. The key encrypts with the new version from now on. */
  rotate(key: string): void;
  /** Answers every request with this status. Null restores normal answers. */
  fail(status: number | null): void;
  close(): Promise<void>;
};

/** Starts a key service with these keys, such as `transit/paygraph`. */
export async function startTransitServer(...keys: readonly string[]): Promise<TransitServer> {
  const token = `s.${randomBytes(12).toString('hex')}`;
  const versions = new Map(keys.map((key) => [key, [randomBytes(32)]]));
  const requests: (readonly [string, number])[] = [];
  let failing: number | null = null;
  const server = createServer((incoming, response) => {
    void read(incoming).then((body) => {
      const answer =
        failing === null ? answerTo(incoming, body, { token, versions }) : { status: failing, data: null };
      requests.push([incoming.url ?? '', answer.status]);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(answer.status === 200 ? { data: answer.data } : { errors: [`no: ${body}`] }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    requests,
    rotate: (key) => void versions.get(key)?.push(randomBytes(32)),
    fail: (status) => {
      failing = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Keys = { readonly token: string; readonly versions: ReadonlyMap<string, readonly Buffer[]> };
type Answer = { readonly status: number; readonly data: unknown };

function answerTo({ method, url = '', headers }: IncomingMessage, body: string, keys: Keys): Answer {
  if (headers['x-vault-token'] !== keys.token) return { status: 403, data: null };
  const [, mount = '', verb = '', name = ''] = /^\/v1\/(.+)\/(encrypt|decrypt)\/([^/]+)$/.exec(url) ?? [];
  const versions = keys.versions.get(`${mount}/${name}`);
  if (method !== 'POST' || !versions) return { status: 404, data: null };
  const given = JSON.parse(body) as Record<string, string>;
  const associated = Buffer.from(given['associated_data'] ?? '', 'base64');
  return verb === 'encrypt'
    ? { status: 200, data: { ciphertext: encrypt(versions, associated, given['plaintext'] ?? '') } }
    : decrypt(versions, associated, given['ciphertext'] ?? '');
}

function encrypt(versions: readonly Buffer[], associated: Buffer, plaintext: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', versions.at(-1) ?? '', iv).setAAD(associated);
  const parts = [iv, cipher.update(plaintext, 'base64'), cipher.final(), cipher.getAuthTag()];
  return `vault:v${versions.length}:${Buffer.concat(parts).toString('base64')}`;
}

function decrypt(versions: readonly Buffer[], associated: Buffer, ciphertext: string): Answer {
  const [, version = '', text = ''] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? [];
  const bytes = Buffer.from(text, 'base64');
  const key = versions[Number(version) - 1];
  if (!key || bytes.length < 28) return { status: 400, data: null };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(associated).setAuthTag(bytes.subarray(-16));
  try {
    const clear = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    return { status: 200, data: { plaintext: clear.toString('base64') } };
  } catch {
    return { status: 400, data: null };
  }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
