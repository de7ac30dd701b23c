import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import { alice, bruno, carla, startFixture, textOf, type Fixture, type Json } from '../devnet.fixture.ts'

const uintMax = 2n ** 256n - 1n

/** Number of a block's transaction infos, and its transaction ids. */
async function readBlock({ ask, devnet }: Fixture, num: number = devnet.head().number) {
  const infos = (await ask('wallet/gettransactioninfobyblocknum', { num })).body as unknown as Json[]
  const block = (await ask('wallet/getblockbynum', { num })).body
  const ids = ((block['transactions'] ?? []) as Json[]).map((tx) => tx['txID'])
  return { infos, ids, logs: infos.flatMap((info) => (info['log'] ?? []) as Json[]) }
}

test('zeros and empty values are omitted, as in proto3', async () => {
  const fixture = await startFixture()
  const { ask, devnet } = fixture
  const genesis = (await ask('wallet/getblockbynum', { num: 0 })).body
  expect((genesis['block_header'] as Json)['raw_data']).not.toHaveProperty('number')
  const empty = (await ask('wallet/getblockbynum', { num: 1 })).body
  expect(empty).not.toHaveProperty('transactions')
  devnet.scriptTx({ logs: [{ topics: [], data: '' }] })
  devnet.mine()
  const { infos, logs } = await readBlock(fixture)
  expect(Object.keys(logs[0] ?? {})).toEqual(['address'])
  for (const absent of ['fee', 'result', 'resMessage']) expect(infos[0]).not.toHaveProperty(absent)
  const parameters = (await ask('wallet/getchainparameters')).body['chainParameter'] as Json[]
  expect(parameters).toContainEqual({ key: 'getAllowUpdateAccountName' })
})

test('a missing or future item is {} or [] with status 200', async () => {
  const { ask } = await startFixture()
  const empty: [string, object][] = [
    ['getblockbynum', { num: 99 }],
    ['getblockbynum', { num: -1 }],
    ['getblockbyid', { value: 'f'.repeat(64) }],
    ['getblock', { id_or_num: '99', detail: true }],
    ['getblockbylimitnext', { startNum: 90, endNum: 99 }],
    ['getblockbylimitnext', { startNum: 0, endNum: 101 }],
    ['getblockbylimitnext', { startNum: 3, endNum: 3 }],
    ['gettransactionbyid', { value: 'f'.repeat(64) }],
    ['gettransactioninfobyid', { value: 'f'.repeat(64) }],
    ['gettransactioninfobyblocknum', { num: 0 }],
    ['gettransactioninfobyblocknum', { num: -5 }],
    ['getaccount', { address: utils.address.toHex(alice) }],
    ['getaccountresource', { address: utils.address.toHex(alice) }],
    ['getcontract', { value: utils.address.toHex(alice) }],
  ]
  for (const prefix of ['wallet', 'walletsolidity'])
    for (const [path, body] of empty) expect(await ask(`${prefix}/${path}`, body)).toEqual({ status: 200, body: {} })
  for (const num of [1, 99])
    expect(await ask('wallet/gettransactioninfobyblocknum', { num })).toEqual({ status: 200, body: [] })
})

test('silent empty: a block with transactions can be answered without them', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  devnet.setTokenBalance(bruno, 5n)
  const txid = devnet.transfer({ from: bruno, to: alice, value: 5n })
  devnet.mine()
  devnet.addFaults({ kind: 'empty', on: 'gettransactioninfobyblocknum', times: 1 })
  expect(await readBlock(fixture)).toMatchObject({ infos: [], ids: [txid] })
  expect(await readBlock(fixture)).toMatchObject({ infos: [{ id: txid }], ids: [txid] })
})

test('an unsynced node has the block or the infos later', async () => {
  const { ask, devnet } = await startFixture()
  const { number } = devnet.mine(3)
  devnet.addFaults({ kind: 'stale', blocks: 1, on: 'gettransactioninfobyblocknum' })
  devnet.setTokenBalance(bruno, 5n)
  devnet.transfer({ from: bruno, to: alice, value: 5n })
  devnet.mine()
  const num = number + 1
  expect((await ask('wallet/getblockbynum', { num })).body).toHaveProperty('transactions')
  expect((await ask('wallet/gettransactioninfobyblocknum', { num })).body).toEqual([])
  devnet.mine()
  expect((await ask('wallet/gettransactioninfobyblocknum', { num })).body).toHaveLength(1)
})

test('the infos of a block are in the order of its transactions, without its hash', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  devnet.setTokenBalance(bruno, 100n)
  const txids = [1n, 2n, 3n].map((value) => devnet.transfer({ from: bruno, to: alice, value }))
  const { number, timestamp, id } = devnet.mine()
  const { infos, ids } = await readBlock(fixture)
  expect(ids).toEqual(txids)
  expect(infos.map((info) => info['id'])).toEqual(txids)
  expect(infos[0]).toMatchObject({ blockNumber: number, blockTimeStamp: timestamp })
  expect(JSON.stringify(infos)).not.toContain(id)
})

test('an invalid request is answered 200 with Error', async () => {
  const { ask } = await startFixture()
  const wrong: [string, object][] = [
    ['getblockbynum', { num: 'many' }],
    ['getblock', { id_or_num: 'newest' }],
    ['getaccount', { address: alice }],
    ['getaccount', { address: utils.address.toHex(alice), visible: true }],
    ['getaccount', { address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwc', visible: true }],
    ['broadcasttransaction', { raw_data: {} }],
    ['triggerconstantcontract', { contract_address: 'x', owner_address: 'y' }],
  ]
  for (const [path, body] of wrong) {
    const reply = await ask(`wallet/${path}`, body)
    expect(reply.status).toBe(200)
    expect(reply.body['Error']).toMatch(/^class java/)
  }
})

test('with visible, addresses are T… in request and answer', async () => {
  const { ask, devnet } = await startFixture()
  devnet.fund(alice, { sun: 5n })
  const visible = await ask('wallet/getaccount', { address: alice, visible: true })
  const plain = await ask('wallet/getaccount', { address: utils.address.toHex(alice) })
  expect(visible.body['address']).toBe(alice)
  expect(plain.body).toEqual({ ...visible.body, address: utils.address.toHex(alice) })
})

test('failed transaction: no logs, result FAILED, and the message in hex', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  devnet.transfer({ from: bruno, to: alice, value: 5n })
  for (const result of ['REVERT', 'OUT_OF_ENERGY', 'OUT_OF_TIME'] as const)
    devnet.scriptTx({ logs: [{ from: bruno, to: alice, value: 5n }], result })
  devnet.mine()
  const { infos, logs } = await readBlock(fixture)
  expect(logs).toEqual([])
  expect(infos.map((info) => [info['result'], (info['receipt'] as Json)['result']])).toEqual([
    ['FAILED', 'REVERT'],
    ['FAILED', 'REVERT'],
    ['FAILED', 'OUT_OF_ENERGY'],
    ['FAILED', 'OUT_OF_TIME'],
  ])
  expect(textOf(infos[0]?.['resMessage'])).toBe('REVERT opcode executed')
})

test('fake token: another contract logs an equal Transfer', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  const fake = devnet.deployToken()
  devnet.setTokenBalance(bruno, 5n, fake)
  devnet.setTokenBalance(bruno, 5n)
  devnet.transfer({ from: bruno, to: alice, value: 5n, token: fake })
  devnet.transfer({ from: bruno, to: alice, value: 5n })
  devnet.mine()
  const { logs } = await readBlock(fixture)
  const [lie, truth] = logs
  expect(lie).toEqual({ ...truth, address: utils.address.toHex(fake).slice(2) })
  expect([devnet.tokenBalance(alice), devnet.tokenBalance(alice, 'head', fake)]).toEqual([5n, 5n])
})

test('hostile values: 2^256-1, malformed topics and data, and dirty addresses are unchanged', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  const transfer = 'Transfer(address,address,uint256)'
  const dirty = `ffffffffffffffffffffffff${utils.address.toHex(alice).slice(2)}`
  devnet.scriptTx({
    contract: carla,
    logs: [
      { from: bruno, to: alice, value: uintMax },
      { from: bruno, to: alice, value: uintMax, token: carla },
      { topics: [transfer, dirty, dirty], data: '05'.padStart(64, '0') },
      { topics: [transfer, dirty], data: '' },
      { topics: [transfer, dirty, dirty, dirty], data: 'ff' },
    ],
  })
  devnet.mine()
  const { logs } = await readBlock(fixture)
  expect(logs.map((log) => [(log['topics'] as unknown[]).length, log['data']])).toEqual([
    [3, 'f'.repeat(64)],
    [3, 'f'.repeat(64)],
    [3, '05'.padStart(64, '0')],
    [2, undefined],
    [4, 'ff'],
  ])
  expect(devnet.tokenBalance(alice)).toBe(0n)
})

test('transfer via contract: one transaction with many logs, each at its own index', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  devnet.setTokenBalance(bruno, 100n)
  const txid = devnet.scriptTx({
    from: carla,
    transfers: [1n, 2n, 3n].map((value) => ({ from: bruno, to: alice, value })),
    logs: [{ topics: ['Done()'] }, { from: bruno, to: alice, value: 9n }],
  })
  devnet.mine()
  const { infos, logs } = await readBlock(fixture)
  expect(infos).toHaveLength(1)
  expect(logs).toHaveLength(5)
  expect(devnet.transfers().map(({ index, value }) => [index, value])).toEqual([
    [0, 1n],
    [1, 2n],
    [2, 3n],
    [4, 9n],
  ])
  expect(new Set(devnet.transfers().map((one) => one.txid))).toEqual(new Set([txid]))
  expect(devnet.tokenBalance(alice)).toBe(6n)
})

test('zero-value poisoning: transferFrom of 0 needs no allowance and logs Transfer', async () => {
  const { devnet } = await startFixture()
  const method = 'transferFrom(address,address,uint256)'
  devnet.call(method, [bruno, alice, 0n], { from: carla })
  devnet.call(method, [bruno, alice, 1n], { from: carla })
  devnet.mine()
  expect(devnet.transfers()).toMatchObject([{ from: bruno, to: alice, value: 0n }])
})

test('fee-on-transfer: the log has the received amount, not the requested one', async () => {
  const { devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 1_000_000n)
  devnet.setTokenFee({ rate: 100n, max: 5_000n })
  devnet.transfer({ from: bruno, to: alice, value: 100_000n })
  devnet.transfer({ from: bruno, to: alice, value: 900_000n })
  devnet.mine()
  expect(devnet.transfers().map(({ index, value }) => [index, value])).toEqual([
    [0, 99_000n],
    [1, 1_000n],
    [0, 895_000n],
    [1, 5_000n],
  ])
  expect(devnet.tokenBalance(alice)).toBe(994_000n)
})

test('a fork can change the transfers of a transaction', async () => {
  const { devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 100n)
  const txid = devnet.transfer({ from: bruno, to: alice, value: 100n })
  devnet.mine()
  expect(devnet.transfers()).toMatchObject([{ txid, value: 100n }])
  devnet.setTokenFee({ rate: 1_000n, max: 100n })
  devnet.fork(1)
  expect(devnet.transfers()[0]).toMatchObject({ txid, value: 90n })
})

test('blacklist: an address can receive but not send, and its funds can be destroyed', async () => {
  const fixture = await startFixture()
  const { devnet } = fixture
  devnet.setTokenBalance(bruno, 10n)
  devnet.call('addBlackList(address)', [alice])
  devnet.transfer({ from: bruno, to: alice, value: 5n })
  devnet.transfer({ from: alice, to: bruno, value: 5n })
  devnet.mine()
  const { infos, logs } = await readBlock(fixture)
  expect(infos.map((info) => info['result'])).toEqual([undefined, undefined, 'FAILED'])
  expect(logs[0]).toMatchObject({ topics: [expect.any(String), utils.address.toHex(alice).slice(2).padStart(64, '0')] })
  devnet.call('destroyBlackFunds(address)', [alice])
  devnet.mine()
  expect(devnet.tokenBalance(alice)).toBe(0n)
  const events = await fetch(`${devnet.url}/v1/blocks/latest/events`)
  expect(await events.json()).toMatchObject({
    data: [{ event_name: 'DestroyedBlackFunds', result: { _balance: '5' } }],
  })
})

test('only the owner can pause and deprecate the token, which logs events', async () => {
  const { devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 10n)
  devnet.call('pause()', [], { from: bruno })
  devnet.transfer({ from: bruno, to: alice, value: 1n })
  devnet.call('pause()')
  devnet.transfer({ from: bruno, to: alice, value: 2n })
  devnet.call('unpause()')
  devnet.call('deprecate(address)', [carla])
  devnet.mine()
  expect(devnet.transfers().map(({ value }) => value)).toEqual([1n])
  const events = await fetch(`${devnet.url}/v1/blocks/2/events?order_by=block_timestamp,asc`)
  const { data } = (await events.json()) as { data: Json[] }
  expect(data.map((row) => row['event_name'])).toEqual(['Transfer', 'Pause', 'Unpause', 'Deprecate'])
})

test('a deprecated token logs transfers on its successor, and answers the balances', async () => {
  const { devnet } = await startFixture()
  const successor = devnet.deployToken({ name: 'Tether USD', symbol: 'USDT' })
  devnet.setTokenBalance(bruno, 10n)
  devnet.call('deprecate(address)', [successor])
  devnet.mine()
  devnet.transfer({ from: bruno, to: alice, value: 3n })
  devnet.mine()
  expect(devnet.transfers().map(({ contract, value }) => [contract, value])).toEqual([[successor, 3n]])
  expect(devnet.tokenBalance(alice)).toBe(3n)
})

test('activation: TRX creates an account, tokens do not', async () => {
  const { ask, devnet } = await startFixture()
  const account = async () => (await ask('wallet/getaccount', { address: alice, visible: true })).body
  devnet.setTokenBalance(alice, 5n)
  expect(await account()).toEqual({})
  devnet.fund(alice, { sun: 1n })
  expect(await account()).toMatchObject({ balance: 1 })
})
