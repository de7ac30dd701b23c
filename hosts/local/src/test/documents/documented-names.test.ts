import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { apiKeyScopes } from '@quipu/core'
import { expect, test } from 'vitest'
import { documents, readDocument, repository } from './documents.fixture.ts'

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => existsSync(path.join(repository, file)))

/** Files that programs write, and names of other systems. */
const foreign = new Set([
  'local.json',
  'secrets.json',
  'docs/api',
  'docs/api/index.html',
  'LISTEN',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'DelaySeconds',
  'node.maxHttpConnectNumber',
  'node.rpc.trxCacheEnable',
  'StartMessageMoveTask',
  'max_slot_wal_keep_size',
  'member_slots_ttl',
  'bin_dir',
  'pg_prepared_xacts',
  'Deprecation',
  'Sunset',
])

/** Decisions name what existed when they were made. */
const checked = documents().filter(({ file }) => !file.startsWith('docs/decisions/'))

const isSource = (file: string): boolean => /\.(?:ts|mjs|js|sql|json|jsonc|yaml|qnt|py|php|go|java)$/.test(file)

const words = new Set(
  files.filter(isSource).flatMap((file) => readFileSync(path.join(repository, file), 'utf8').match(/\w+/g) ?? []),
)

const patternOf = (text: string): string => text.replace(/[$()+.?[\\\]^{|}]/g, '\\$&').replace(/\*+|…/g, '.*')

function exists(name: string, document: string): boolean {
  if (name.startsWith('.')) return files.some((file) => file.endsWith(name))
  if (/\.(?:ts|mjs|sql|md|json|jsonc|yaml|qnt|py|php|go|java)$/.test(name) || isFolder(name)) {
    const beside = path.posix.join(path.posix.dirname(document), name)
    const pattern = new RegExp(`(?:^|/)(?:${patternOf(name)}|${patternOf(beside)})(?:/|$)`)
    return files.some((file) => pattern.test(file))
  }
  return (name.match(/\w+/g) ?? []).every((word) => words.has(word))
}

const isFolder = (name: string): boolean => /^(?:packages|hosts|docs)\/[\w./*-]+$/.test(name)

/** A file, a name alone, a call, or a member: not a command, a path of the API, or JSON. */
const isName = (code: string): boolean =>
  isFolder(code) || /^[\w.…][\w./*…-]*\.[a-z]+$|^[A-Za-z][\w.]*(?:\([\w, …]*\))?$/.test(code)

/** The names in a code span: itself, or the files among the words of a command. */
const namesIn = (code: string): string[] => (isName(code) ? [code] : code.split(/[\s=:'"]+/).filter(isFolder))

test.each(checked.map(({ file, text }) => [file, text] as const))('every name and file in %s exists', (file, text) => {
  const prose = text.replace(/^```[^]*?^```$/gm, '')
  const names = Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, code = '']) => namesIn(code)).flat()
  expect([...new Set(names)].filter((name) => !foreign.has(name) && !exists(name, file))).toEqual([])
})

test('the guide of keys has every scope', () => {
  const [, table = ''] = readDocument('docs/guides/keys.md').text.split('## Scopes')
  const rows = Array.from(table.matchAll(/^\| (`[^|]+) \|/gm), ([, scopes = '']) => scopes).join()
  expect(Array.from(rows.matchAll(/`([^`]+)`/g), ([, scope]) => scope).toSorted()).toEqual([...apiKeyScopes].toSorted())
})
