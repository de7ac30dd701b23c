import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository: string = fileURLToPath(new URL('../../../../..', import.meta.url))

/** A fenced block of a document. */
export type Block = {
  readonly language: string
  readonly text: string
  /** Line number of its first line of text, from 1. */
  readonly line: number
  /** The reason in a `not run` comment above the block; undefined if the block is run. */
  readonly notRun: string | undefined
}

export type Document = {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly text: string
  readonly blocks: readonly Block[]
}

export function readDocument(file: string): Document {
  const text = readFileSync(path.join(repository, file), 'utf8')
  const fenced = /(?:^<!-- not run: (.+) -->\n)?^```(\w*)\n([^]*?)^```$/gm
  const blocks = Array.from(text.matchAll(fenced), (found): Block => {
    const [all, notRun, language = '', body = ''] = found
    const before = text.slice(0, found.index + all.lastIndexOf(body))
    return { language, text: body, notRun, line: before.split('\n').length }
  })
  return { file, text, blocks }
}

/** Whether a document is a translation. `translations.test.ts` compares its blocks with those of the original. */
export const isTranslation = ({ file }: Document): boolean => file.startsWith('docs/es/')

/** README.md, then the documents in docs/, then the READMEs of packages and hosts. */
export function documents(): readonly Document[] {
  const inDocs = globSync('docs/**/*.md', { cwd: repository, exclude: ['**/node_modules/**'] })
  const ofParts = globSync('{packages,hosts}/*/README.md', { cwd: repository })
  const others = [...inDocs.toSorted(), ...ofParts.toSorted()]
  return ['README.md', ...others.map((file) => file.replaceAll('\\', '/'))].map(readDocument)
}

/** Every Markdown file that git tracks or would add. */
export function markdownFiles(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']
  const listed = execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim().split('\n')
  return listed.filter((file) => existsSync(path.join(repository, file)))
}

/**
 * Whether an actual output matches the documented one, in which `…` matches any text of a line.
 *
 * In JSON, numbers, literals and the set of members must be equal; a member `…` allows others.
 * Members that end in `_ms`, and `block`, match any number.
 */
export function fits(written: unknown, actual: unknown): boolean {
  if (typeof written === 'string') return written === '…' || fitsText(written, actual)
  if (typeof written !== 'object' || written === null) return written === actual
  if (typeof actual !== 'object' || actual === null) return false
  const { '…': ellipsis, ...members } = written as Record<string, unknown>
  const actualMembers = actual as Record<string, unknown>
  if (ellipsis === undefined && Object.keys(actualMembers).some((name) => !(name in members))) return false
  return Object.entries(members).every(([name, value]) =>
    /_ms$|^block$/.test(name) ? typeof actualMembers[name] === 'number' : fits(value, actualMembers[name]),
  )
}

function fitsText(written: string, actual: unknown): boolean {
  const pattern = written.split('…').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return typeof actual === 'string' && new RegExp(`^${pattern.join('.*')}$`).test(actual)
}
