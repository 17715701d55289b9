import pc from 'picocolors';

/** Colours for a person at a terminal; plain text for a pipe or a file, where the package alone would colour when CI is set. */
const coloursFor = (stream: { readonly isTTY?: boolean }) =>
  pc.createColors(Boolean(stream.isTTY) && pc.isColorSupported);

export const forOutput = coloursFor(process.stdout);
export const forErrors = coloursFor(process.stderr);
