import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { accountAt, alice, bruno, carla, startFixture } from '../devnet.fixture.ts'
import { tronBalanceReader } from './balance-reader.ts'

async function start() {
  const fixture = await startFixture()
  const { node, devnet } = fixture
  const { tokenContract } = devnet
  return { ...fixture, reader: tronBalanceReader({ node, tokenContract, replicaLagBlocks: 2 }) }
}

test('balances are those of solid blocks, also of accounts without tokens', async () => {
  const { devnet, reader, solidify } = await start()
  devnet.setTokenBalance(alice, 9_000_000n)
  devnet.transfer({ from: alice, to: bruno, value: 2_500_000n })
  devnet.mine()
  const accounts = [alice, bruno, carla].map((address) => accountAt(address))
  const balancesNow = async () => Array.from((await reader.tokenBalances(accounts)).balances)
  expect(new Map(await balancesNow())).toEqual(
    new Map([
      [accountAt(alice), 9_000_000n],
      [accountAt(bruno), 0n],
      [accountAt(carla), 0n],
    ]),
  )
  solidify()
  expect(new Map(await balancesNow()).get(accountAt(bruno))).toBe(2_500_000n)
})

test('the block numbers span the replicas that may have answered', async () => {
  const { devnet, reader, solidify } = await start()
  solidify()
  const { number } = devnet.head('solid')
  expect(await reader.tokenBalances([])).toMatchObject({ from: number - 2, through: number + 2 })
})

test('an account that is asked for twice is read once, and many are read', async () => {
  const { devnet, reader } = await start()
  const accounts = Array.from({ length: 50 }, (_, n) => n.toString(16).padStart(40, '0'))
  const { balances } = await reader.tokenBalances([...accounts, ...accounts])
  expect(balances.size).toBe(50)
  expect(devnet.requests('triggerconstantcontract')).toHaveLength(50)
})

test('an answer without a balance is Unavailable, and not a balance of zero', async () => {
  const { devnet, reader } = await start()
  const none = { result: { result: true }, constant_result: [''] }
  devnet.addFaults({ kind: 'rewrite', on: 'triggerconstantcontract', rewrite: () => none })
  await expect(reader.tokenBalances([accountAt(alice)])).rejects.toThrow(Unavailable)
})
