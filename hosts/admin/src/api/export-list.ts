import { type Connection } from '../connection/connection.ts'
import { download } from '../connection/download.ts'
import { writeWhole } from '../output/whole-file.ts'
import { progressLine, type Terminal } from '../terminal.ts'

type Export = {
  /** The list's path, with the filters. */
  readonly path: string
  /** `-` prints. */
  readonly file: string
  readonly timeoutMs: number
}

/**
 * Writes a whole list as CSV, with the rows so far on stderr. An answer that ends early leaves the file as it was:
 * the same command repeats it.
 *
 * @throws ApiError, CommandError
 */
export async function exportList(
  connection: Connection,
  { path, file, timeoutMs }: Export,
  terminal: Terminal,
): Promise<void> {
  const progress = progressLine(terminal)
  const target = `${path}${path.includes('?') ? '&' : '?'}format=csv`
  const counter = rowCounter()
  try {
    const chunks = counted(download(connection, { path: target, accept: 'text/csv', timeoutMs }))
    if (file === '-') for await (const chunk of chunks) terminal.out(chunk)
    else await writeWhole(file, chunks, '--csv')
  } finally {
    progress.end()
  }
  if (file !== '-') terminal.error(`${counter.rows()} rows are in ${file}.\n`)

  async function* counted(chunks: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      counter.add(chunk)
      progress.update(`${counter.rows()} rows`)
      yield chunk
    }
  }
}

/** Counts the rows below the header; a cell in quotes may have several lines. */
function rowCounter(): { add(chunk: string): void; rows(): number } {
  let [lines, isQuoted] = [0, false]
  return {
    add(chunk) {
      for (const mark of chunk.match(/["\n]/g) ?? [])
        if (mark === '"') isQuoted = !isQuoted
        else if (!isQuoted) lines += 1
    },
    rows: () => Math.max(0, lines - 1),
  }
}
