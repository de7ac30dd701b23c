import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { longTests, longTestsFirst } from '../test-order.config.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('every long test exists', () => {
  expect(longTests.filter((path) => !existsSync(root + path))).toEqual([])
})

test('long tests start first, in the order of the list', async () => {
  const config = fileURLToPath(new URL('../vitest.config.ts', import.meta.url))
  const vitest = await createVitest('test', { config, watch: false })
  const files = await vitest.globTestSpecifications()
  const sorted = await new longTestsFirst(vitest).sort(files)
  await vitest.close()
  const paths = sorted.map(({ moduleId }) => moduleId.slice(root.length))
  expect(paths.slice(0, longTests.length)).toEqual(longTests)
  expect(paths.length).toBe(files.length)
})
