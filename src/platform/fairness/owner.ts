import { AsyncLocalStorage } from 'node:async_hooks';

type Work = { owner: string };

/**
 * The running work and its owner: a merchant account, `PUBLIC` or `BACKGROUND`.
 *
 * Prisma hands nothing from its callers to the pool. So the owner travels with the work instead of with the arguments.
 */
const works = new AsyncLocalStorage<Work>();

/** The owner of a request before its merchant account is known. An id of an account has no space. */
export const PUBLIC = 'public work';

/** The owner of work that no request asked for. */
export const BACKGROUND = 'background work';

/** True for a merchant account. */
export const isAccount = (owner: string): boolean => owner !== PUBLIC && owner !== BACKGROUND;

/** Runs work for an owner. All that the work starts has that owner too. */
export const workFor = <Value>(owner: string, work: () => Value): Value => works.run({ owner }, work);

/** Gives the running work of a request to the merchant account that a token led to. Work with another owner keeps that owner. */
export function assignWork(merchantAccountId: string): void {
  const work = works.getStore();
  if (work?.owner === PUBLIC) work.owner = merchantAccountId;
}

/** Returns the owner of the running work. */
export const ownerOfWork = (): string => works.getStore()?.owner ?? BACKGROUND;
