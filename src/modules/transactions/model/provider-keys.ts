import type { App } from '../../../app.ts';
import { providerKeysOf } from '../../idempotency/index.ts';
import { mutationOf, type Operation } from './operation.ts';

/** Derives the keys of a part of a payment. Empty when the payment came without an idempotency key. */
export const providerKeysAt = async (
  app: Pick<App, 'vault'>,
  { merchantAccountId, idempotencyKey: key }: Operation,
  part: string,
): Promise<readonly string[]> =>
  key === null ? [] : providerKeysOf(app, { merchantAccountId, mutation: mutationOf.authorize, key, part });

/** Returns the key under which the provider knows an operation. The key is the same on every attempt. */
export const providerKeyOf = ({ id, providerKey }: Pick<Operation, 'id' | 'providerKey'>): string =>
  providerKey ?? id;
