import { printJson } from '../json.ts';
import { readDirectory } from './directory.ts';
import { nginxOf } from './nginx.ts';

/** The options as written on the command line. */
export type CellsOptions = { readonly nginx?: boolean; readonly json?: boolean | undefined };

/** Checks a directory. Prints its cells, or the configuration of nginx. */
export async function cellsCommand(
  path: string,
  { nginx = false, json = false }: CellsOptions,
): Promise<void> {
  const directory = await readDirectory(path);
  if (nginx) {
    console.log(nginxOf(directory));
    return;
  }
  const cells = Object.entries(directory.cells).map(([name, { publicUrl, servers }]) => ({
    ...{ name, publicUrl, servers },
    isDefault: name === directory.default,
    accounts: Object.values(directory.accounts).filter((cell) => cell === name).length,
  }));
  if (json) printJson({ cells });
  else
    for (const { name, publicUrl, accounts, isDefault } of cells)
      console.log(
        `${name}: ${publicUrl}, ${accounts} accounts by name${isDefault ? ', and every other one' : ''}`,
      );
}
