import { expect, test } from 'vitest'
import { alice, bruno, startFixture, type Fixture } from '../devnet.fixture.ts'

const send = async ({ ask, wallet }: Fixture) => {
  const { signTransfer } = await wallet({ sun: 1_000_000_000n, micros: 5n })
  const tx = await signTransfer(alice, 1)
  return { txid: tx.txID, again: () => ask('wallet/broadcasttransaction', tx) }
}

test.each([403, 429, 503])('status %i is answered a number of times without effect', async (status) => {
  const fixture = await startFixture()
  fixture.devnet.addFaults({ kind: 'status', status, times: 2, on: 'broadcasttransaction' })
  const { again } = await send(fixture)
  expect((await fixture.ask('wallet/getnowblock')).status).toBe(200)
  expect([(await again()).status, (await again()).status]).toEqual([status, status])
  expect(fixture.devnet.pending()).toEqual([])
  expect((await again()).body).toHaveProperty('result', true)
})

test('a connection dropped before has no effect, one dropped after has', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  const { again, txid } = await send(fixture)
  devnet.addFaults({ kind: 'drop', when: 'before', times: 1, on: 'broadcasttransaction' })
  expect((await again()).status).toBe(0)
  expect(devnet.pending()).toEqual([])
  devnet.addFaults({ kind: 'drop', when: 'after', times: 1, on: 'broadcasttransaction' })
  expect((await again()).status).toBe(0)
  expect(devnet.pending()).toEqual([txid])
  expect((await again()).body).toHaveProperty('code', 'DUP_TRANSACTION_ERROR')
})

test('a request hangs before or after its effect until released', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  const { again, txid } = await send(fixture)
  devnet.addFaults({ kind: 'hang', when: 'before', on: 'wallet/broadcasttransaction' })
  const answer = again()
  await devnet.untilHanging(1)
  expect([devnet.hanging(), devnet.pending()]).toEqual([['wallet/broadcasttransaction'], []])
  devnet.clearFaults()
  expect((await answer).body).toHaveProperty('result', true)

  devnet.addFaults({ kind: 'hang', when: 'after', times: 1 })
  const later = again()
  await devnet.untilHanging(1)
  expect(devnet.pending()).toEqual([txid])
  expect(devnet.release()).toBe(1)
  expect((await later).body).toHaveProperty('code', 'DUP_TRANSACTION_ERROR')
})

test('a fault can apply to selected requests', async () => {
  const { ask, devnet } = await startFixture()
  devnet.mine(3)
  devnet.addFaults({ kind: 'empty', on: 'getblockbynum', where: { num: 2 } })
  const there = async (num: number) => 'blockID' in (await ask('wallet/getblockbynum', { num })).body
  expect([await there(1), await there(2), await there(3)]).toEqual([true, false, true])
  devnet.clearFaults()
  devnet.addFaults({ kind: 'empty', on: 'walletsolidity/getblockbynum' })
  expect(await there(2)).toBe(true)
  devnet.clearFaults()
  devnet.addFaults({ kind: 'empty', after: 1, every: 2, times: 2 })
  const seen: boolean[] = []
  for (let i = 0; i < 7; i++) seen.push(await there(2))
  expect(seen).toEqual([true, true, false, true, false, true, true])
})

test('receipts of any size are still JSON, one for each transaction, and take their time', async () => {
  const { devnet, ask, step } = await startFixture()
  devnet.scriptTx({ logs: [{ from: alice, to: bruno, value: 1n }] })
  devnet.scriptTx({ logs: [{ from: alice, to: bruno, value: 2n }] })
  const { number } = devnet.mine()
  const small = await ask('wallet/gettransactioninfobyblocknum', { num: number })
  devnet.addFaults({ kind: 'large', bytes: 1024 ** 2 })
  const sizeOf = async (path: string, body: object): Promise<number> =>
    (await (await fetch(`${devnet.url}/${path}`, post(body))).text()).length
  expect(await sizeOf('wallet/gettransactioninfobyblocknum', { num: number })).toBe(2 * 1024 ** 2)
  const value = (small.body as unknown as readonly { id: string }[])[0]?.id
  expect(await sizeOf('walletsolidity/gettransactioninfobyid', { value })).toBe(2)
  expect(await sizeOf('wallet/gettransactioninfobyid', { value })).toBe(1024 ** 2)
  expect(await sizeOf('wallet/getblockbynum', { num: number })).toBeLessThan(10_000)
  expect((await ask('wallet/gettransactioninfobyblocknum', { num: number })).body).toEqual(small.body)

  devnet.clearFaults()
  devnet.addFaults({ kind: 'large', bytes: 1024 ** 2, msPerMiB: 100 })
  const late = ask('wallet/gettransactioninfobyid', { value })
  await expect.poll(() => devnet.requests('gettransactioninfobyid')).toHaveLength(3)
  step(99)
  await ask('wallet/getnowblock')
  const first = await Promise.race([late.then(() => 'answered'), ask('wallet/getnowblock')])
  expect(first).not.toBe('answered')
  step(1)
  devnet.tick()
  expect((await late).status).toBe(200)
})

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
