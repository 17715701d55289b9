import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { createPublicKey } from 'node:crypto';
import { mintFromFile, sandboxKeyFile } from '../../src/cli/run/token.ts';
import { generateKey, thumbprintOf } from '../../src/modules/accounts/model/key-material.ts';
import {
  readApiKeyFile,
  sandboxKeyPath,
  writeApiKeyFile,
  type ApiKeyFile,
} from '../../src/platform/process/api-key-file.ts';
import { systemClock } from '../../src/platform/clock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-token-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeKey(): Promise<ApiKeyFile> {
  const made = await generateKey('es512');
  return { kid: await thumbprintOf(made), algorithm: 'es512', privateKeyPem: made.privateKeyPem };
}

describe('the file of a key', () => {
  test('is for its owner only and keeps its content, with no other file beside it', async () => {
    expect(await readApiKeyFile(sandboxKeyPath(folder))).toBeNull();
    const key = await makeKey();
    await writeApiKeyFile(sandboxKeyPath(folder), await makeKey());
    await writeApiKeyFile(sandboxKeyPath(folder), key);
    expect(await readApiKeyFile(sandboxKeyPath(folder))).toEqual(key);
    expect((await stat(sandboxKeyPath(folder))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['sandbox-api-key.json']);
  });

  test.each(['', '{', 'null', '{"kid":"x"}'])(
    'that holds %j is distinguished from a missing one',
    async (text) => {
      await writeFile(sandboxKeyPath(folder), text);
      await expect(readApiKeyFile(sandboxKeyPath(folder))).rejects.toThrow(
        `${sandboxKeyPath(folder)} is damaged. Remove the file and start again to get a new key.`,
      );
    },
  );
});

describe('a token from the command line', () => {
  test('is signed with the key, for every scope and an hour', async () => {
    const key = await makeKey();
    await writeApiKeyFile(sandboxKeyPath(folder), key);
    const before = Math.floor(Date.now() / 1000);
    const token = await mintFromFile(sandboxKeyFile(folder), {}, systemClock);
    expect(decodeProtectedHeader(token)).toEqual({ typ: 'JWT', alg: 'ES512', kid: key.kid });
    const { payload } = await jwtVerify(token, createPublicKey(key.privateKeyPem));
    expect(payload).toMatchObject({ iss: 'paygraph-cli', scopes: ['*.read', '*.write'] });
    expect(payload.sub).toBe(userInfo().username);
    expect(payload.nbf).toBeGreaterThanOrEqual(before);
    expect(Number(payload.exp) - Number(payload.nbf)).toBe(3600);
    expect(payload).not.toHaveProperty('merchant_account_id');
  });

  test('can request less', async () => {
    await writeApiKeyFile(sandboxKeyPath(folder), await makeKey());
    const options = {
      scopes: 'transactions.read, events.read',
      expires: '15m',
      merchantAccount: 'shop',
      audience: 'https://pay.example.com',
    };
    const { aud, scopes, scope, nbf, exp, merchant_account_id } = decodeJwt(
      await mintFromFile(sandboxKeyFile(folder), options, systemClock),
    );
    expect({ aud, scopes, scope, merchant_account_id }).toEqual({
      aud: 'https://pay.example.com',
      scopes: ['transactions.read', 'events.read'],
      scope: 'transactions.read events.read',
      merchant_account_id: 'shop',
    });
    expect(Number(exp) - Number(nbf)).toBe(900);
  });

  test.each([
    [{ expires: '1s' }, 1],
    [{ expires: '24h' }, 86_400],
    [{ expires: '1440m' }, 86_400],
  ])('is valid for %j', async (options, seconds) => {
    await writeApiKeyFile(sandboxKeyPath(folder), await makeKey());
    const { nbf, exp } = decodeJwt(await mintFromFile(sandboxKeyFile(folder), options, systemClock));
    expect(Number(exp) - Number(nbf)).toBe(seconds);
  });

  const LIFE = '--expires: must be from 1s to 24h. Give a number with s, m or h, for example 15m.';
  test.each([
    [{ expires: '0s' }, LIFE],
    [{ expires: '25h' }, LIFE],
    [{ expires: '86401s' }, LIFE],
    [{ expires: '1d' }, LIFE],
    [{ expires: '-1h' }, LIFE],
    [{ expires: '' }, LIFE],
    [
      { scopes: '*.read,everything' },
      '--scopes: unknown scope everything. Give scopes such as transactions.write or *.read, with commas between.',
    ],
    [
      { merchantAccount: 'two words' },
      '--merchant-account: must be an id of 1 to 50 letters, digits or hyphens.',
    ],
  ])('is refused for %j', async (options, message) => {
    await writeApiKeyFile(sandboxKeyPath(folder), await makeKey());
    await expect(mintFromFile(sandboxKeyFile(folder), options, systemClock)).rejects.toThrow(message);
  });

  test('needs a key', async () => {
    await expect(mintFromFile(sandboxKeyFile(folder), {}, systemClock)).rejects.toThrow(
      `There is no key at ${sandboxKeyPath(folder)}. Start the service once to create the key: npm start`,
    );
  });
});
