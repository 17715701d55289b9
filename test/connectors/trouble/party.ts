import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { CARD, type CreateInput, type Harness } from '../../transactions/harness.ts';
import type { DoubleWebhook } from '../double-server.ts';

/** A fault that every double can make. */
export type Trouble =
  | 'lose_answer'
  | 'error_after_work'
  | 'rate_limited'
  | 'rate_limited_with_hint'
  | 'maintenance'
  | 'truncated'
  | 'unknown_word'
  | 'other_amount'
  | 'other_currency'
  | 'unauthorized'
  | 'forbidden';

/** A real provider in trouble: its double, and the connector that calls the double. */
export type Party = {
  readonly name: string;
  readonly definitionId: string;
  readonly currency: string;
  readonly connector: Connector;
  /** The credentials of a payment service. */
  readonly fields: Readonly<Record<string, string>>;
  /** Prepares the means to pay at a payment service. Returns the fields of a payment that say what pays. */
  means(harness: Harness, paymentServiceId: string): Promise<CreateInput>;
  /** Orders the faults of the next payments, captures or refunds, one each. */
  failNext(...troubles: readonly Trouble[]): void;
  /** Cancels the remaining faults. */
  behave(): void;
  /** Sends the requests to another address, or to the double again with null. */
  moveTo(address: string | null): void;
  /** Counts the authorised payments at the provider. */
  payments(): number;
  /** Returns the sum of all captured amounts at the provider, in minor units. */
  captured(): number;
  /** Ends the API key for the next payment, capture or refund. Absent if the provider gives access tokens for a secret. */
  revokeKey?(): void;
  /** The access tokens, if the provider gives any. */
  readonly access?: {
    /** Ends all tokens when the next request arrives. */
    expireNext(): void;
    /** Counts the given tokens. */
    given(): number;
    /** Lists the keys of the requests that move money. */
    keys(): readonly string[];
  };
  /** The time after which recovery knows whether a request arrived. Two minutes if absent. */
  readonly recoversAfterMs?: number;
  /** True if webhooks only name a payment. */
  readonly onlyNames?: true;
  /** Takes the webhooks that the provider owes. */
  webhooks(): readonly DoubleWebhook[];
  /**
   * Returns like webhooks of another account, whose signature is valid here: one endpoint may serve many accounts. Absent if no webhook
   * tells an authorisation.
   */
  ofAnother?(owed: readonly DoubleWebhook[]): readonly DoubleWebhook[];
  close(): Promise<void>;
};

/** A card pays. */
export const byCard = (): Promise<CreateInput> => Promise.resolve({ paymentMethod: { card: CARD } });

/** The buyer pays by a method of the provider's page. */
export const byRedirect = (method: string): Pick<CreateInput, 'paymentMethod'> => ({
  paymentMethod: { redirect: { method } },
});

/** Pays once with the buyer, whom `approve` sends back, and stores the method. It then pays without the buyer. */
export async function byStoredMethod(
  harness: Harness,
  first: CreateInput,
  approve: () => string | null,
): Promise<CreateInput> {
  const { transaction } = await harness.create({
    ...first,
    ...{ redirectUrl: 'https://shop.example/back', store: true, paymentSource: 'RECURRING' },
  });
  await (await fetch(approve() ?? '', { redirect: 'manual' })).arrayBuffer();
  const { paymentMethodId } = await harness.server.app.db.prisma.transaction.findFirstOrThrow({
    where: { id: transaction?.id ?? '' },
  });
  return {
    ...{ paymentMethod: { stored: { id: paymentMethodId } }, merchantInitiated: true },
    ...{ paymentSource: 'RECURRING', isSubsequentPayment: true },
  };
}

/** Returns the address of each call, which a test may move away from the double. */
export function movable(own: string): Pick<Party, 'moveTo'> & { readonly address: () => string } {
  let address = own;
  return { address: () => address, moveTo: (other) => void (address = other ?? own) };
}
