import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeDatabase } from './readme.fixture.ts'

test('the program of the README runs', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'readme-'))
  expect(await makeDatabase(folder)).toContain('quipu')
  await rm(folder, { recursive: true })
})
