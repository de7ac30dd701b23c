import { Unavailable } from '@quipu/core'
import type { TronDevnet } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkChain, checkedNode, genesisBlockIds } from './check-chain.ts'
import { alice, startFixture } from './devnet.fixture.ts'

async function expectation(devnet: TronDevnet) {
  const answer = await fetch(`${devnet.url}/wallet/getblockbynum?num=0`)
  const { blockID } = (await answer.json()) as { blockID: string }
  return { genesisBlockId: blockID, tokenContract: devnet.tokenContract, decimals: 6 }
}

test('the configured chain with the configured token is accepted', async () => {
  const { devnet, node } = await startFixture()
  await expect(checkChain(node, await expectation(devnet))).resolves.toBeUndefined()
})

test('a node of another chain is refused by name', async () => {
  const { devnet, node } = await startFixture()
  const expected = { ...(await expectation(devnet)), genesisBlockId: genesisBlockIds.shasta }
  devnet.addFaults({ kind: 'alter', on: 'getblock', at: '/blockID', to: genesisBlockIds.mainnet })
  await expect(checkChain(node, expected)).rejects.toThrow(
    /The full node belongs to mainnet \(first block 0{16}1ebf.*\), but shasta \(.*\) is configured/,
  )
})

test('a solidity node of another chain is refused too', async () => {
  const { devnet, node } = await startFixture()
  devnet.addFaults({ kind: 'alter', on: 'walletsolidity/getblock', at: '/blockID', to: genesisBlockIds.nile })
  await expect(checkChain(node, await expectation(devnet))).rejects.toThrow(
    /The solidity node belongs to nile .* but another chain \(first block .*\) is configured/,
  )
})

test('a token with other decimals is refused', async () => {
  const { devnet, node, solidify } = await startFixture()
  const tokenContract = devnet.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 18 })
  solidify()
  await expect(checkChain(node, { ...(await expectation(devnet)), tokenContract })).rejects.toThrow(
    `The token at ${tokenContract} has 18 decimals, but 6 are configured`,
  )
})

test('an address without a contract is refused', async () => {
  const { devnet, node } = await startFixture()
  const expected = { ...(await expectation(devnet)), tokenContract: alice }
  await expect(checkChain(node, expected)).rejects.toThrow(`There is no contract at ${alice}`)
})

test('a node without an answer is Unavailable', async () => {
  const { devnet, node } = await startFixture()
  const expected = await expectation(devnet)
  await devnet.setDown(true)
  await expect(checkChain(node, expected)).rejects.toBeInstanceOf(Unavailable)
})

const Any = z.unknown()

test('a checked node of another chain is asked for nothing else, until it serves the configured one', async () => {
  const { devnet, node } = await startFixture()
  const checked = checkedNode(node, await expectation(devnet))
  const ask = () =>
    Promise.allSettled([
      checked.request('head', 'getnowblock', {}, Any),
      checked.requestOnce('solid', 'getnowblock', {}, Any, 9_999),
    ])
  const counts = () => ['getblock', 'getnowblock'].map((endpoint) => devnet.requests(endpoint).length)
  devnet.addFaults({ kind: 'alter', on: 'getblock', at: '/blockID', to: genesisBlockIds.nile, times: 1 })
  const [first, second] = await ask()
  const { reason } = first as PromiseRejectedResult
  expect([reason, String(reason)]).toEqual([
    expect.any(Unavailable),
    expect.stringContaining('The full node belongs to nile'),
  ])
  expect([second.status, counts()]).toEqual(['rejected', [1, 0]])
  expect((await ask()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await ask()
  expect(counts()).toEqual([3, 4])
})

test('a checked node that does not answer is Unavailable, and not of another chain', async () => {
  const { devnet, node } = await startFixture()
  const checked = checkedNode(node, await expectation(devnet))
  await devnet.setDown(true)
  const asked = checked.request('head', 'getnowblock', {}, Any)
  await expect(asked).rejects.toBeInstanceOf(Unavailable)
  await expect(asked).rejects.not.toHaveProperty('cause')
})
