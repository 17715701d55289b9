import pc from 'picocolors';

/**
 * Returns colours for a terminal, and none for a pipe or a file. The package alone would also colour when CI is set.
 */
const coloursFor = (stream: { readonly isTTY?: boolean }) =>
  pc.createColors(Boolean(stream.isTTY) && pc.isColorSupported);

export const forOutput = coloursFor(process.stdout);
export const forErrors = coloursFor(process.stderr);
