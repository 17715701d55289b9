import type { AuthorizeRequest, NetworkToken, Series } from '../../door.ts';
import { bankToWire } from './bank-wire.ts';
import type { SimulatorRequest } from '../simulator/simulator.ts';
import { isRecurring, type NetworkTokenOnWire } from '../simulator/token-cards.ts';

type Means = Pick<AuthorizeRequest, 'card' | 'token' | 'wallet' | 'networkToken' | 'bank' | 'series'>;

type MeansOnWire = Pick<
  SimulatorRequest,
  'card' | 'token' | 'client_token' | 'wallet' | 'network_token' | 'bank'
>;

/** Maps the means to pay to the provider's format. Empty if the buyer chooses at the provider's page. */
export const meansToWire = (
  { card, token, wallet, networkToken, bank, series }: Means,
  takesClientTokens: boolean,
): MeansOnWire => ({
  ...(card && { card: { number: card.number, expiry: card.expirationDate, cvv: card.securityCode } }),
  ...(token !== null && tokenToWire(token, series, takesClientTokens)),
  ...(wallet && { wallet: { type: wallet.wallet, token: wallet.token } }),
  ...(networkToken && { network_token: networkTokenToWire(networkToken) }),
  ...(bank && { bank: bankToWire(bank) }),
});

/** Tells a client's token from the provider's own name of a stored payment method. */
const tokenToWire = (
  token: string,
  { merchantInitiated, isSubsequentPayment }: Series,
  takesClientTokens: boolean,
): Pick<SimulatorRequest, 'token' | 'client_token'> =>
  takesClientTokens && !merchantInitiated && !isSubsequentPayment && !isRecurring(token)
    ? { client_token: token }
    : { token };

const networkTokenToWire = ({
  number,
  expirationDate,
  cryptogram,
  eci,
}: NetworkToken): NetworkTokenOnWire => ({ number, expiry: expirationDate, cryptogram, eci });
