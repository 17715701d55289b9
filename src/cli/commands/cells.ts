import type { Command } from 'commander';
import type { CellsOptions } from '../cells/cells.ts';
import type { MoveOptions } from '../cells/move.ts';
import { examples, JSON_OPTION } from './words.ts';

/** Adds the commands for several installations behind one address. */
export function addCellsCommands(program: Command): void {
  addCells(program);
  addMove(program);
}

function addCells(program: Command): void {
  program
    .command('cells')
    .description('Check a directory of cells, or print the configuration of nginx for it')
    .argument('<directory>', 'the file with the cells and their merchant accounts, in JSON')
    .option('--nginx', 'print the upstreams and maps for nginx')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('cells', [
        ['cells.json', 'Check a directory'],
        ['cells.json --nginx > /etc/nginx/conf.d/paygraph-cells.conf', 'Write the maps of nginx'],
      ]),
    )
    .action(async (path: string, options: CellsOptions) =>
      (await import('../cells/cells.ts')).cellsCommand(path, options),
    );
}

function addMove(program: Command): void {
  program
    .command('move')
    .description('Move a merchant account to another cell, step by step, or show the moves of this one')
    .option('--merchant-account <id>', 'the merchant account that moves')
    .option('--export <file>', 'in the source: hold the account, and write its rows into a file')
    .option('--to <cell>', 'with --export: the name of the cell that gets the account')
    .option('--wait <seconds>', 'with --export and --gone-to: the longest wait for calls under way', '30')
    .option('--dry-run', 'count the rows of the account by table, and change nothing')
    .option('--import <file>', 'in the target: read the file, and print the receipt')
    .option('--leave <receipt>', 'in the source: let the account go for good, and print the key')
    .option('--open <key>', 'in the target: serve the account, and print the confirmation')
    .option('--forget <confirmation>', 'in the source: remove the rows of the account')
    .option(
      '--abort',
      'give the move up: in the source first, which refuses it after --leave, then in the target',
    )
    .option(
      '--target-lost',
      'with --abort after --leave: the target has no import of the move, and never will',
    )
    .option('--gone-to <cell>', 'after a restore of this cell: close an account that another cell serves')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('move', [
        ['--merchant-account shop --dry-run', 'Count the rows of an account'],
        ['--merchant-account shop --export shop.moving --to b', 'Hold the account, and export it'],
        ['--import shop.moving', 'Import it in the other cell'],
        ['', 'Show the moves of this cell'],
      ]),
    )
    .action(async (options: MoveOptions) => (await import('../cells/move.ts')).moveCommand(options));
}
