import { type ChainReader, Unavailable } from '@quipu/core'
import type { ChainView } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { alice, bruno, type Fixture, startFixture } from '../devnet.fixture.ts'
import type { TronNodeOptions } from '../node/tron-node.ts'
import { tronChainReader } from './chain-reader.ts'

const anything = z.unknown()

const mib = 1024 ** 2
const receipts = (devnet: Fixture['devnet']) => ({
  together: devnet.requests('gettransactioninfobyblocknum').length,
  single: devnet.requests('gettransactioninfobyid').length,
})

/** A solid block of transfers whose receipts have one log too many before the transfer. */
async function start(count: number, options: Partial<TronNodeOptions> = {}) {
  const fixture = await startFixture()
  const { devnet, client } = fixture
  devnet.setTokenBalance(alice, 9_000_000n)
  const ids = Array.from({ length: count }, (_, n) =>
    devnet.scriptTx({
      logs: [
        { topics: ['Paid(uint256)'] },
        { from: alice, to: bruno, value: BigInt(n + 1), token: devnet.tokenContract },
      ],
    }),
  )
  const number = fixture.solidify()
  const reader = tronChainReader({ node: client(options), tokenContract: devnet.tokenContract })
  return { ...fixture, ids, number, reader }
}

/** Transaction, index and value of each transfer, in order. */
async function transfersIn(reader: ChainReader, number: number, view: ChainView = 'solid') {
  const block = await reader.block(view, number)
  return block?.transfers.map(({ txHash, index, value }) => [txHash, index, value])
}

test('receipts that are too large together are read one by one, in the order of the block', async () => {
  const { devnet, reader, ids, number } = await start(5)
  devnet.addFaults({ kind: 'large', bytes: 4 * mib })
  expect(await transfersIn(reader, number)).toEqual(ids.map((id, n) => [id, 1, BigInt(n + 1)]))
  expect(receipts(devnet)).toEqual({ together: 1, single: 5 })
})

test('both scans and a settlement ask for a large block’s receipts together once', async () => {
  const { devnet, reader, number } = await start(5)
  devnet.addFaults({ kind: 'large', bytes: 4 * mib })
  await reader.block('head', number)
  await reader.block('solid', number)
  await Promise.all([reader.block('solid', number), reader.block('solid', number)])
  expect(receipts(devnet)).toEqual({ together: 1, single: 10 })
})

test('two readings of one block ask for its receipts together once', async () => {
  const { devnet, reader, number } = await start(5)
  devnet.addFaults({ kind: 'large', bytes: 4 * mib })
  devnet.addFaults({ kind: 'hang', when: 'before', on: 'gettransactioninfobyblocknum', times: 1 })
  const reading = Promise.all([transfersIn(reader, number, 'head'), transfersIn(reader, number)])
  await devnet.untilHanging(1)
  await expect.poll(() => devnet.requests('getblockbynum')).toHaveLength(2)
  await reader.head('head') // Time for a second one.
  devnet.release()
  expect((await reading).map((transfers) => transfers?.length)).toEqual([5, 5])
  expect(receipts(devnet)).toEqual({ together: 1, single: 10 })
})

test('receipts that do not come in time are read one by one: the node goes on with the request', async () => {
  const { devnet, reader, ids, number } = await start(3, { timeoutMs: 300 })
  devnet.addFaults({ kind: 'hang', when: 'before', on: 'gettransactioninfobyblocknum' })
  expect(await transfersIn(reader, number)).toHaveLength(ids.length)
  expect(receipts(devnet)).toEqual({ together: 1, single: 3 })
})

test('one request at a time is under way for the receipts of all large blocks', async () => {
  const { devnet, reader, number, client } = await start(2, { timeoutMs: 60_000 })
  devnet.scriptTx({ logs: [{ from: alice, to: bruno, value: 7n }] })
  devnet.scriptTx({ logs: [{ from: alice, to: bruno, value: 8n }] })
  const next = devnet.mine().number
  devnet.mine(3)
  devnet.addFaults({ kind: 'large', bytes: 9 * mib, on: 'gettransactioninfobyblocknum' })
  devnet.addFaults({ kind: 'hang', when: 'before', on: 'gettransactioninfobyid' })
  const reading = Promise.all([
    transfersIn(reader, number),
    transfersIn(reader, next),
    transfersIn(reader, number, 'head'),
  ])
  const other = client()
  for (let asked = 1; asked <= 6; asked++) {
    await devnet.untilHanging(1)
    await other.request('head', 'getblockbynum', { num: number }, anything) // Time for a second one.
    expect([devnet.hanging().length, receipts(devnet).single]).toEqual([1, asked])
    devnet.release()
  }
  expect((await reading).map((transfers) => transfers?.length)).toEqual([2, 2, 2])
})

test('a reading that fails is continued where it ended', async () => {
  const { devnet, reader, ids, number } = await start(4)
  devnet.addFaults({ kind: 'large', bytes: 5 * mib })
  const last = { on: 'gettransactioninfobyid', where: { value: ids[3] } }
  devnet.addFaults({ kind: 'status', status: 500, ...last, times: 4 })
  await expect(reader.block('solid', number)).rejects.toThrow(Unavailable)
  expect(receipts(devnet)).toEqual({ together: 1, single: 3 + 4 })
  expect(await transfersIn(reader, number)).toHaveLength(4)
  expect(receipts(devnet)).toEqual({ together: 1, single: 3 + 4 + 1 })
})

test('a receipt that is missing, or of another block or transaction, makes no block', async () => {
  const { devnet, reader, ids, number } = await start(4)
  devnet.addFaults({ kind: 'large', bytes: 5 * mib, on: 'gettransactioninfobyblocknum' })
  const one = { on: 'gettransactioninfobyid', where: { value: ids[2] } }
  for (const fault of [
    { kind: 'empty' },
    { kind: 'alter', at: '/blockNumber', to: number + 1 },
    { kind: 'alter', at: '/id', to: ids[1] },
  ] as const) {
    devnet.addFaults({ ...fault, ...one, times: 4 })
    await expect(reader.block('solid', number)).rejects.toThrow(
      `block ${number}: the 2 infos do not match its 4 transactions`,
    )
  }
  expect(await transfersIn(reader, number)).toHaveLength(4)
})

test('a block that a fork replaces while its receipts are read one by one is read again', async () => {
  const { devnet, reader } = await startFixture()
  devnet.setTokenBalance(alice, 1n)
  const moved = devnet.transfer({ from: alice, to: bruno, value: 1n })
  devnet.transfer({ from: alice, to: bruno, value: 1n })
  const { number } = devnet.mine()
  devnet.addFaults(
    { kind: 'large', bytes: 9 * mib, on: 'gettransactioninfobyblocknum' },
    {
      kind: 'rewrite',
      on: 'gettransactioninfobyid',
      times: 1,
      rewrite(answer) {
        devnet.fork(1, { reverse: true }) // The other of the two transfers moves the token.
        return answer
      },
    },
  )
  const transfers = await transfersIn(reader, number, 'head')
  expect(transfers).toHaveLength(1)
  expect(transfers?.[0]?.[0]).not.toBe(moved)
})

test('one receipt alone may have 40 MB', async () => {
  const { devnet, reader, number } = await start(1)
  devnet.addFaults({ kind: 'large', bytes: 40_000_000 })
  expect(await transfersIn(reader, number)).toHaveLength(1)
})

test('one that is larger than the limit says so, and is not asked for again', async () => {
  const { devnet, reader, number } = await start(1, { answerBytesMax: 2 * mib })
  devnet.addFaults({ kind: 'large', bytes: 3 * mib })
  await expect(reader.block('solid', number)).rejects.toThrow(
    `walletsolidity/gettransactioninfobyid: more than ${2 * mib} bytes`,
  )
  expect(receipts(devnet).single).toBe(1)
})
