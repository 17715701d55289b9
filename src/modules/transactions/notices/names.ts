import { isOperationNotice, type Notice, type WebhookNotice } from '../../../connectors/notices/webhook.ts';
import { isStoredMethodNotice } from '../../../connectors/notices/stored-methods.ts';
import type { StoredWebhook } from './webhook.ts';

type Names = { readonly key: string | null; readonly reference: string | null };

/** Returns the names by which the end of an operation wakes a waiting webhook. A token is no such name. */
export function namesOf(notice: WebhookNotice): Names {
  if (isStoredMethodNotice(notice)) return { key: null, reference: null };
  const authorizationKey = 'authorizationKey' in notice ? (notice.authorizationKey ?? null) : null;
  return {
    key: notice.key ?? authorizationKey,
    // The payment's reference matches earlier, because the payment's reference is known first.
    reference: notice.paymentReference ?? notice.reference,
  };
}

/**
 * Returns the verbs under which providers report the same operation. A sale captures by itself, and a release is a void or a
 * cancel.
 */
export const verbsLike = (verb: Notice['verb']): readonly Notice['verb'][] =>
  ALIKE.find((verbs) => verbs.includes(verb)) ?? [verb];

const ALIKE: readonly (readonly Notice['verb'][])[] = [
  ['authorize', 'capture'],
  ['void', 'cancel'],
];

/**
 * Returns one text for webhooks whose notices name the same operation by the same name. Any other webhook has a text of its own.
 */
export function operationNameOf({ merchantAccountId, paymentServiceId, id, notice }: StoredWebhook): string {
  if (!isOperationNotice(notice)) return id;
  const { key, reference } = namesOf(notice);
  const [verb] = verbsLike(notice.verb);
  return JSON.stringify([merchantAccountId, paymentServiceId, verb, key ?? reference]);
}
