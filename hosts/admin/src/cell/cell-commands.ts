import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { CellsFlags, MapFlags, SplitFlags } from './run-cell.ts'

const files = '<file...>'
const envFiles = 'one file for each cell with its CELL and DATABASE_URL, the first cell first'

const splitExamples = `
Example:
  quipu-admin cell split --from g.env --to h.env --tenants ten_01H… ten_01J…
  quipu-admin cell map --cells g.env h.env --out /etc/haproxy/quipu`

/** `cell split`, `cell status` and `cell map`: installations that together serve more than one database can. */
export function addCellCommands(program: Command, context: Context): void {
  const cell = program.command('cell').description('Cells: several installations behind one address')
  cell
    .command('split')
    .summary('Move tenants to a new cell')
    .description(
      'Move tenants from a cell to a new one, whose database is an asynchronous standby of it until now. Their payments stop for about a second; other tenants notice nothing. Safe to end at any moment: the same command goes on, and with --back it goes back while the standby is not promoted. Both databases as the role that migrates.',
    )
    .requiredOption('--from <file>', 'the file with CELL and DATABASE_URL of the cell that has the tenants')
    .requiredOption('--to <file>', 'the file with those of the new cell')
    .requiredOption('--tenants <id...>', 'the tenants that move')
    .option('--drain-seconds <n>', 'how long workers may take to finish what they have claimed', '60')
    .option('--back', 'end a split whose standby is not promoted')
    .addHelpText('after', splitExamples)
    .action(async (flags: SplitFlags) => (await import('./run-cell.ts')).runSplit(flags, context))
  cell
    .command('status')
    .summary('Show each cell, and what moves between them')
    .description('Show the letter of each cell, how many tenants it has, and how many move or have moved.')
    .requiredOption(`--cells ${files}`, envFiles)
    .option('--json', 'print JSON')
    .action(async (flags: CellsFlags) => (await import('./run-cell.ts')).showCells(flags, context))
  cell
    .command('map')
    .summary('Write the map files of HAProxy')
    .description(
      'Write cells.map, which leads keys to their cell by their letter, and moved.map, which leads the older keys of moved tenants by their SHA-256. Reload HAProxy afterwards.',
    )
    .requiredOption(`--cells ${files}`, envFiles)
    .requiredOption('--out <folder>', 'the folder for both files')
    .action(async (flags: MapFlags) => (await import('./run-cell.ts')).writeMaps(flags, context))
}
