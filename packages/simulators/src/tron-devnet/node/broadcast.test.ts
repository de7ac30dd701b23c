import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import { alice, bruno, startFixture, textOf, type Fixture } from '../devnet.fixture.ts'

const funds = { sun: 1_000_000_000n, micros: 50_000_000n }

const send = async ({ ask }: Fixture, tx: object) => (await ask('wallet/broadcasttransaction', tx)).body

test('a transaction that is pending or mined is a duplicate', async () => {
  const fixture = await startFixture()
  const { devnet, wallet } = fixture
  const { signTransfer } = await wallet(funds)
  const tx = await signTransfer(alice, 1)
  const duplicate = {
    code: 'DUP_TRANSACTION_ERROR',
    txid: tx.txID,
    message: Buffer.from('Dup transaction.').toString('hex'),
  }
  expect(await send(fixture, tx)).toEqual({ result: true, txid: tx.txID })
  expect(await send(fixture, tx)).toEqual(duplicate)
  devnet.mine()
  expect(await send(fixture, tx)).toEqual(duplicate)
  devnet.mine(19)
  expect(devnet.tokenBalance(alice)).toBe(1n)
})

test('a transaction is valid until a block at its expiration, at most one day', async () => {
  const fixture = await startFixture()
  const { signTransfer } = await fixture.wallet(funds)
  const { timestamp } = fixture.devnet.head()
  for (const expiration of [timestamp, timestamp + 86_400_001])
    expect(await send(fixture, await signTransfer(alice, 1, { expiration }))).toHaveProperty(
      'code',
      'TRANSACTION_EXPIRATION_ERROR',
    )
  for (const expiration of [timestamp + 1, timestamp + 86_400_000])
    expect(await send(fixture, await signTransfer(alice, 1, { expiration }))).toHaveProperty('result', true)
})

test('a pending transaction that expires is never mined', async () => {
  const fixture = await startFixture()
  const { devnet, wallet } = fixture
  const { signTransfer } = await wallet(funds)
  const tx = await signTransfer(alice, 1)
  await send(fixture, tx)
  devnet.mine(20, { empty: true })
  expect(devnet.pending()).toEqual([tx.txID])
  devnet.mine(19)
  expect(devnet.pending()).toEqual([])
  expect((await fixture.ask('walletsolidity/gettransactioninfobyid', { value: tx.txID })).body).toEqual({})
})

test('a block after a parent before the expiration can contain the transaction', async () => {
  const fixture = await startFixture()
  const { devnet, wallet } = fixture
  const { signTransfer } = await wallet(funds)
  const expiration = devnet.head().timestamp + 3_000
  const tx = await signTransfer(alice, 1, { expiration })
  await send(fixture, tx)
  expect(devnet.mine().timestamp).toBe(expiration)
  expect(devnet.tokenBalance(alice)).toBe(1n)
})

test('a transaction that references no block of the chain fails TAPOS', async () => {
  const fixture = await startFixture()
  const { devnet, wallet } = fixture
  const { signTransfer } = await wallet(funds)
  const head = devnet.head()
  for (const refBlock of [
    { number: head.number, id: head.id.slice(0, 16) + 'f'.repeat(48) },
    { number: head.number + 1, id: head.id },
  ])
    expect(await send(fixture, await signTransfer(alice, 1, { refBlock }))).toMatchObject({ code: 'TAPOS_ERROR' })
})

test('a transaction needs exactly one signature, of the owner', async () => {
  const fixture = await startFixture()
  const { signTransfer } = await fixture.wallet(funds)
  const otherWallet = await fixture.wallet(funds)
  const tx = await signTransfer(alice, 1)
  const forged = { ...(await otherWallet.signTransfer(alice, 1)), raw_data: tx.raw_data }
  const [signature = ''] = tx.signature
  for (const wrong of [
    { ...tx, signature: [] },
    { ...tx, signature: [signature, signature] },
    { ...tx, signature: [signature.slice(2)] },
    { ...tx, signature: ['00'.repeat(65)] },
    forged,
  ]) {
    const answer = await send(fixture, wrong)
    expect(answer['code']).toBe('SIGERROR')
    expect(textOf(answer['message'])).toMatch(/^Validate signature error/)
  }
})

test('the id is computed from raw_data; txID and raw_data_hex are ignored', async () => {
  const fixture = await startFixture()
  const { signTransfer } = await fixture.wallet(funds)
  const tx = await signTransfer(alice, 1)
  const answer = await send(fixture, { ...tx, txID: '00'.repeat(32), raw_data_hex: 'ff' })
  expect(answer).toEqual({ result: true, txid: tx.txID })
})

test('an account that never got TRX cannot send', async () => {
  const fixture = await startFixture()
  const { signTransfer } = await fixture.wallet({ micros: 5n })
  const answer = await send(fixture, await signTransfer(alice, 1))
  expect(answer['code']).toBe('CONTRACT_VALIDATE_ERROR')
  expect(textOf(answer['message'])).toBe('Contract validate error : account does not exist')
})

test('an account that cannot pay for the bytes gets BANDWITH_ERROR', async () => {
  const fixture = await startFixture()
  const { signTransfer } = await fixture.wallet({ sun: 10n, micros: 5n })
  expect(await send(fixture, await signTransfer(alice, 1))).toHaveProperty('result', true)
  fixture.devnet.mine()
  expect(await send(fixture, await signTransfer(alice, 1, { timestamp: 2 }))).toMatchObject({ code: 'BANDWITH_ERROR' })
})

test('a transfer above its fee limit burns the limit and moves nothing', async () => {
  const fixture = await startFixture()
  const { ask, devnet, wallet } = fixture
  const { address, signTransfer } = await wallet(funds)
  const tx = await signTransfer(alice, 1, { feeLimit: 5_000_000 })
  await send(fixture, tx)
  devnet.mine()
  const { body } = await ask('wallet/gettransactioninfobyid', { value: tx.txID })
  expect(body).toMatchObject({
    fee: 5_000_000,
    result: 'FAILED',
    receipt: { result: 'OUT_OF_ENERGY', energy_fee: 5_000_000, energy_usage_total: 50_000 },
  })
  expect(body).not.toHaveProperty('log')
  expect(devnet.trxBalance(address)).toBe(995_000_000n)
  expect(devnet.tokenBalance(alice)).toBe(0n)
  expect(await send(fixture, tx)).toHaveProperty('code', 'DUP_TRANSACTION_ERROR')
})

test('staked energy is used before TRX, and recovers within a day', async () => {
  const fixture = await startFixture()
  const { ask, devnet, step, wallet } = fixture
  const { address, signTransfer } = await wallet(funds)
  devnet.fund(address, { energy: 100_000 })
  devnet.setTokenBalance(bruno, 1n)
  const tx = await signTransfer(alice, 1)
  await send(fixture, tx)
  devnet.mine()
  expect((await ask('wallet/gettransactioninfobyid', { value: tx.txID })).body).toMatchObject({
    fee: 3_028_500,
    receipt: { energy_usage: 100_000, energy_fee: 3_028_500, energy_usage_total: 130_285 },
  })
  const resources = async () => {
    const { body } = await ask('wallet/getaccountresource', { address: utils.address.toHex(address) })
    return body['EnergyUsed'] ?? 0
  }
  expect(await resources()).toBe(100_000)
  step(43_200_000)
  devnet.mine()
  expect(await resources()).toBeGreaterThan(49_000)
  expect(await resources()).toBeLessThan(51_000)
  step(43_210_000)
  devnet.mine()
  expect(await resources()).toBe(0)
})

test('a transfer that reverts is accepted and fails in its block', async () => {
  const fixture = await startFixture()
  const { ask, devnet, wallet } = fixture
  const { signTransfer } = await wallet({ sun: 1_000_000_000n, micros: 5n })
  const tx = await signTransfer(alice, 6)
  expect(await send(fixture, tx)).toHaveProperty('result', true)
  devnet.mine()
  const { body } = await ask('wallet/gettransactioninfobyid', { value: tx.txID })
  expect(body['receipt']).toMatchObject({ result: 'REVERT' })
})
