import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { admin } from '../test/admin.fixture.ts'
import { csvServer } from '../test/csv-server.fixture.ts'

const chunks = ['id,name\r\n', '1,"a ""name""\r\nof two lines"\r\n2,', 'b\r\n']

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-export-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('--csv writes the whole list with its filters, and prints how many rows there are', async () => {
  const { env, paths } = await csvServer(chunks)
  const file = path.join(await newFolder(), 'payouts.csv')
  const args = ['payouts', 'list', '--status', 'completed', '--csv', file]
  const { code, error } = await admin(args, { env, showsProgress: true })
  expect(code).toBe(0)
  expect(error).toContain('\u001B[K2 rows\r')
  expect(error).toContain(`2 rows are in ${file}.\n`)
  expect(await readFile(file, 'utf8')).toBe(chunks.join(''))
  expect(paths).toEqual(['/operator/v1/payouts?status=completed&format=csv'])
})

test('--csv - prints the list', async () => {
  const { env } = await csvServer(chunks)
  expect(await admin(['audit-log', 'list', '--csv', '-'], { env })).toEqual({
    code: 0,
    out: chunks.join(''),
    error: '',
  })
})

test('an answer that ends early leaves no file', async () => {
  const { env } = await csvServer(chunks, 'cut')
  const folder = await newFolder()
  const { code, error } = await admin(['deposits', 'list', '--csv', path.join(folder, 'x.csv')], { env })
  expect(code).toBe(3)
  expect(error).toMatch(/did not answer completely/)
  expect(await readdir(folder)).toEqual([])
})
