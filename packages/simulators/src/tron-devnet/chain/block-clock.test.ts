import { expect, test } from 'vitest'
import { alice, bruno, start, startFixture } from '../devnet.fixture.ts'

test('manual blocks are 3 s apart, or at the time of the clock', async () => {
  const { devnet, step } = await startFixture()
  const first = devnet.head().timestamp
  expect(devnet.mine().timestamp).toBe(first + 3_000)
  step(60_000)
  expect(devnet.mine().timestamp).toBe(start + 60_000)
  expect(devnet.mine(2).timestamp).toBe(start + 66_000)
})

test('on a stepped clock blocks are mined at their time', async () => {
  const { ask, devnet, step } = await startFixture({ blockMs: 3_000 })
  const { number, timestamp } = devnet.head()
  devnet.setTokenBalance(bruno, 1n)
  devnet.transfer({ from: bruno, to: alice, value: 1n })
  step(2_999)
  devnet.tick()
  expect(devnet.head().number).toBe(number)
  step(6_001)
  await ask('wallet/getnowblock')
  expect(devnet.head()).toMatchObject({ number: number + 3, timestamp: timestamp + 9_000 })
  expect(devnet.transfers()).toMatchObject([{ block: number + 1 }])
})

test('in real time blocks are mined without tick', async () => {
  const { devnet } = await startFixture({ blockMs: 5, now: undefined })
  const { number } = devnet.head()
  await expect.poll(() => devnet.head().number).toBeGreaterThan(number + 3)
  await expect.poll(() => Math.abs(Date.now() - devnet.head().timestamp)).toBeLessThan(5_000)
})
