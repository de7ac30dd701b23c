import type { ScreeningList } from '@quipu/core'
import { normalizedName } from '@quipu/core/adapter'

/** A list in memory: the reason of each address, and of each normalized name. */
export type ListContents = ScreeningList & {
  readonly addresses: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

/** A file that is no list; the message names its first twenty malformed lines. Nothing of it is in force. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused'
}

const namedMax = 20

/**
 * Reads a list: `list,<name>,<version>` first, then `address,<address>,<reason>` and `name,<name>,<reason>`, at the end
 * `end,<number of entries>`. A name may have commas, a reason none. Empty lines and those that begin with `#` are left
 * out.
 *
 * @throws ListRefused for any malformed line, and without the last one: the file is not complete
 */
export function readList(text: string): ListContents {
  const faults: string[] = []
  const lines = text
    .split(/\r?\n/u)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
  const [head, ...rest] = lines
  const header = /^list,([^,]{1,100}),([^,]{1,100})$/u.exec(head?.line ?? '')
  if (header === null) faults.push(`line ${head?.number ?? 1}: must be list,<name>,<version>`)
  const last = rest.at(-1)
  const addresses = new Map<string, string>()
  const names = new Map<string, string>()
  const entries = rest.slice(0, -1)
  for (const { line, number } of entries) {
    const [, kind, value = '', reason = ''] = /^(address|name),(.+),([^,]+)$/u.exec(line) ?? []
    const name = kind === 'name' ? normalizedName(value) : value.trim()
    if (kind === undefined || name === '')
      faults.push(`line ${number}: must be address,<address>,<reason> or name,<name>,<reason>`)
    else (kind === 'name' ? names : addresses).set(name, reason.trim())
  }
  if (last?.line !== `end,${entries.length}`)
    faults.push(`line ${last?.number ?? lines.length + 1}: must be end,${entries.length}, the number of entries`)
  if (faults.length > 0) {
    const more = faults.length > namedMax ? `; and ${faults.length - namedMax} more` : ''
    throw new ListRefused(faults.slice(0, namedMax).join('; ') + more)
  }
  const [, list = '', version = ''] = header ?? []
  return { list: list.trim(), version: version.trim(), addresses, names }
}
