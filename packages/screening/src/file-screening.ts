import { readFileSync, statSync } from 'node:fs'
import { type Screening, type ScreeningAnswer, type ScreeningList, type ScreeningSubject } from '@quipu/core'
import { normalizedName } from '@quipu/core/adapter'
import { ListRefused, readList } from './list-file.ts'

/** The file of the list, and who learns of its changes. */
export type FileScreeningOptions = {
  readonly path: string
  /** Called with each list that comes into force after the first one. */
  readonly onLoad?: (list: ScreeningList & { readonly entries: number }) => void
  /** Called once for each changed file that is refused: the list before stays in force. */
  readonly onRefused?: (problem: string) => void
}

/** `reload` reads the file if it has changed; a host calls it every few seconds. */
export type FileScreening = Screening & { reload(): void }

/** Names that payouts repeat are normalized once. */
const rememberedMax = 20_000

/**
 * Screens from a file (its format: `docs/operations/screening.md`). The whole file is in force, or nothing of it.
 *
 * @throws ListRefused when the file is no list, at creation only
 * @throws Error when it cannot be read, at creation only
 */
export function fileScreening({ path, onLoad, onRefused }: FileScreeningOptions): FileScreening {
  let stamp = stampOf(path)
  let contents = readList(readFileSync(path, 'utf8'))
  const keys = new Map<string, string>()
  const keyOf = (text: string): string => {
    const known = keys.get(text)
    if (known !== undefined) return known
    if (keys.size >= rememberedMax) keys.clear()
    const key = normalizedName(text)
    keys.set(text, key)
    return key
  }
  const reasonOf = ({ kind, texts }: ScreeningSubject): string | undefined => {
    for (const text of texts) {
      const reason = kind === 'sender' ? contents.addresses.get(text) : contents.names.get(keyOf(text))
      if (reason !== undefined) return reason
    }
    return undefined
  }
  return {
    name: 'file',
    isLocal: true,
    screen: (subject): ScreeningAnswer => {
      const reason = reasonOf(subject)
      const { list, version } = contents
      return reason === undefined ? { outcome: 'clear', list, version } : { outcome: 'listed', reason, list, version }
    },
    reload: () => {
      try {
        const next = stampOf(path)
        if (next === stamp) return
        stamp = next
        contents = readList(readFileSync(path, 'utf8'))
        onLoad?.({
          list: contents.list,
          version: contents.version,
          entries: contents.addresses.size + contents.names.size,
        })
      } catch (error) {
        onRefused?.(error instanceof ListRefused || error instanceof Error ? error.message : String(error))
      }
    },
  }
}

/** A text that changes with the file's content. */
const stampOf = (path: string): string => {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true })
  return `${mtimeNs} ${size} ${ino}`
}
