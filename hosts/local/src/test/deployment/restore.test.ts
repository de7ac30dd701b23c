import { readGate } from '@quipu/postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertGateway } from '../faults/alert-gateway.fixture.ts'
import { adminWith, type Ended } from '../harness/admin.fixture.ts'
import { openPayoutHarness, type PayoutHarness } from '../harness/payout-harness.fixture.ts'
import { approverToken, operatorToken, type Order, type Payout, type Tenant } from '../harness/tenant.fixture.ts'
import { type ArchivedServer, startArchivedServer } from './restore.fixture.ts'

const resources = new AsyncDisposableStack()
let server: ArchivedServer
let harness: PayoutHarness
let gateway: Awaited<ReturnType<typeof alertGateway>>
let forgotten: { readonly order: Order; readonly payout: Payout & { source: { amount: string } } }
let instant = ''
let lines = ''
let restoredUrl = ''
let api: Awaited<ReturnType<PayoutHarness['startApi']>>

const timesPaid = (): number[] => harness.network.ledger().payments.map(({ times_paid }) => times_paid)

async function paid(tenant: Tenant): Promise<{ order: Order; json: unknown }> {
  const order = await harness.order(tenant)
  const { status, json } = await tenant.pay(order)
  expect({ status, json }).toMatchObject({ status: 201, json: { status: 'completed' } })
  return { order, json }
}

/** `quipu-admin` of a person, or of the database's owner. */
const adminOf = (token: string) => adminWith({ QUIPU_OPERATOR_URL: api.operatorUrl, QUIPU_OPERATOR_TOKEN: token })
const confirm = (): Promise<Ended> =>
  adminWith({ DATABASE_URL: restoredUrl }).run('restore', 'confirm', '--reason', 'Booked 1 payment')

beforeAll(async () => {
  server = await startArchivedServer(resources)
  gateway = resources.use(await alertGateway())
  harness = resources.use(await openPayoutHarness({ url: server.url, roleUrl: server.url }))
})
afterAll(() => resources.disposeAsync())

test('payments go on during the base backup and after the instant that is restored', async () => {
  const first = await harness.startApi()
  await paid(first)
  await server.baseBackup()
  await paid(first)
  instant = await server.instant()
  const { order, json } = await paid(first)
  forgotten = { order, payout: json as typeof forgotten.payout }
  expect(timesPaid()).toEqual([1, 1, 1])
  expect((await readGate(server.url)).halt).toBeNull()
  await first.kill()
  lines = first.output()
})

test('the restored database knows what it is, and starts no payment', async () => {
  restoredUrl = await server.restoreTo(instant)
  expect((await readGate(restoredUrl)).halt).toMatchObject({ reason: 'restored' })
  const there = { ...gateway.env, DATABASE_URL: restoredUrl }
  api = await harness.startApi(there)
  await harness.startWorker(there)
  expect(await gateway.got('PAYMENTS_HALTED', 'raised')).toMatchObject({ subject: 'database', severity: 'page' })
  const { data } = (await api.get('/v1/payouts')).json as { data: unknown[] }
  expect(data).toHaveLength(2)
  // The same request again finds no quote; a new quote for the forgotten id finds no payment.
  const again = await api.pay(forgotten.order)
  expect([again.status, again.json]).toMatchObject([404, { error: { code: 'QUOTE_NOT_FOUND' } }])
  const { quote_id } = await harness.order(api)
  const anew = await api.pay({ ...forgotten.order, quote_id })
  expect([anew.status, anew.json]).toMatchObject([503, { error: { code: 'OPERATION_UNCERTAIN' } }])
  expect(timesPaid()).toEqual([1, 1, 1])
})

test('reconciliation finds what was forgotten, two people book it, and the owner confirms', async () => {
  const [olivia, otto] = [adminOf(operatorToken), adminOf(approverToken)]
  const now = Date.now()
  const period = ['--from', new Date(now - 3_600_000).toISOString(), '--to', new Date(now).toISOString()]
  const found = await olivia.run('reconcile', 'network', ...period, '--interval', '1')
  expect(found.code).toBe(4)
  const { id, source } = forgotten.payout
  const [, difference = ''] = new RegExp(`^(dif_\\w+) +unknown_here +${id} `, 'm').exec(found.output) ?? []
  expect(difference).not.toBe('')

  // The tenant is in the log of the API that paid.
  const line = lines.split('\n').find((each) => each.includes(`"payout_id":"${id}"`))
  const [, logged] = /"tenant_id":"(\w+)"/.exec(line ?? '') ?? []
  const [tenant] = (await olivia.json<{ data: { id: string }[] }>('tenants', 'list')).data
  expect(logged).toBe(tenant?.id)
  const before = (await api.get('/v1/wallets')).json as { available: string }
  const adjustment = ['--direction', 'out', '--amount', source.amount, '--reason', `Restored: ${id}`]
  await olivia.run('proposals', 'propose-adjustment', tenant?.id ?? '', ...adjustment)
  const open = await otto.json<{ data: { id: string }[] }>('proposals', 'list', '--status', 'open')
  expect((await otto.run('proposals', 'approve', open.data[0]?.id ?? '')).code).toBe(0)
  const after = (await api.get('/v1/wallets')).json as { available: string }
  const minor = (text: string): bigint => BigInt(text.replace('.', ''))
  expect(minor(before.available) - minor(after.available)).toBe(minor(source.amount))
  const closed = await olivia.run('differences', 'close', difference, '--reason', 'Booked by hand')
  expect(closed.code).toBe(0)
  expect(await olivia.run('reconcile', 'network', ...period, '--interval', '1')).toMatchObject({ code: 0 })

  expect(await confirm()).toEqual({ code: 0, output: 'The restore is confirmed: payments begin.\n' })
  expect((await confirm()).output).toMatch(/^There was nothing to confirm/)
  expect((await readGate(restoredUrl)).halt).toBeNull()
  const log = await olivia.run('audit-log', 'list', '--limit', '1')
  expect(log.output).toContain('restore.confirm')
})

test('then payments begin again, each paid once', async () => {
  const order = await harness.order(api)
  const named = { ...order, transaction_id: 'after-the-restore' }
  expect(await api.pay(named)).toMatchObject({ status: 201, json: { status: 'completed' } })
  expect(timesPaid()).toEqual([1, 1, 1, 1])
  expect(await gateway.got('PAYMENTS_HALTED', 'resolved')).toMatchObject({ sequence: 1 })
})

test('a person who knows of a restore halts payments, and the processes say so', async () => {
  const owner = adminWith({ DATABASE_URL: restoredUrl })
  const declare = () => owner.run('restore', 'declare', '--reason', 'The volume was put back')
  expect(await declare()).toEqual({ code: 0, output: 'Payments are halted until `quipu-admin restore confirm`.\n' })
  expect((await declare()).output).toMatch(/^Payments were halted before/)
  const order = await harness.order(api)
  expect(await api.pay({ ...order, transaction_id: 'while-halted' })).toMatchObject({ status: 503 })
  expect((await api.get('/readyz')).json).toMatchObject({ status: 'ready', payments: 'halted' })
  const faults = await adminOf(operatorToken).run('faults', 'list')
  expect(faults.output).toContain('PAYMENTS_HALTED')
  expect(faults.output).toContain('declared: The volume was put back')
  expect((await confirm()).code).toBe(0)
  expect((await api.get('/readyz')).json).toMatchObject({ status: 'ready', payments: 'begin' })
})
