/** The end of a webhook: a change, no change, or no match in time. */
export type InboundEnd = 'applied' | 'ignored' | 'expired';
