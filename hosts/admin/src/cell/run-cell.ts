import { table } from '@quipu/client/terminal'
import { movedKeys, readCell, splitCell, undoSplit } from '@quipu/postgres'
import { CellSettings } from '@quipu/runtime'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { usageError } from '../exit.ts'
import { environmentOf, ownerOf, settingsOf } from '../settings.ts'

export type SplitFlags = {
  readonly from: string
  readonly to: string
  readonly tenants: string[]
  readonly back?: true
  readonly drainSeconds: string
}
export type CellsFlags = { readonly cells: string[]; readonly json?: true }
export type MapFlags = CellsFlags & { readonly out: string }

const cellOf = async (file: string): Promise<z.output<typeof CellSettings>> =>
  settingsOf(CellSettings, await environmentOf([file], {}))

/** Moves tenants, or goes back. @throws CommandError */
export async function runSplit({ from, to, tenants, back, drainSeconds }: SplitFlags, context: Context): Promise<void> {
  const { terminal, pause } = context
  const [old, next] = [await cellOf(from), await cellOf(to)]
  if (next.CELL === undefined) throw usageError(`--to: ${to} must have CELL, the letter of the new cell.`)
  if (!/^\d{1,4}$/.test(drainSeconds)) throw usageError('--drain-seconds must be a whole number from 0 to 9999.')
  const split = { from: ownerOf(old), to: ownerOf(next), tenants, cell: next.CELL }
  if (back) {
    await atDatabase('The tenants did not stay', undoSplit(split))
    return terminal.out('The tenants stay. Make a new standby only if this one was ended.\n')
  }
  let shown = ''
  const report = (step: string, detail: string): void => {
    const line = `${step}: ${detail}`
    if (line !== shown) terminal.out(`${line}\n`)
    shown = line
  }
  const options = { report, pause, drainSeconds: Number(drainSeconds) }
  await atDatabase('The split is not complete; repeat the command', splitCell(split, options))
  terminal.out(`Moved: ${tenants.length}. Start the processes of cell ${next.CELL}, then \`quipu-admin cell map\`.\n`)
}

/** Prints a row for each cell, and for what moves between them. @throws CommandError */
export async function showCells({ cells, json }: CellsFlags, { terminal }: Context): Promise<void> {
  const rows = await Promise.all(
    cells.map(async (file) => {
      const { DATABASE_URL } = await cellOf(file)
      return { file, ...(await atDatabase(`${file} was not read`, readCell(DATABASE_URL))) }
    }),
  )
  if (json) return terminal.out(`${JSON.stringify({ cells: rows })}\n`)
  const shown = rows.map(({ file, letter, isStandby, tenants, moving }) => ({
    file,
    cell: letter ?? 'none',
    server: isStandby ? 'standby' : 'primary',
    tenants,
    moving: moving.map((each) => `${each.tenants} ${each.step}, ${each.cell}`).join('; '),
  }))
  terminal.out(`${table(shown, ['file', 'cell', 'server', 'tenants', 'moving'], undefined).lines.join('\n')}\n`)
}

/** Writes both maps, each at once. @throws CommandError */
export async function writeMaps({ cells, out }: MapFlags, { terminal }: Context): Promise<void> {
  const found = await Promise.all(
    cells.map(async (file) => {
      const { DATABASE_URL } = await cellOf(file)
      const { letter, hashes } = await atDatabase(`${file} was not read`, movedKeys(DATABASE_URL))
      if (letter === null)
        throw usageError(`${file}: its database has no letter: run \`quipu-admin migrate\` with CELL.`)
      return { letter, hashes }
    }),
  )
  const letters = found.flatMap(({ letter }) => ['live', 'test'].map((kind) => `qpu_${kind}_${letter} ${letter}\n`))
  const moved = found.flatMap(({ letter, hashes }) => hashes.map((hash) => `${hash} ${letter}\n`))
  for (const [name, lines] of [
    ['cells.map', letters],
    ['moved.map', moved],
  ] as const) {
    const file = path.join(out, name)
    await writeFile(`${file}.new`, lines.join('')).catch(() => {
      throw usageError(`--out: ${file} cannot be written.`)
    })
    await rename(`${file}.new`, file)
  }
  terminal.out(`Cells: ${letters.length / 2}; moved keys: ${moved.length}. Reload HAProxy.\n`)
}
