import type { App } from '../../app.ts';
import { refuse, type Refused } from '../../kernel/result.ts';

/** What was asked for works in the sandbox only. `what`: in words, the subject of a sentence. */
export type SandboxOnly = { readonly kind: 'SandboxOnly'; readonly what: string };

/** The refusal of everything about 3-D Secure scenarios in production; null in the sandbox. */
export const refusedInProduction = ({ config }: Pick<App, 'config'>): Refused<SandboxOnly> | null =>
  config.production ? refuse({ kind: 'SandboxOnly', what: 'A 3-D Secure scenario' }) : null;
