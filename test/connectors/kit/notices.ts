import { expect } from '@jest/globals';

type Facts = Readonly<Record<string, unknown>>;

/** Matches a notice with at least these facts. Its outcome and its dispute may have further facts, too. */
export const noticeWith = ({
  outcome,
  dispute,
  ...facts
}: Facts & { readonly outcome?: Facts; readonly dispute?: Facts }) =>
  expect.objectContaining({
    ...facts,
    ...(outcome && { outcome: expect.objectContaining(outcome) }),
    ...(dispute && { dispute: expect.objectContaining(dispute) }),
  });
