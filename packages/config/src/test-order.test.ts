import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { slowest, slowestFirst } from '../test-order.config.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('every slow file exists', () => {
  expect(slowest.filter((path) => !existsSync(root + path))).toEqual([])
})

test('slow files start first, in the order of the list', async () => {
  const config = fileURLToPath(new URL('../vitest.config.ts', import.meta.url))
  const vitest = await createVitest('test', { config, watch: false })
  const files = await vitest.globTestSpecifications()
  const sorted = await new slowestFirst(vitest).sort(files)
  await vitest.close()
  const paths = sorted.map(({ moduleId }) => moduleId.slice(root.length))
  expect(paths.slice(0, slowest.length)).toEqual(slowest)
  expect(paths.length).toBe(files.length)
})
