import { expect, test } from 'vitest'
import { droppedTransfer, readAfterFault } from './readme.fixture.ts'

test('the programs of the README run', async () => {
  expect(await droppedTransfer()).toEqual([5_000_000n, 0n])
  expect(await readAfterFault()).toEqual([503, 200])
})
