import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repository } from '../command.ts'
import type { SqlMutant } from './mutants-of.ts'

/** Why mutants survive that need no test, by `keyOf` within each function. */
export type Explanations = Readonly<Record<string, Readonly<Record<string, string>>>>

export type Result = {
  /** Whose change it is. */
  readonly name: string
  readonly key: string
  readonly place: string
  /** The test that failed, or null. */
  readonly by: string | null
}

/** Names a change within its function: what is replaced, by what, and which of its equals. */
export const keyOf = ({ from, to, nth }: SqlMutant): string =>
  `${from} → ${to || 'nothing'}${nth === 1 ? '' : ` (${nth})`}`

/** Results by the text of the mutant. */
export type Results = {
  of(mutant: SqlMutant): Result | undefined
  /** @param by the test that failed, or null */
  put(mutant: SqlMutant, by: string | null): void
}

/** Reads the results of earlier runs. Concurrent runs may add to the same file; the last line of a mutant counts. */
export function openResults(file: string): Results {
  mkdirSync(dirname(file), { recursive: true })
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const kept = new Map(
    lines.map((line) => {
      const { hash, ...result } = JSON.parse(line) as Result & { readonly hash: string }
      return [hash, result]
    }),
  )
  return {
    of: (mutant) => kept.get(hashOf(mutant)),
    put: (mutant, by) => {
      const { of, line } = mutant
      const result = { name: of.name, key: keyOf(mutant), place: `${of.file}:${line}`, by }
      const hash = hashOf(mutant)
      kept.set(hash, result)
      appendFileSync(file, `${JSON.stringify({ hash, ...result })}\n`)
    },
  }
}

const hashOf = ({ sql }: SqlMutant): string => createHash('sha256').update(sql).digest('hex')

/** The file with the reasons why some mutants may survive. */
const explanationsFile = 'packages/config/sql-survivors.json'

export const readExplanations = (): Explanations =>
  JSON.parse(readFileSync(join(repository, explanationsFile), 'utf8')) as Explanations
