import type { App } from '../../app.ts';
import { refuse, type Refused } from '../../kernel/result.ts';

/** The refusal of something that works in the sandbox only. `what` names the thing as the subject of a sentence. */
export type SandboxOnly = { readonly kind: 'SandboxOnly'; readonly what: string };

/** Refuses everything about 3-D Secure scenarios in production. Returns null in the sandbox. */
export const refusedInProduction = ({ config }: Pick<App, 'config'>): Refused<SandboxOnly> | null =>
  config.production ? refuse({ kind: 'SandboxOnly', what: 'A 3-D Secure scenario' }) : null;
