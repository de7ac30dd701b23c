import { expect, test } from 'vitest'
import { alice, bruno, startFixture, type Fixture, type Json } from '../devnet.fixture.ts'

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

test('tronweb throws on 429, and treats a limiter’s 200 as an answer', async () => {
  const { devnet, wallet } = await startFixture()
  const { tron } = await wallet()
  devnet.addFaults({ kind: 'status', status: 429, times: 1 })
  await expect(tron.trx.getCurrentBlock()).rejects.toThrow('429')
  devnet.addFaults({ kind: 'busy' })
  expect(await tron.trx.getCurrentBlock()).toEqual({
    Error: 'class java.lang.IllegalAccessException : lack of computing resources',
  })
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

  devnet.forget()
  devnet.addFaults({ kind: 'hang', when: 'after', times: 1 })
  const later = again()
  await devnet.untilHanging(1)
  expect(devnet.pending()).toEqual([txid])
  expect(devnet.release()).toBe(1)
  expect((await later).body).toHaveProperty('result', true)
})

test('a broadcast can be refused with any code, also with a false duplicate', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  const { again, txid } = await send(fixture)
  for (const code of ['SERVER_BUSY', 'BLOCK_UNSOLIDIFIED', 'DUP_TRANSACTION_ERROR'] as const) {
    devnet.addFaults({ kind: 'refuse', code, times: 1 })
    expect((await again()).body).toMatchObject({ code, txid })
  }
  expect(devnet.pending()).toEqual([])
})

test('a delay uses the clock of the devnet', async () => {
  const { ask, devnet, step } = await startFixture()
  devnet.addFaults({ kind: 'delay', ms: 5_000, times: 1 })
  let answered = false
  const answer = ask('wallet/getnowblock').then(() => (answered = true))
  await expect.poll(() => devnet.requests('getnowblock')).toHaveLength(1)
  expect(answered).toBe(false)
  step(5_000)
  devnet.tick()
  expect(await answer).toBe(true)
})

test('a node that is down refuses connections', async () => {
  const { ask, devnet } = await startFixture()
  await devnet.setDown(true)
  expect((await ask('wallet/getnowblock')).status).toBe(0)
  await devnet.setDown(false)
  expect((await ask('wallet/getnowblock')).status).toBe(200)
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

test('a body can be text instead of JSON', async () => {
  const { ask, devnet } = await startFixture()
  devnet.addFaults({ kind: 'text', text: 'this API is closed because this node is a lite fullnode' })
  expect((await ask('wallet/getnowblock')).body).toHaveProperty('unparsable')
})

test('stale answers come from a lower height', async () => {
  const { ask, devnet } = await startFixture()
  devnet.mine(5)
  devnet.addFaults({ kind: 'stale', blocks: 3, every: 2 })
  const heights: unknown[] = []
  for (let i = 0; i < 4; i++) {
    const { body } = await ask('wallet/getnowblock')
    heights.push(((body['block_header'] as Json)['raw_data'] as Json)['number'])
  }
  expect(heights).toEqual([6, 3, 6, 3])
})

test('a second node lags, or stays on a replaced branch', async () => {
  const { ask, devnet } = await startFixture({ solidLag: 2 })
  const replica = await devnet.addNode({ lag: 2 })
  devnet.setTokenBalance(bruno, 10n)
  const txid = devnet.transfer({ from: bruno, to: alice, value: 4n })
  devnet.mine()
  const info = async (url: string) => (await ask('wallet/gettransactioninfobyid', { value: txid }, url)).body
  const block = async (url: string) => (await ask('wallet/getblockbynum', { num: 2 }, url)).body['blockID']
  expect([await info(devnet.url), await info(replica.url)]).toMatchObject([{ id: txid }, {}])
  devnet.mine(2)
  expect(await info(replica.url)).toMatchObject({ id: txid })
  replica.setLag(0)
  replica.freeze()
  devnet.fork(1, { blocks: 3 })
  devnet.mine()
  expect(await block(replica.url)).toBe(await block(devnet.url))
  const head = async (url: string) =>
    ((await ask('wallet/getnowblock', {}, url)).body['block_header'] as Json)['raw_data'] as Json
  expect((await head(replica.url))['number']).toBe(4)
  replica.follow()
  expect(await head(replica.url)).toEqual(await head(devnet.url))
})

test('a frozen node shows blocks and balances that a fork replaced', async () => {
  const { ask, devnet } = await startFixture()
  const replica = await devnet.addNode()
  devnet.setTokenBalance(bruno, 10n)
  const value = devnet.transfer({ from: bruno, to: alice, value: 4n })
  const { id } = devnet.mine()
  replica.freeze()
  devnet.fork(1, { drop: 'all' })
  expect((await ask('wallet/getnowblock', {}, replica.url)).body).toHaveProperty('blockID', id)
  const info = { value }
  expect((await ask('wallet/gettransactioninfobyid', info, replica.url)).body).not.toEqual({})
  expect((await ask('wallet/gettransactioninfobyid', info)).body).toEqual({})
})

test('answers can have another amount, a missing log, or another parent', async () => {
  const { ask, devnet } = await startFixture()
  const faulty = await devnet.addNode()
  devnet.setTokenBalance(bruno, 10n)
  devnet.transfer({ from: bruno, to: alice, value: 4n })
  devnet.mine()
  const infos = async () =>
    (await ask('wallet/gettransactioninfobyblocknum', { num: 2 }, faulty.url)).body as unknown as Json[]
  const on = 'gettransactioninfobyblocknum'
  faulty.faults.add({ kind: 'alter', on, at: '/0/log/0/data', to: 'f'.repeat(64), times: 1 })
  expect(await infos()).toMatchObject([{ log: [{ data: 'f'.repeat(64) }] }])
  faulty.faults.add({ kind: 'alter', on, at: '/0/log', times: 1 })
  expect((await infos())[0]).not.toHaveProperty('log')
  faulty.faults.add({ kind: 'alter', on, at: '/0', times: 1 })
  expect(await infos()).toEqual([])
  faulty.faults.add({ kind: 'rewrite', on, rewrite: (answer) => [answer, answer].flat(), times: 1 })
  expect(await infos()).toHaveLength(2)
  const at = '/block_header/raw_data/parentHash'
  faulty.faults.add({ kind: 'alter', on: 'getblockbynum', at, to: '00', times: 1 })
  expect((await ask('wallet/getblockbynum', { num: 2 }, faulty.url)).body).toMatchObject({
    block_header: { raw_data: { parentHash: '00' } },
  })
  expect(await infos()).toMatchObject([{ log: [{ data: '4'.padStart(64, '0') }] }])
})

test('lookups can lose rows and fingerprints, as observed at TronGrid', async () => {
  const { devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 10n)
  for (const value of [1n, 2n, 3n]) devnet.transfer({ from: bruno, to: alice, value })
  devnet.mine()
  const url = `${devnet.url}/v1/accounts/${alice}/transactions/trc20?limit=2`
  const lookup = async () => (await (await fetch(url)).json()) as { data: Json[]; meta: Json }
  const { data, meta } = await lookup()
  expect(new Set(data.map((row) => row['block_timestamp'])).size).toBe(1)
  expect(meta).toMatchObject({ fingerprint: '2' })
  devnet.addFaults(
    { kind: 'alter', on: 'trc20', at: '/data/0' },
    { kind: 'alter', on: 'trc20', at: '/meta/fingerprint' },
  )
  expect(await lookup()).toEqual({ success: true, data: [data[1]], meta: { at: meta['at'], page_size: 2 } })
})

test('requests are listed in order with their bodies', async () => {
  const { ask, devnet } = await startFixture()
  await ask('wallet/getblockbynum', { num: 1 })
  await ask('walletsolidity/getblockbynum', { num: 0 })
  await ask('wallet/getnowblock')
  expect(devnet.requests('getblockbynum')).toMatchObject([
    { path: 'wallet/getblockbynum', body: { num: 1 } },
    { path: 'walletsolidity/getblockbynum', body: { num: 0 } },
  ])
  expect(devnet.requests()).toHaveLength(3)
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
