import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { baselineFile } from './baseline.fixture.ts'
import { publicOpenApi } from './public.ts'

const get = 'go install github.com/oasdiff/oasdiff@latest'
const found = ['oasdiff', path.join(process.env['GOPATH'] ?? path.join(homedir(), 'go'), 'bin', 'oasdiff')].filter(
  (command) => spawnSync(command, ['--version']).status === 0,
)
const folder = mkdtempSync(path.join(tmpdir(), 'quipu-document-'))
afterAll(() => rmSync(folder, { recursive: true }))

const changed = path.join(folder, 'changed.json')

/** The breaking changes of a document. */
function breaking(oasdiff: string, base: string, text: string): readonly { readonly id: string }[] {
  writeFileSync(changed, text)
  const output = execFileSync(oasdiff, ['breaking', base, changed, '--format', 'json'], { encoding: 'utf8' })
  return JSON.parse(output || '[]') as { readonly id: string }[]
}

const missing = found.length === 0 ? [get] : []
test.each(missing)('the document was not compared with its baseline here: %s', (command) => {
  // oxlint-disable-next-line no-console -- what did not run must be seen, though the test passes
  console.warn(`oasdiff is not installed: the document was not compared with its baseline. To compare it: ${command}`)
  expect(command).toMatch(/^go install /)
})

test.each(found)('the document breaks no client of its baseline (`pnpm --filter @quipu/wire baseline`)', (oasdiff) => {
  expect(breaking(oasdiff, baselineFile, JSON.stringify(publicOpenApi()))).toEqual([])
})

test.each(found)('a code that is added breaks no client; a member that is renamed does', (oasdiff) => {
  const text = JSON.stringify(publicOpenApi())
  const base = path.join(folder, 'base.json')
  writeFileSync(base, text)
  const known = '"QUOTE_EXPIRED"'
  expect(breaking(oasdiff, base, text.replaceAll(`,${known}`, `,"NEW_CODE",${known}`))).toEqual([])
  const renamed = breaking(oasdiff, base, text.replaceAll('"completed_at"', '"ended_at"'))
  expect(renamed.map(({ id }) => id)).toContain('response-required-property-removed')
})
