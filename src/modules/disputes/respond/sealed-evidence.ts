import type { Evidence } from '../../../connectors/interface/dispute-responses.ts';
import type { SealContext, Vault } from '../../../platform/vault/vault.ts';
import type { DisputeResponse } from './response.ts';

type Owner = Pick<DisputeResponse, 'merchantAccountId' | 'id'>;

const context = ({ merchantAccountId, id }: Owner): SealContext => ({
  merchantAccountId,
  table: 'dispute_response',
  column: 'sealed_evidence',
  rowId: id,
});

/** Seals the evidence of a response. Call outside a transaction, because the vault may use the network. */
export const sealEvidence = (vault: Vault, owner: Owner, evidence: Evidence): Promise<string> =>
  vault.seal(context(owner), JSON.stringify(evidence));

/** Opens the evidence that `sealEvidence` sealed for this response. */
export const openEvidence = async (vault: Vault, owner: Owner, sealed: string): Promise<Evidence> =>
  // The column holds no other form.
  JSON.parse(await vault.open(context(owner), sealed)) as Evidence;
