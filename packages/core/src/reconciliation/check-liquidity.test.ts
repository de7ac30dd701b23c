import { expect, test } from 'vitest'
import { bob } from '../money.ts'
import { checkLiquidity } from './check-liquidity.ts'
import { ids, recordedDifferences } from './reconciliation.fixture.ts'

test('there is one difference while the network has less than the floor, and none otherwise', async () => {
  const differences = recordedDifferences()
  let available = bob(50_000_00n)
  let seconds = 0
  const kept: bigint[] = []
  const check = checkLiquidity(
    {
      differences,
      reports: { recordLiquidity: async (reading) => void kept.push(reading.available.minor) },
      ids,
      now: () => new Date(1e3 * seconds++),
      network: { liquidity: async () => ({ available, at: new Date(0) }) },
    },
    bob(50_000_00n),
  )
  expect(await check()).toEqual({ available, isLow: false })
  expect(differences.all()).toEqual([])
  for (const minor of [49_999_99n, 1n]) {
    available = bob(minor)
    expect(await check()).toEqual({ available, isLow: true })
  }
  expect(differences.all()).toMatchObject([
    {
      check: 'liquidity',
      kind: 'below_floor',
      subject: 'network',
      tenantId: null,
      expected: bob(5000000n),
      found: bob(1n),
      detail: 'the network can pay out 0.01 BOB, below the floor of 50000.00 BOB; top up the account at the network',
    },
  ])
  available = bob(50_000_00n)
  await check()
  expect(differences.all()).toEqual([])
  expect(kept).toEqual([50_000_00n, 49_999_99n, 1n, 50_000_00n])
})
