import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import { alice, bruno, startFixture, type Json } from '../devnet.fixture.ts'

const funds = { sun: 1_000_000_000n, micros: 50_000_000n }

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

  expect(await tron.trx.getTransaction(transaction.txID)).toMatchObject({
    txID: transaction.txID,
    raw_data_hex: transaction.raw_data_hex,
    ret: [{ contractRet: 'SUCCESS' }],
  })
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

test('three ways to build with equal headers give one transaction', async () => {
  const { devnet, wallet } = await startFixture()
  const { tron, signTransfer } = await wallet(funds)
  const by = (options: object) =>
    tron.transactionBuilder.triggerSmartContract(
      devnet.tokenContract,
      'transfer(address,uint256)',
      { feeLimit: 100_000_000, ...options },
      [
        { type: 'address', value: alice },
        { type: 'uint256', value: 7 },
      ],
    )
  const remote = await by({})
  const local = await by({ txLocal: true })
  const offline = await signTransfer(alice, 7)
  // The clock has the newest block's time, so all three have the same timestamp.
  expect(new Set([remote, local].map(({ transaction }) => transaction.txID))).toEqual(new Set([offline.txID]))
})

test('a contract is read with the ABI from the node', async () => {
  const { devnet, wallet } = await startFixture()
  const { tron, address } = await wallet(funds)
  const contract = await tron.contract().at(devnet.tokenContract)
  expect(await contract['balanceOf']!(address).call()).toBe(50_000_000n)
  expect(await contract['decimals']!().call()).toBe(6n)
  expect(await contract['symbol']!().call()).toBe('USDT')
  expect(await contract['getBlackListStatus']!(address).call()).toBe(false)
  const txid: unknown = await contract['transfer']!(alice, 5).send({ feeLimit: 50_000_000 })
  expect(devnet.pending()).toEqual([txid])
})

test('the energy estimate equals the use, to an empty address and to a holder', async () => {
  const { devnet, wallet } = await startFixture()
  const { tron } = await wallet(funds)
  const estimate = async (to: string) => {
    const { energy_required } = await tron.transactionBuilder.estimateEnergy(
      devnet.tokenContract,
      'transfer(address,uint256)',
      {},
      [
        { type: 'address', value: to },
        { type: 'uint256', value: 1 },
      ],
    )
    return energy_required
  }
  devnet.setTokenBalance(bruno, 1n)
  expect([await estimate(alice), await estimate(bruno)]).toEqual([130_285, 64_285])
  const prices = await tron.trx.getChainParameters()
  expect(prices).toContainEqual({ key: 'getEnergyFee', value: 100 })
  devnet.setEnergyPrice(420)
  expect(await tron.trx.getChainParameters()).toContainEqual({ key: 'getEnergyFee', value: 420 })
})

test('a failed estimate or call has a message in hex', async () => {
  const { ask, devnet, wallet } = await startFixture()
  const { address } = await wallet(funds)
  const call = {
    owner_address: utils.address.toHex(address),
    contract_address: utils.address.toHex(devnet.tokenContract),
    function_selector: 'transfer(address,uint256)',
    parameter: utils.address.toHex(alice).slice(2).padStart(64, '0') + 'f'.repeat(64),
  }
  const hex = (text: string) => Buffer.from(text).toString('hex')
  expect((await ask('wallet/estimateenergy', call)).body).toEqual({
    result: { code: 'CONTRACT_EXE_ERROR', message: hex('REVERT opcode executed') },
  })
  expect((await ask('wallet/triggerconstantcontract', call)).body).toMatchObject({
    result: { result: true, message: hex('REVERT opcode executed') },
    transaction: { ret: [{ ret: 'FAILED' }] },
  })
  const nowhere = { ...call, contract_address: utils.address.toHex(alice) }
  for (const path of ['estimateenergy', 'triggerconstantcontract', 'triggersmartcontract'])
    expect((await ask(`wallet/${path}`, nowhere)).body).toEqual({
      result: {
        code: 'CONTRACT_VALIDATE_ERROR',
        message: hex('Contract validate error : No contract or not a smart contract'),
      },
    })
})

test('a TRX transfer creates its receiver and costs the network’s prices', async () => {
  const { devnet, wallet } = await startFixture()
  const { tron, address } = await wallet(funds)
  expect(await tron.trx.getUnconfirmedAccount(alice)).toEqual({})
  expect(await tron.trx.getAccountResources(alice)).toEqual({})
  const { txid } = await tron.trx.sendTransaction(alice, 2_000_000)
  devnet.mine()
  expect(await tron.trx.getUnconfirmedTransactionInfo(txid)).toMatchObject({
    fee: 1_100_000,
    contractResult: [''],
    receipt: { net_fee: 100_000 },
  })
  expect(await tron.trx.getUnconfirmedAccount(alice)).toMatchObject({ balance: 2_000_000 })
  expect(devnet.trxBalance(address)).toBe(1_000_000_000n - 3_100_000n)
})

test('wallet and walletsolidity answers differ by the lag', async () => {
  const { devnet, wallet } = await startFixture({ solidLag: 3 })
  const { tron } = await wallet(funds)
  const { txid } = await tron.trx.sendTransaction(alice, 5_000_000)
  devnet.mine(3)
  expect(await tron.trx.getUnconfirmedTransactionInfo(txid)).toHaveProperty('blockNumber', 2)
  expect(await tron.trx.getTransactionInfo(txid)).toEqual({})
  expect(await tron.trx.getUnconfirmedBalance(alice)).toBe(5_000_000)
  expect(await tron.trx.getBalance(alice)).toBe(0)
  devnet.mine()
  expect(await tron.trx.getTransactionInfo(txid)).toHaveProperty('blockNumber', 2)
  expect(await tron.trx.getBalance(alice)).toBe(5_000_000)
  const [head, solid] = [await tron.trx.getCurrentBlock(), await tron.trx.getConfirmedCurrentBlock()]
  expect([head, solid].map((block) => block.block_header.raw_data.number)).toEqual([5, 2])
})

test('token balances can be read at the solid block', async () => {
  const { ask, devnet } = await startFixture({ solidLag: 2 })
  devnet.setTokenBalance(bruno, 10n)
  devnet.transfer({ from: bruno, to: alice, value: 4n })
  devnet.mine()
  const balance = async (prefix: string) => {
    const { body } = await ask(`${prefix}/triggerconstantcontract`, {
      visible: true,
      owner_address: alice,
      contract_address: devnet.tokenContract,
      function_selector: 'balanceOf(address)',
      parameter: utils.address.toHex(alice).slice(2).padStart(64, '0'),
    })
    return BigInt(`0x${String((body['constant_result'] as string[])[0])}`)
  }
  expect([await balance('wallet'), await balance('walletsolidity')]).toEqual([4n, 0n])
  devnet.mine(2)
  expect(await balance('walletsolidity')).toBe(4n)
})

test('blocks are read by number, id and range, and without transactions', async () => {
  const { ask, devnet, wallet } = await startFixture()
  const { tron } = await wallet()
  devnet.setTokenBalance(bruno, 10n)
  devnet.transfer({ from: bruno, to: alice, value: 4n })
  const { id } = devnet.mine()
  devnet.mine(3)
  const block = await tron.trx.getBlock(2)
  expect(block.blockID).toBe(id)
  expect(block.transactions).toHaveLength(1)
  expect(await tron.trx.getBlock(id)).toEqual(block)
  const range = await tron.trx.getBlockRange(1, 3)
  expect(range.map((one) => one.block_header.raw_data.number)).toEqual([1, 2, 3])
  for (let i = 1; i < range.length; i++) expect(range[i]!.block_header.raw_data.parentHash).toBe(range[i - 1]!.blockID)
  const { body } = await ask('wallet/getblock', { id_or_num: '2', detail: false })
  expect(body).toEqual({ blockID: block.blockID, block_header: block.block_header })
})

test('TronGrid’s lookups list events and transfers in pages', async () => {
  const { devnet, wallet } = await startFixture({ solidLag: 1 })
  const { tron } = await wallet()
  devnet.setTokenBalance(bruno, 100n)
  for (const value of [1n, 2n, 3n]) {
    devnet.transfer({ from: bruno, to: alice, value })
    devnet.mine()
  }
  const contract = devnet.tokenContract
  const first = await tron.event.getEventsByContractAddress(contract, {
    eventName: 'Transfer',
    limit: 2,
    orderBy: 'block_timestamp,asc',
  })
  const values = (data: unknown) => (data as Json[]).map((row) => (row['result'] as Json)['value'])
  expect(values(first.data)).toEqual(['1', '2'])
  const fingerprint = String(first.meta?.fingerprint)
  const second = await tron.event.getEventsByContractAddress(contract, {
    fingerprint,
    limit: 2,
    orderBy: 'block_timestamp,asc',
  })
  expect(values(second.data)).toEqual(['3'])
  expect(second.meta).not.toHaveProperty('fingerprint')
  const solid = await tron.event.getEventsByContractAddress(contract, { onlyConfirmed: true })
  expect(values(solid.data)).toEqual(['2', '1'])
  expect(values((await tron.event.getEventsByBlockNumber(3)).data)).toEqual(['2'])
  const [transfer] = devnet.transfers()
  const byId = await tron.event.getEventsByTransactionID(transfer!.txid)
  expect(values(byId.data)).toEqual(['1'])
  const response = await fetch(`${devnet.url}/v1/accounts/${alice}/transactions/trc20?limit=1`)
  expect(await response.json()).toMatchObject({
    success: true,
    data: [{ from: bruno, to: alice, value: '3', token_info: { symbol: 'USDT', decimals: 6 } }],
    meta: { fingerprint: '1' },
  })
})
