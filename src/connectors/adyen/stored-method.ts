import { z } from 'zod';
import { parseJson, type CallContext, type StoredMethodAnswer } from '../door.ts';
import { exchange, NOT_SENT } from './exchange.ts';
import type { AdyenHosts } from './hosts.ts';
import { storedCardOf } from './payments/known-card.ts';
import { storedMethodOf } from './stored-token.ts';

const text = z.string().optional().catch(undefined);

const stored = z.object({
  storedPaymentMethods: z
    .array(
      z.object({
        ...{ id: z.string(), brand: text, cardBin: text },
        ...{ lastFour: text, expiryMonth: text, expiryYear: text },
      }),
    )
    .default([]),
});

/** Asks Adyen for the card behind a token. Adyen lists the methods of the token's shopper. */
export async function readAdyenMethod(
  hosts: AdyenHosts,
  context: CallContext,
  token: string,
): Promise<StoredMethodAnswer> {
  const method = storedMethodOf(token);
  if (!method) return { kind: 'not_found' };
  const addresses = hosts(context);
  if (!addresses) return NOT_SENT;
  const { shopperReference, storedPaymentMethodId } = method;
  const merchantAccount = context.credentials['merchant_account'] ?? '';
  const asked = new URLSearchParams({ merchantAccount, shopperReference }).toString();
  const url = `${addresses.checkout}/storedPaymentMethods?${asked}`;
  const exchanged = await exchange(context, { method: 'GET', url });
  if ('unknown' in exchanged) return exchanged.unknown;
  return storedMethodAnswer(exchanged, storedPaymentMethodId);
}

/** Maps Adyen's list to the method with this id. Only a list tells that Adyen does not have the method. */
export function storedMethodAnswer(
  { status, text: body }: { readonly status: number; readonly text: string },
  id: string,
): StoredMethodAnswer {
  if (status !== 200) return { kind: 'unknown', cause: status >= 500 ? 'server_error' : 'unreadable' };
  const listed = stored.safeParse(parseJson(body)).data;
  if (!listed) return { kind: 'unknown', cause: 'unreadable' };
  const found = listed.storedPaymentMethods.find((method) => method.id === id);
  return found ? { kind: 'found', card: storedCardOf(found) } : { kind: 'not_found' };
}
