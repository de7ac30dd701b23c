import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../folder.fixture.ts'
import { alice, bruno, startFixture } from '../devnet.fixture.ts'
import type { TronDevnet } from '../start-tron-devnet.ts'

const stateOf = (devnet: TronDevnet) => ({
  head: devnet.head(),
  solid: devnet.head('solid'),
  pending: devnet.pending(),
  transfers: devnet.transfers(),
  balances: [alice, bruno].map((who) => devnet.tokenBalance(who)),
  solidBalances: [alice, bruno].map((who) => devnet.tokenBalance(who, 'solid')),
})

test('the chain, with forks and pending transactions, survives a restart', async () => {
  const storage = await temporaryFolder()
  const { ask, devnet, wallet } = await startFixture({ storage, solidLag: 2 })
  const { signTransfer, address } = await wallet({ sun: 1_000_000_000n, micros: 100n })
  devnet.setTokenBalance(bruno, 2n ** 256n - 1n - 100n)
  devnet.transfer({ from: bruno, to: alice, value: 2n ** 255n })
  devnet.mine(2)
  const fake = devnet.deployToken({ symbol: 'FAKE' })
  devnet.scriptTx({ logs: [{ from: bruno, to: alice, value: 1n, token: fake }] })
  devnet.fork(1)
  devnet.stallSolid()
  devnet.mine(5)
  const tx = await signTransfer(alice, 1)
  await ask('wallet/broadcasttransaction', tx)
  const before = stateOf(devnet)
  await devnet.stop()

  const again = await startFixture({ storage, solidLag: 2 })
  expect(stateOf(again.devnet)).toEqual(before)
  expect(before.pending).toEqual([tx.txID])
  again.devnet.mine()
  expect(again.devnet.tokenBalance(address)).toBe(99n)
  expect(again.devnet.transfer({ from: bruno, to: alice, value: 1n })).not.toBe(before.pending[0])
})

test('a change is in the folder before it is answered', async () => {
  const storage = await temporaryFolder()
  const { ask, devnet, wallet } = await startFixture({ storage })
  const { signTransfer } = await wallet({ sun: 1_000_000_000n, micros: 100n })
  const tx = await signTransfer(alice, 1)
  await ask('wallet/broadcasttransaction', tx)
  expect(await readFile(join(storage, 'tron-devnet.jsonl'), 'utf8')).toContain(tx.raw_data_hex)
  devnet.mine()
  await devnet.flushed()
  const lines = (await readFile(join(storage, 'tron-devnet.jsonl'), 'utf8')).trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'mined', txids: [tx.txID] })
})

test('without a folder every start creates a new chain', async () => {
  const first = await startFixture()
  const second = await startFixture({ now: () => new Date(0) })
  expect(second.devnet.head().id).not.toBe(first.devnet.head().id)
})
