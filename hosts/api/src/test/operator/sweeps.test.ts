import { signatureOf } from '@quipu/contracts'
import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { treasury } from '../harness/chain.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { type Json, type Reply, sendRequest } from '../harness/http-client.fixture.ts'

const api = useTestApi('each')
/** Accounts of top-up addresses with 25 USDT each. */
let accounts: string[]
beforeEach(async () => {
  accounts = []
  const deposit = depositMaker(api.stores, api.clock.now)
  for (let n = 0; n < 2; n++) {
    const tenant = await api.tenant({ funds: 0n })
    await tenant.get('/v1/wallets')
    await deposit({ tenantId: tenant.id, value: 25_000_000n })
    const [topUp] = await api.stores.addresses.list(tenant.id)
    api.sweepChain.give(topUp?.account ?? '', 25_000_000n)
    accounts.push(topUp?.account ?? '')
  }
})

const batches = '/operator/v1/sweep/batches'
const outcome = ({ status, code }: Reply) => [status, code]
const by =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    sendRequest(api.operatorUrl + path, method, { token, body })
const [omar, victor] = [by('operators'), by('viewers')]
const plan = (body: object = { threshold: '10.00' }) => api.operator('POST', batches, body)
const sign = ({ id, tx_id, derivation_index }: Json) => ({
  id,
  tx_id,
  signature: signatureOf(accounts[derivation_index] ?? '', tx_id),
})

test('an admin plans, operators export and import, and viewers read', async () => {
  const planned = await plan()
  expect(planned.status).toBe(201)
  const { batch } = planned.json
  expect(batch).toMatchObject({ treasury, amount: '50.000000', trx_missing: '60.000000' })
  const file = (await omar('GET', `${batches}/${batch.id}/unsigned`)).json
  expect(file).toMatchObject({
    format: 'quipu-sweep-v1',
    batch_id: batch.id,
    treasury,
    transfers: [
      { derivation_index: 0, derivation_path: "m/44'/195'/0'/0/0", amount: '25.000000' },
      { derivation_index: 1, derivation_path: "m/44'/195'/0'/0/1", amount: '25.000000' },
    ],
  })
  const transfers = file.transfers.map(sign)
  const importSigned = async (of: readonly Json[]) => {
    const { json } = await omar('POST', `${batches}/${batch.id}/signed`, { transfers: of })
    return json.transfers.map(({ result }: Json) => result)
  }
  expect(await importSigned(transfers.slice(1))).toEqual(['signed'])
  expect((await omar('GET', `${batches}/${batch.id}/unsigned`)).json.transfers).toHaveLength(1)
  expect(await importSigned(transfers)).toEqual(['signed', 'already_signed'])
  const swapped = { ...transfers[0], signature: transfers[1].signature }
  expect(await importSigned([swapped])).toEqual(['wrong_signature'])
  const { data } = (await victor('GET', batches)).json
  expect(data).toMatchObject([{ id: batch.id, transfers: { planned: 0, signed: 2 } }])
  expect((await victor('GET', `${batches}/${batch.id}`)).json.transfers).toMatchObject([
    { status: 'signed' },
    { status: 'signed' },
  ])
  const entries = await api.stores.audit.list({ subject: batch.id, limit: 10 })
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ['omar', 'sweep.sign'],
    ['omar', 'sweep.sign'],
    ['olivia', 'sweep.plan'],
  ])
})

test('addresses have their solid balance, and what deposits and sweeps give', async () => {
  api.sweepChain.give(accounts[1] ?? '', -1_000_000n)
  const { json } = await victor('GET', '/operator/v1/sweep/addresses')
  const rows = json.data.map((row: Json) => [row.derivation_index, row.balance, row.expected])
  expect(rows.toSorted()).toEqual([
    [0, '25.000000', '25.000000'],
    [1, '24.000000', '25.000000'],
  ])
})

test('nothing to sweep and bad bodies are refused', async () => {
  expect(outcome(await plan({ threshold: '26' }))).toEqual([409, 'NOTHING_TO_SWEEP'])
  api.sweepChain.blocked.add(accounts[0] ?? '')
  await plan()
  const again = await plan()
  expect(outcome(again)).toEqual([409, 'NOTHING_TO_SWEEP'])
  expect(again.json.error.message).toContain('(TRANSFER_REVERTS)')
  for (const body of [{}, { threshold: '0' }, { threshold: '1', limit: 201 }])
    expect(outcome(await plan(body))).toEqual([400, 'VALIDATION_FAILED'])
})

test('without a treasury there are no sweeps', async () => {
  const bare = await testApi({}, {})
  const reply = await bare.operator('POST', batches, { threshold: '1.00' })
  expect(outcome(reply)).toEqual([409, 'SWEEPS_NOT_CONFIGURED'])
  await bare.stop()
})
