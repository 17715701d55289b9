import { z } from 'zod';
import type { Viewer } from '../../../app.ts';
import { coversAny } from '../../../kernel/scope.ts';
import { text } from '../../../platform/input/text.ts';
import { readPublicKey, type ApiKeyAlgorithm, type PublicKey } from '../model/key-material.ts';
import { isKnownScope } from '../model/scopes.ts';

export type CreateApiKeyPairInput = {
  readonly displayName: string;
  readonly algorithm?: ApiKeyAlgorithm | null | undefined;
  readonly publicKey?: string | null | undefined;
  readonly scopes: readonly string[];
  readonly merchantAccountIds?: readonly string[] | null | undefined;
  readonly expiresAt?: Date | null | undefined;
};

/** A checked input with the parsed public key. */
export type NewApiKeyPair = Readonly<z.output<ReturnType<typeof createApiKeyPairSchema>>>;

/** The context that an input is checked against. */
type Requested = {
  readonly viewer: Viewer;
  readonly input: CreateApiKeyPairInput;
  /** The requested accounts that exist and that the viewer's token can access. */
  readonly accounts: ReadonlySet<string>;
  readonly now: Date;
};

/** Returns the schema of an input. All checks are of single values, so one response lists every failure. */
export const createApiKeyPairSchema = ({ viewer, input, accounts, now }: Requested) =>
  z.object({
    displayName,
    algorithm: z.enum(['es256', 'es512', 'eddsa', 'rs512']).nullish(),
    publicKey: publicKey(input.algorithm ?? null).nullish(),
    scopes: z
      .array(scope(viewer.scopes))
      .min(1, 'Give at least one.')
      .max(LIST_MAX, `Give at most ${LIST_MAX}.`),
    merchantAccountIds: z
      .array(
        z.string().refine((id) => accounts.has(id), 'Your token has no access to this merchant account.'),
      )
      .max(LIST_MAX, `Give at most ${LIST_MAX}.`)
      .nullish(),
    expiresAt: moment.refine((date) => date.getTime() > now.getTime(), 'Must be in the future.').nullish(),
  });

export type UpdateApiKeyPairInput = Readonly<z.input<ReturnType<typeof updateApiKeyPairSchema>>>;

const displayName = text(1, 200);

const LIST_MAX = 100;

const scope = (granted: readonly string[]) =>
  z.string().superRefine((wanted, context) => {
    const message = !isKnownScope(wanted)
      ? 'This scope does not exist.'
      : coversAny(granted, wanted)
        ? null
        : 'Your token lacks this scope.';
    if (message) context.addIssue({ code: 'custom', message });
  });

const publicKey = (algorithm: ApiKeyAlgorithm | null) =>
  z.string().transform((pem, context): PublicKey => {
    const key = readPublicKey(pem);
    const message =
      'refused' in key
        ? key.refused
        : algorithm && algorithm !== key.algorithm
          ? 'The public key does not match the algorithm.'
          : null;
    if ('refused' in key || message) {
      context.addIssue({ code: 'custom', message: message ?? '' });
      return z.NEVER;
    }
    return key;
  });

/** The bounds are the dates that the database and ISO 8601 can both write. */
const moment = z
  .date()
  .min(new Date('1970-01-01T00:00:00.000Z'), 'Must not be before 1970.')
  .max(new Date('9999-12-31T23:59:59.999Z'), 'Must not be after 9999.');

/** Returns the schema of an update. A later moment would refuse every token until then, so `tokensNotBefore` has passed. */
export const updateApiKeyPairSchema = (now: Date) =>
  z.object({
    displayName: displayName.nullish(),
    active: z.boolean().nullish(),
    expiresAt: moment.nullish(),
    tokensNotBefore: moment.max(now, 'Must not be in the future.').nullish(),
  });
