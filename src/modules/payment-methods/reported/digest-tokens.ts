import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { readUndigested, writeDigest, type UndigestedToken } from '../store/reported-tokens.ts';
import { digestToken, unsealToken } from '../stored/instrument.ts';

/**
 * Starts the loop that gives digests to the tokens of earlier versions, so that reports find them. Every process may run
 * one. Each walk covers all tokens without a digest.
 */
export function startTokenDigester(app: Pick<App, 'db' | 'vault' | 'clock' | 'log'>): Loop {
  const { clock, log } = app;
  let after: UndigestedToken | null = null;
  const run = async (signal: AbortSignal): Promise<boolean> => {
    const tokens = await readUndigested(app.db, after, STEP_ROWS);
    for (const token of tokens) await digestOne(app, token);
    after = tokens.length === STEP_ROWS ? (tokens.at(-1) ?? null) : null;
    return after !== null && !signal.aborted;
  };
  return startLoop({ name: 'token-digester', idleMs: IDLE_MS, clock, log, run });
}

/** Writes the digest of one token. Commits once. A token that cannot be opened is logged, and tried again in the next walk. */
async function digestOne(
  { db, vault, log }: Pick<App, 'db' | 'vault' | 'log'>,
  token: UndigestedToken,
): Promise<void> {
  const { merchantAccountId, id } = token;
  try {
    const clear = await unsealToken(vault, token, token.sealedToken);
    await writeDigest(db, token, await digestToken(vault, merchantAccountId, clear));
  } catch (error) {
    log.error({ merchantAccountId, tokenId: id, err: error }, 'A token got no digest.');
  }
}

/** The tokens of one step. */
const STEP_ROWS = 200;

/** The pause between two walks. Processes of an earlier version may store tokens during an upgrade. */
const IDLE_MS = 600_000;
