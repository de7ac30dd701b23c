import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import { alice, bruno, carla, startFixture, textOf, type Fixture, type Json } from '../devnet.fixture.ts'

/** Number of a block's transaction infos, and its transaction ids. */
async function readBlock({ ask, devnet }: Fixture, num: number = devnet.head().number) {
  const infos = (await ask('wallet/gettransactioninfobyblocknum', { num })).body as unknown as Json[]
  const block = (await ask('wallet/getblockbynum', { num })).body
  const ids = ((block['transactions'] ?? []) as Json[]).map((tx) => tx['txID'])
  return { infos, ids, logs: infos.flatMap((info) => (info['log'] ?? []) as Json[]) }
}

const funds = { sun: 1_000_000_000n, micros: 50_000_000n }

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
    ['getblock', { id_or_num: '99', detail: true }],
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
    ['broadcasttransaction', { raw_data: {} }],
    ['triggerconstantcontract', { contract_address: 'x', owner_address: 'y' }],
  ]
  for (const [path, body] of wrong) {
    const reply = await ask(`wallet/${path}`, body)
    expect(reply.status).toBe(200)
    expect(reply.body['Error']).toMatch(/^class java/)
  }
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

test('blacklist: an address can receive but not send', async () => {
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
})

test('only the owner can pause the token', async () => {
  const { devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 10n)
  devnet.call('pause()', [], { from: bruno })
  devnet.transfer({ from: bruno, to: alice, value: 1n })
  devnet.call('pause()')
  devnet.transfer({ from: bruno, to: alice, value: 2n })
  devnet.call('unpause()')
  devnet.transfer({ from: bruno, to: alice, value: 4n })
  devnet.mine()
  expect(devnet.transfers().map(({ value }) => value)).toEqual([1n, 4n])
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

test('the token refuses what its bytecode refuses: allowances, the zero address, and results above 256 bits', async () => {
  const { devnet } = await startFixture()
  const most = 2n ** 256n - 1n
  const limit = 2n ** 255n
  devnet.setTokenBalance(bruno, most)
  devnet.setTokenBalance(carla, limit)
  devnet.call('transferFrom(address,address,uint256)', [bruno, alice, 1n], { from: carla })
  devnet.transfer({ from: bruno, to: utils.address.fromHex(`41${'0'.repeat(40)}`), value: 1n })
  devnet.transfer({ from: bruno, to: carla, value: limit })
  devnet.mine()
  devnet.setTokenFee({ rate: 2n, max: 5n })
  devnet.transfer({ from: bruno, to: alice, value: limit }) // Its fee is 2^256 / 10,000.
  devnet.mine()
  expect(devnet.transfers()).toEqual([])
  devnet.transfer({ from: carla, to: alice, value: limit - 1n })
  devnet.mine()
  expect(devnet.tokenBalance(alice)).toBe(limit - 1n - 5n)
})

test('activation: TRX creates an account, tokens do not', async () => {
  const { ask, devnet } = await startFixture()
  const account = async () => (await ask('wallet/getaccount', { address: utils.address.toHex(alice) })).body
  devnet.setTokenBalance(alice, 5n)
  expect(await account()).toEqual({})
  devnet.fund(alice, { sun: 1n })
  expect(await account()).toMatchObject({ balance: 1 })
})

test('a transfer built by the node is signed, broadcast, mined and read back', async () => {
  const { devnet, wallet } = await startFixture()
  const { tron, address } = await wallet(funds)
  const { transaction } = await tron.transactionBuilder.triggerSmartContract(
    devnet.tokenContract,
    'transfer(address,uint256)',
    { feeLimit: 50_000_000 },
    [
      { type: 'address', value: alice },
      { type: 'uint256', value: 1_500_000 },
    ],
  )
  const sent = await tron.trx.sendRawTransaction(await tron.trx.sign(transaction))
  expect(sent).toMatchObject({ result: true, txid: transaction.txID })
  expect(devnet.pending()).toEqual([transaction.txID])
  const { number } = devnet.mine()

  expect(await tron.trx.getUnconfirmedTransactionInfo(transaction.txID)).toMatchObject({
    id: transaction.txID,
    blockNumber: number,
    receipt: { result: 'SUCCESS', energy_usage_total: 130_285 },
    log: [
      {
        address: utils.address.toHex(devnet.tokenContract).slice(2),
        topics: [
          'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
          utils.address.toHex(address).slice(2).padStart(64, '0'),
          utils.address.toHex(alice).slice(2).padStart(64, '0'),
        ],
        data: (1_500_000).toString(16).padStart(64, '0'),
      },
    ],
  })
  expect(devnet.tokenBalance(alice)).toBe(1_500_000n)
  expect(devnet.tokenBalance(address)).toBe(48_500_000n)
})

test('a failed call has a message in hex', async () => {
  const { ask, devnet, wallet } = await startFixture()
  const { address } = await wallet(funds)
  const call = {
    owner_address: utils.address.toHex(address),
    contract_address: utils.address.toHex(devnet.tokenContract),
    function_selector: 'transfer(address,uint256)',
    parameter: utils.address.toHex(alice).slice(2).padStart(64, '0') + 'f'.repeat(64),
  }
  const hex = (text: string) => Buffer.from(text).toString('hex')
  expect((await ask('wallet/triggerconstantcontract', call)).body).toMatchObject({
    result: { result: true, message: hex('REVERT opcode executed') },
    transaction: { ret: [{ ret: 'FAILED' }] },
  })
  const nowhere = { ...call, contract_address: utils.address.toHex(alice) }
  for (const path of ['triggerconstantcontract', 'triggersmartcontract'])
    expect((await ask(`wallet/${path}`, nowhere)).body).toEqual({
      result: {
        code: 'CONTRACT_VALIDATE_ERROR',
        message: hex('Contract validate error : No contract or not a smart contract'),
      },
    })
})
