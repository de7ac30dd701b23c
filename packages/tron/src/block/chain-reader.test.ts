import { type ChainReader, Unavailable } from '@quipu/core'
import type { ChainView } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { tronChainReader } from './chain-reader.ts'
import { accountAt, alice, bruno, carla, startFixture, vmError } from '../devnet.fixture.ts'

const transfer = { from: alice, to: bruno, value: 1_500_000n }

async function blockAt(reader: ChainReader, view: ChainView, number: number) {
  const block = await reader.block(view, number)
  if (!block) throw new Error(`There is no block ${number}.`)
  return block
}

test('a block has number, id, parent, transactions and transfers', async () => {
  const { devnet, reader } = await startFixture()
  devnet.setTokenBalance(alice, 9_000_000n)
  const parent = devnet.head()
  const first = devnet.transfer(transfer)
  const failed = devnet.transfer({ ...transfer, value: 1_000_000_000n })
  const { number, id, timestamp } = devnet.mine()
  expect(await reader.block('head', number)).toEqual({
    number,
    id,
    at: new Date(timestamp),
    parentId: parent.id,
    transactions: [first, failed],
    transfers: [
      {
        txHash: first,
        index: 0,
        from: accountAt(alice),
        to: accountAt(bruno),
        value: 1_500_000n,
        expiresAt: expect.any(Date),
      },
    ],
    unknownTokenTransfers: [],
  })
})

test('the transfers of blocks equal the logs of the chain', async () => {
  const { devnet, reader } = await startFixture()
  const fake = devnet.deployToken({ name: 'Tether USD', symbol: 'USDT' })
  devnet.setTokenBalance(alice, 9_000_000n)
  devnet.scriptTx({
    transfers: [transfer, { ...transfer, to: carla }],
    logs: [
      { contract: fake, topics: ['Approval(address,address,uint256)'] },
      { ...transfer, token: fake },
      { ...transfer, value: 2n ** 256n - 1n },
    ],
  })
  devnet.call('transferFrom(address,address,uint256)', [alice, carla, 0n], { from: bruno })
  const { number } = devnet.mine()
  const { transfers, unknownTokenTransfers } = await blockAt(reader, 'head', number)
  const truth = devnet.transfers().filter(({ block }) => block === number)
  const ours = truth.filter(({ contract }) => contract === devnet.tokenContract)
  expect(ours).toHaveLength(4)
  expect(transfers).toEqual(
    ours.map(({ txid, index, from, to, value }) =>
      expect.objectContaining({ txHash: txid, index, from: accountAt(from), to: accountAt(to), value }),
    ),
  )
  expect(unknownTokenTransfers).toEqual([
    { txHash: expect.any(String), contract: accountAt(fake), to: accountAt(bruno) },
  ])
})

test('expiration: a transfer has the time after which it cannot be mined', async () => {
  const { devnet, reader } = await startFixture()
  const { timestamp } = devnet.head()
  devnet.scriptTx({ logs: [transfer], expiresInMs: 77_000 })
  const { transfers } = await blockAt(reader, 'head', devnet.mine().number)
  expect(transfers[0]?.expiresAt).toEqual(new Date(timestamp + 77_000))
})

test('fee-on-transfer: the value is the received amount', async () => {
  const { devnet, reader } = await startFixture()
  devnet.setTokenBalance(alice, 9_000_000n)
  devnet.setTokenFee({ rate: 100n, max: 1_000_000n })
  devnet.transfer(transfer)
  const { transfers } = await blockAt(reader, 'head', devnet.mine().number)
  const arrived = transfers.find(({ to }) => to === accountAt(bruno))
  expect(arrived?.value).toBe(devnet.tokenBalance(bruno))
  expect(arrived?.value).toBeLessThan(transfer.value)
})

test('head vs solid: the solid view ends at the node’s solid block', async () => {
  const { devnet, reader } = await startFixture({ solidLag: 18 })
  devnet.mine(30)
  const head = await reader.head('head')
  const solid = await reader.head('solid')
  expect([head.number, solid.number]).toEqual([devnet.head().number, devnet.head().number - 18])
  expect(await reader.ref('solid', solid.number)).toEqual(solid)
  expect(await reader.ref('solid', solid.number + 1)).toBeUndefined()
  expect(await reader.block('solid', solid.number + 1)).toBeUndefined()
  expect(await reader.block('head', solid.number + 1)).toBeDefined()
  devnet.stallSolid()
  devnet.mine(30)
  expect(await reader.head('solid')).toEqual(solid)
})

test('the head and a reference are read without their transactions', async () => {
  const { devnet, reader } = await startFixture()
  await reader.head('solid')
  await reader.ref('head', 1)
  expect(devnet.requests('getblock').map(({ body }) => body)).toEqual([
    { detail: false },
    { id_or_num: '1', detail: false },
  ])
})

test('an empty block needs no infos', async () => {
  const { devnet, reader } = await startFixture()
  const { number } = devnet.mine()
  expect(await blockAt(reader, 'head', number)).toMatchObject({ transactions: [], transfers: [] })
  expect(devnet.requests('gettransactioninfobyblocknum')).toEqual([])
})

test('silent empty: a block without its infos is read again, and never returned without them', async () => {
  const { devnet, reader, waits } = await startFixture()
  devnet.scriptTx({ logs: [transfer] })
  const { number } = devnet.mine()
  devnet.addFaults({ kind: 'empty', on: 'gettransactioninfobyblocknum', times: 2 })
  expect((await blockAt(reader, 'head', number)).transfers).toHaveLength(1)
  expect(waits).toHaveLength(2)
  devnet.addFaults({ kind: 'empty', on: 'gettransactioninfobyblocknum' })
  await expect(reader.block('head', number)).rejects.toThrow(
    `block ${number}: the 0 infos do not match its 1 transactions`,
  )
  await expect(reader.block('head', number)).rejects.toBeInstanceOf(Unavailable)
})

test('silent empty: a block with a missing info is not returned', async () => {
  const { devnet, reader } = await startFixture()
  devnet.scriptTx({ logs: [transfer] })
  devnet.scriptTx({ logs: [{ ...transfer, to: carla }] })
  const { number } = devnet.mine()
  devnet.addFaults({ kind: 'alter', on: 'gettransactioninfobyblocknum', at: '/0' })
  await expect(reader.block('head', number)).rejects.toBeInstanceOf(Unavailable)
})

test('no hash in infos: a block that a fork replaces during the read is read again', async () => {
  const { devnet, reader } = await startFixture()
  devnet.scriptTx({ logs: [transfer] })
  const before = devnet.mine()
  devnet.addFaults({
    kind: 'rewrite',
    on: 'getblockbynum',
    times: 1,
    rewrite(answer) {
      devnet.fork(1, { drop: 'all' })
      return answer
    },
  })
  const block = await blockAt(reader, 'head', before.number)
  expect(block.id).not.toBe(before.id)
  expect(block).toMatchObject({ transactions: [], transfers: [] })
  expect(block.id).toBe((await reader.ref('head', before.number))?.id)
  expect(devnet.requests('getblockbynum')).toHaveLength(2)
})

test('a block with another number is Unavailable', async () => {
  const { devnet, reader } = await startFixture()
  devnet.mine(3)
  const { number } = devnet.head()
  const answer = await fetch(`${devnet.url}/wallet/getblockbynum?num=${number - 1}`)
  const wrong: unknown = await answer.json()
  devnet.addFaults({ kind: 'rewrite', rewrite: () => wrong })
  await expect(reader.block('head', number)).rejects.toThrow(`the node answered block ${number - 1} for ${number}`)
  await expect(reader.ref('head', number)).rejects.toThrow('the node answered')
})

test.each([
  ['/blockID', (id: string) => `${id}ab`],
  ['/blockID', (id: string) => id.slice(0, -1)],
  ['/block_header/raw_data/parentHash', (id: string) => `ab${id}`],
])('a %s of another length is no answer', async (at, wrong) => {
  const { devnet, reader } = await startFixture()
  const { id, number } = devnet.mine()
  devnet.addFaults({ kind: 'alter', on: 'getblockbynum', at, to: wrong(id) })
  await expect(reader.block('head', number)).rejects.toThrow('invalid answer')
})

test('a stale replica answers undefined for a newer block', async () => {
  const { devnet, reader } = await startFixture()
  devnet.mine(5)
  const { number } = devnet.head()
  devnet.addFaults({ kind: 'stale', blocks: 2, on: 'getblockbynum', times: 1 })
  expect(await reader.block('head', number)).toBeUndefined()
  expect(await reader.block('head', number)).toBeDefined()
})

test('a separate solidity node gets the solid requests', async () => {
  const { devnet, client } = await startFixture()
  const solidity = await devnet.addNode({ lag: 2 })
  const reader = tronChainReader({ node: client({ solidUrl: solidity.url }), tokenContract: devnet.tokenContract })
  devnet.mine(10)
  expect((await reader.head('head')).number).toBe(devnet.head().number)
  expect((await reader.head('solid')).number).toBe(devnet.head('solid').number - 2)
})

test.each([
  ['together', 0],
  ['one by one', 20 * 1024 ** 2],
])('the receipts of a block come %s from the node of its view', async (_, bytes) => {
  const { devnet, client, solidify } = await startFixture()
  const other = await devnet.addNode()
  const { tokenContract } = devnet
  const reader = tronChainReader({ node: client({ solidUrl: other.url }), tokenContract })
  devnet.setTokenBalance(alice, 9_000_000n)
  devnet.transfer(transfer)
  const number = solidify()
  for (const { on, at } of [
    { on: 'gettransactioninfobyblocknum', at: '/0/log/0/data' },
    { on: 'gettransactioninfobyid', at: '/log/0/data' },
  ])
    devnet.addFaults({ kind: 'alter', on, at, to: '0'.repeat(63) + '7' }) // At the full node.
  const large = { kind: 'large', bytes, on: 'gettransactioninfobyblocknum' } as const
  devnet.addFaults(large)
  other.faults.add(large)
  const valueIn = async (view: ChainView) => (await blockAt(reader, view, number)).transfers[0]?.value
  expect(await valueIn('head')).toBe(7n)
  expect(await valueIn('solid')).toBe(transfer.value)
})

test.each([
  ['a node that is busy', { kind: 'busy' }],
  ['no answer', { kind: 'drop', when: 'before' }],
  ['text', { kind: 'text', text: 'nginx' }],
  ['a limit', { kind: 'status', status: 429 }],
] as const)('with %s every question is unavailable, and none is answered', async (_, fault) => {
  const { devnet, reader } = await startFixture()
  devnet.addFaults(fault)
  const questions = [
    reader.head('head'),
    reader.head('solid'),
    reader.block('head', 1),
    reader.ref('solid', 1),
    reader.tokenState(),
    reader.isBlocked(accountAt(alice)),
  ]
  for (const asked of await Promise.allSettled(questions))
    expect(asked).toMatchObject({ status: 'rejected', reason: { dependency: 'chain' } })
})

test('token state: paused, deprecated and charging fees, at the solid block', async () => {
  const { devnet, reader, solidify } = await startFixture()
  solidify()
  expect(await reader.tokenState()).toBe('normal')
  devnet.call('setParams(uint256,uint256)', [10n, 0n])
  solidify()
  expect(await reader.tokenState()).toBe('normal') // A tenth of a percent, and at most nothing.
  devnet.call('setParams(uint256,uint256)', [10n, 5n])
  devnet.mine()
  expect(await reader.tokenState()).toBe('normal') // Not solid yet.
  solidify()
  expect(await reader.tokenState()).toBe('charges_fee')
  devnet.call('deprecate(address)', [carla])
  solidify()
  expect(await reader.tokenState()).toBe('deprecated')
  devnet.call('pause()')
  solidify()
  expect(await reader.tokenState()).toBe('paused')
})

test('concurrent reads of the token state share one request', async () => {
  const { devnet, reader, solidify } = await startFixture()
  solidify()
  await Promise.all([reader.tokenState(), reader.tokenState(), reader.tokenState()])
  expect(devnet.requests('triggerconstantcontract')).toHaveLength(4)
  await reader.tokenState()
  expect(devnet.requests('triggerconstantcontract')).toHaveLength(8)
})

test('an account that the operator blocks is blocked without a request', async () => {
  const { devnet, node } = await startFixture()
  const { tokenContract } = devnet
  const blocked = new Set([accountAt(carla)])
  const reader = tronChainReader({ node, tokenContract, blocked })
  expect(await reader.isBlocked(accountAt(carla))).toBe(true)
  expect(devnet.requests('triggerconstantcontract')).toEqual([])
})

const constant = (result: object, answer = '') => ({
  result: { result: true, ...result },
  energy_used: 500,
  constant_result: [answer],
})
const hex = (text: string): string => Buffer.from(text).toString('hex')

test.each([
  ['fails by an assert', { result: vmError('IllegalOperationException : opCode[fe];') }],
  ['reverts', constant({ message: hex('REVERT opcode executed') })],
  ['answers nothing', constant({})],
])('a test token that %s where it has no such function is normal', async (_, answer) => {
  const { devnet, reader } = await startFixture()
  devnet.addFaults({ kind: 'rewrite', on: 'triggerconstantcontract', rewrite: () => answer })
  expect(await reader.tokenState()).toBe('normal')
  expect(await reader.isBlocked(accountAt(alice))).toBe(false)
})

test.each([
  ['runs out of time', constant({ message: hex('CPU timeout for SLOAD operation executing') })],
  ['fails', { result: { code: 'CONTRACT_EXE_ERROR', message: hex('node is busy') } }],
  ['answers two words', constant({}, '0'.repeat(128))],
  ['has too little energy', { result: vmError('OutOfEnergyException : Not enough energy') }],
])('a node that %s does not make a paused token normal', async (_, answer) => {
  const { devnet, reader } = await startFixture()
  devnet.addFaults({ kind: 'rewrite', on: 'triggerconstantcontract', rewrite: () => answer })
  await expect(reader.tokenState()).rejects.toBeInstanceOf(Unavailable)
  await expect(reader.isBlocked(accountAt(alice))).rejects.toBeInstanceOf(Unavailable)
})

test('TronGrid v1: its lists, which lose transfers, are not requested', async () => {
  const { devnet, reader } = await startFixture()
  devnet.scriptTx({ logs: [transfer] })
  const { number } = devnet.mine()
  await reader.block('head', number)
  await reader.head('solid')
  await reader.tokenState()
  const paths = devnet.requests().map(({ path }) => path)
  expect(paths.every((path) => /^wallet(solidity)?\//.test(path))).toBe(true)
})

test('an invalid contract address throws', async () => {
  const { node } = await startFixture()
  expect(() => tronChainReader({ node, tokenContract: 'USDT' })).toThrow('not a Tron address')
})

test('a block of each view has the receipts of the node of that view, at one height', async () => {
  const [full, solidity] = [await startFixture(), await startFixture()]
  for (const [n, { devnet }] of [full, solidity].entries()) {
    devnet.setTokenBalance(alice, 9_000_000n)
    devnet.transfer({ ...transfer, value: BigInt(n + 1) })
  }
  const [number, other] = [full.solidify(), solidity.solidify()]
  expect(other).toBe(number)
  const node = full.client({ url: full.devnet.url, solidUrl: solidity.devnet.url })
  const reader = tronChainReader({ node, tokenContract: full.devnet.tokenContract })
  const valuesIn = async (view: ChainView) => (await blockAt(reader, view, number)).transfers.map(({ value }) => value)
  expect(await valuesIn('head')).toEqual([1n])
  expect(await valuesIn('solid')).toEqual([2n])
})

test('the block of a transaction is the one that the solidity node has', async () => {
  const { devnet, reader, solidify } = await startFixture()
  devnet.setTokenBalance(alice, 9_000_000n)
  const txHash = devnet.transfer(transfer)
  devnet.mine()
  expect(await reader.blockOf(txHash)).toBeUndefined()
  const { number } = devnet.head()
  solidify()
  expect(await reader.blockOf(txHash)).toBe(number)
  expect(await reader.blockOf('ab'.repeat(32))).toBeUndefined()
})
