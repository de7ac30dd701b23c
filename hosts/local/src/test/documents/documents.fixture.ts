import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository: string = fileURLToPath(new URL('../../../../..', import.meta.url))

/** A fenced block of a document. */
export type Block = {
  readonly language: string
  readonly text: string
  /** Of its first line of text, from 1. */
  readonly line: number
  /** Why it is not run, as the comment above it says; undefined when it is. */
  readonly notRun: string | undefined
}

export type Document = {
  /** From the root of the repository. */
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

/** The documents that a reader is shown, in the order in which they are read. */
export function documents(): readonly Document[] {
  const inDocs = globSync('docs/**/*.md', { cwd: repository, exclude: ['**/node_modules/**'] })
  const ofParts = globSync('{packages,hosts}/*/README.md', { cwd: repository })
  const others = [...inDocs.toSorted(), ...ofParts.toSorted()]
  return ['README.md', ...others.map((file) => file.replaceAll('\\', '/'))].map(readDocument)
}

/** Every text that git knows or would add and that can hold blocks. */
export function markdownFiles(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']
  const listed = execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim().split('\n')
  return listed.filter((file) => existsSync(path.join(repository, file)))
}

/**
 * Whether a text is as it is written: `…` stands for anything in its line.
 *
 * Of JSON, numbers and literals must be the same, and so must members, unless one of them is `…`.
 * How long something took, and a block's number, are any number.
 */
export function fits(written: unknown, actual: unknown): boolean {
  if (typeof written === 'string') return written === '…' || fitsText(written, actual)
  if (typeof written !== 'object' || written === null) return written === actual
  if (typeof actual !== 'object' || actual === null) return false
  const { '…': open, ...members } = written as Record<string, unknown>
  const others = actual as Record<string, unknown>
  if (open === undefined && Object.keys(others).some((name) => !(name in members))) return false
  return Object.entries(members).every(([name, value]) =>
    /_ms$|^block$/.test(name) ? typeof others[name] === 'number' : fits(value, others[name]),
  )
}

function fitsText(written: string, actual: unknown): boolean {
  const pattern = written.split('…').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return typeof actual === 'string' && new RegExp(`^${pattern.join('.*')}$`).test(actual)
}
