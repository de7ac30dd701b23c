import { eventsAbout } from '@quipu/contracts'
import { systemClock } from '@quipu/core/system'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { otherWallet, ownWallet, type TestChain, testChain } from '../harness/chain.fixture.ts'
import type { Json, Reply } from '../harness/http-client.fixture.ts'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

// The API over PostgreSQL and a simulated chain.

let chain: TestChain
let server: PostgresApi
let tenant: TestTenant

beforeAll(async () => {
  chain = await testChain()
  chain.solidify()
  server = await postgresApi(await chain.env())
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})
beforeEach(async () => {
  tenant = await server.tenant(0n)
})

/** Repeats a 503, as clients do. */
async function get(path: string): Promise<Json> {
  let reply = await tenant.get(path)
  while (reply.status === 503) reply = await tenant.get(path)
  return reply.json
}
const topUpOf = async (): Promise<string> => (await get('/v1/wallets')).top_up_addresses[0].address
const work = (): Promise<void> => chain.work(server.stores, systemClock)

/** Repeats a 503 with the same key, as clients do. */
async function askFaucet(amount: string): Promise<Reply> {
  const body = { chain: 'tron', address: ownWallet, amount }
  const request = () => tenant.post('/v1/sandbox/faucet', body, { headers: { 'Idempotency-Key': 'attempt' } })
  let reply = await request()
  while (reply.status === 503) reply = await request()
  return reply
}

afterEach(async () => {
  const { balanced } = await get('/v1/wallets/reconciliation')
  expect(balanced, 'spec §4 — reconciliation after the test').toBe(true)
})

test('an operator finds why a transaction made a deposit, or none', async () => {
  const address = await topUpOf()
  const send = (to: string, value: bigint): string => chain.devnet.transfer({ from: ownWallet, to, value })
  const [paid, empty, elsewhere] = [send(address, 5_000_000n), send(address, 0n), send(otherWallet, 1n)]
  const find = async (hash: string): Promise<Json> =>
    (await server.operator('GET', `/operator/v1/transactions?tx_hash=${hash}`)).json
  const outcomes = ({ transfers }: Json) => transfers.map(({ outcome }: Json) => outcome)
  expect(await find(paid)).toMatchObject({ state: 'unknown', block: null, transfers: [], deposits: [] })
  chain.devnet.mine()
  expect(await find(paid)).toMatchObject({ state: 'not_yet_solid', transfers: [{ address, outcome: 'not_scanned' }] })
  chain.solidify()
  expect(outcomes(await find(paid))).toEqual(['not_scanned'])
  await work()
  expect(await find(paid)).toMatchObject({
    state: 'solid',
    transfers: [{ tenant_id: tenant.id, address, amount: '5.000000', contract: null, outcome: 'deposit' }],
    other_transfers: 0,
    deposits: [{ status: 'credited' }],
  })
  expect(await find(empty)).toMatchObject({ transfers: [{ outcome: 'zero_value', deposit_id: null }], deposits: [] })
  expect(await find(elsewhere)).toMatchObject({ state: 'solid', transfers: [], other_transfers: 1 })
  const { status, json } = await server.operator('GET', '/operator/v1/transactions?tx_hash=0x12')
  expect([status, json.error.details[0].field]).toEqual([400, 'tx_hash'])
})

test('a return is proposed only once a solid block has its transfer', async () => {
  const address = await topUpOf()
  chain.devnet.transfer({ from: ownWallet, to: address, value: 200_000n })
  chain.solidify()
  await work()
  const [{ id }] = (await get('/v1/deposits?status=in_review')).data
  const evidence = { note: 'The block explorer’s page', digest: 'ab'.repeat(32) }
  const propose = (txHash: string): Promise<Reply> =>
    server.operator('POST', `/operator/v1/deposits/${id}/return`, {
      to_address: ownWallet,
      tx_hash: txHash,
      reason: 'Too small to credit.',
      evidence,
    })
  const back = (value: bigint): string => chain.devnet.transfer({ from: address, to: ownWallet, value })
  const less = back(199_999n)
  expect((await propose(less)).json.error.details[0].message).toMatch(/^is in no solid block/)
  chain.solidify()
  expect((await propose(less)).json.error.details).toEqual([
    { field: 'tx_hash', message: `moves no 0.200000 USDT from ${address} to ${ownWallet}` },
  ])
  chain.devnet.transfer({ from: ownWallet, to: address, value: 199_999n })
  chain.solidify()
  const whole = back(200_000n)
  chain.solidify()
  const { status, json } = await propose(whole)
  expect([status, json.status, json.action]).toEqual([202, 'open', 'return_deposit'])
})

test('spec §1 — faucet, own wallet, top-up address, pending, credited, and then it pays', async () => {
  const wallet = await get('/v1/wallets')
  const [{ address }] = wallet.top_up_addresses
  expect(wallet.top_up_addresses).toEqual([
    { chain: 'tron', currency: 'USDT', address, minimum_amount: '1.000000', maximum_automatic_amount: '100000.000000' },
  ])
  const faucet = await askFaucet('25.00')
  expect(faucet.status).toBe(201)
  chain.solidify()
  await work()
  const sent = chain.devnet.transfers('solid').find(({ txid }) => txid === faucet.json.tx_hash)
  expect(sent).toMatchObject({ to: ownWallet, value: 25_000_000n })

  const txHash = chain.devnet.transfer({ from: ownWallet, to: address, value: 25_000_000n })
  chain.devnet.mine(2)
  await work()
  const [pending] = (await get('/v1/deposits')).data
  expect(pending).toEqual({
    id: expect.stringMatching(/^dep_[0-9A-HJKMNP-TV-Z]{26}$/),
    status: 'pending',
    review_code: null,
    chain: 'tron',
    tx_hash: txHash,
    transfer_index: 0,
    address,
    from_address: ownWallet,
    currency: 'USDT',
    amount: '25.000000',
    created_at: expect.any(String),
    credited_at: null,
    closed_at: null,
    close_reason: null,
  })
  expect((await get('/v1/wallets')).available).toBe('0.000000')

  chain.solidify()
  await work()
  const credited = await get(`/v1/deposits/${pending.id}`)
  expect(credited).toEqual({ ...pending, status: 'credited', credited_at: expect.any(String) })
  expect(await get('/v1/wallets')).toMatchObject({ available: '25.000000', total: '25.000000' })
  expect((await get('/v1/wallets/transactions')).data).toMatchObject([
    { direction: 'in', type: 'deposit', deposit_id: pending.id, balance_after: '25.000000' },
  ])
  expect((await tenant.post('/v1/payouts', await tenant.order())).json.status).toBe('completed')
  const events = await eventsAbout(server.stores, tenant.id, pending.id)
  const envelopes = events.map(({ body }): Json => JSON.parse(new TextDecoder().decode(body)))
  expect(envelopes.map(({ type, data }) => [type, data])).toEqual([
    ['deposit.pending', pending],
    ['deposit.credited', credited],
  ])
})

test('a transfer is found at an address created a second before it, or in the same block', async () => {
  const address = await topUpOf()
  chain.devnet.transfer({ from: ownWallet, to: address, value: 5_000_000n })
  chain.solidify()
  await work()
  expect((await get('/v1/deposits')).data).toMatchObject([{ status: 'credited', address }])
})
