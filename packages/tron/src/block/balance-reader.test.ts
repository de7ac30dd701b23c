import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { accountAt, alice, bruno, carla, startFixture, vmError } from '../devnet.fixture.ts'
import { accountWord } from '../token/token-calls.ts'
import { tronBalanceReader } from './balance-reader.ts'

async function start() {
  const fixture = await startFixture()
  const { node, devnet } = fixture
  const { tokenContract } = devnet
  return { ...fixture, reader: tronBalanceReader({ node, tokenContract, replicaLagBlocks: 2 }) }
}

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

const none = { result: { result: true }, constant_result: [''] }

test('an account without a balance in its answer is unread, and has not a balance of zero', async () => {
  const { devnet, reader } = await start()
  const accounts = [alice, bruno, carla].map((address) => accountAt(address))
  devnet.addFaults({
    kind: 'rewrite',
    on: 'triggerconstantcontract',
    rewrite: () => none,
    where: { parameter: accountWord(accountAt(bruno)) },
  })
  const { balances, unread } = await reader.tokenBalances(accounts)
  expect([...balances.keys()].toSorted()).toEqual([accountAt(alice), accountAt(carla)].toSorted())
  expect(unread).toEqual([accountAt(bruno)])
})

test('a node that answers no balance is Unavailable, and is not asked for the rest', async () => {
  const { devnet, reader } = await start()
  const accounts = Array.from({ length: 50 }, (_, n) => n.toString(16).padStart(40, '0'))
  devnet.addFaults({ kind: 'rewrite', on: 'triggerconstantcontract', rewrite: () => none })
  await expect(reader.tokenBalances(accounts)).rejects.toThrow(Unavailable)
  expect(devnet.requests('triggerconstantcontract').length).toBeLessThan(50)
})

test('a node without time for one of many calls is asked again', async () => {
  const { devnet, reader } = await start()
  const accounts = Array.from({ length: 50 }, (_, n) => n.toString(16).padStart(40, '0'))
  devnet.addFaults({
    kind: 'alter',
    on: 'triggerconstantcontract',
    at: '/result',
    times: 1,
    after: 30,
    to: vmError('OutOfTimeException : CPU timeout for SWAP1 operation executing'),
  })
  const { balances, unread } = await reader.tokenBalances(accounts)
  expect([balances.size, unread]).toEqual([50, []])
  expect(devnet.requests('triggerconstantcontract')).toHaveLength(51)
})
