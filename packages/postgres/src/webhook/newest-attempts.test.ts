import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test.each([0, 1, 22, 23, 24, 30])('of %i attempts and one more the newest 24 stay', async (count) => {
  const attempts = Array.from({ length: count }, (_, i) => String(i + 1))
  const [row] = await harness.sql('select quipu.newest_attempts($1, $2) as kept', [attempts, 'new'])
  expect(row).toEqual({ kept: [...attempts, 'new'].slice(-24) })
})
