import { type Quipu, quipu } from '@quipu/client'
import { setTimeout as pause } from 'node:timers/promises'
import { askJson, operatorToken } from '@quipu/local/testing'
import type { AnswerLog } from '../agreement/answer-log.ts'
import { type FinalState, openFinalState } from '../agreement/final-state.ts'
import type { ChainDriver } from './system/chain-driver.ts'
import type { FaucetRecords, Records, TenantRecords } from './compare.ts'
import type { Load } from '../load/load.ts'
import { stillness } from '../run/stillness.ts'
import { countUnseen, isOfReversal } from './reversals.ts'
import { statements } from './statements.ts'
import { acceptingEndpoints, reactivate } from './recovery.ts'
import { accepts } from './system/receivers.ts'
import { baseOf } from './system/supervised.ts'
import type { FaucetAsk, FaucetLoad } from './system/faucet-load.ts'
import type { System } from './system/system.ts'
import type { ChaosTenant } from './system/tenants.ts'

const pollMs = 500

type Loads = { readonly load: Load; readonly faucet: FaucetLoad; readonly driver: ChainDriver }

/** Ends the load, waits until nothing is open, and reads the records of every party. */
export async function settle(system: System, { load, faucet, driver }: Loads, log: AnswerLog): Promise<Records> {
  await using state = finalState(system)
  await Promise.all([load.stop(), faucet.stop(), driver.stopTransfers()])
  const unclean: string[] = []
  const waitFor = async (what: string, countLeft: () => Promise<number>): Promise<void> => {
    const end = await untilNone(countLeft)
    if (end !== undefined) unclean.push(`never: ${what}: ${end}`)
  }
  await waitFor('every payout has ended', async () => {
    await state.makeDue()
    return (await state.payouts()).filter(({ status }) => status === 'processing').length
  })
  await waitFor('every solid transfer is credited', async () => {
    const tenants = await Promise.all(system.tenants.map((tenant) => creditedOf(system, tenant)))
    return tenants.reduce((sum, { credited, sent }) => sum + Math.max(0, sent - credited), 0)
  })
  await waitFor(
    'every send of the faucet has ended',
    async () => (await sendsOf(system, faucet)).filter(({ status }) => status === 'submitted').length,
  )
  await waitFor('every event has arrived', () => countNotArrived(system))
  await waitFor('reconciliations have run', () => reconcile(system))
  await waitFor('each reversal is a difference, an alert and on its time line', () => countUnseen(system, operator))
  await waitFor('no fault lasts', async () => (await listed(system, '/faults')).length)
  const records = await recordsNow(system, { load, faucet }, state)
  return { ...records, answered: log.payouts.values(), unclean: [...unclean, ...records.unclean] }
}

/** Waits until nothing is left. @returns how it ended otherwise: the number that stays, or the error */
async function untilNone(countLeft: () => Promise<number>): Promise<string | undefined> {
  const isStill = stillness()
  for (;;) {
    const left = await countLeft().then(String, String)
    if (left === '0') return undefined
    if (isStill(left)) return left
    await pause(pollMs)
  }
}

/** Reads the records; a connection that ends meanwhile begins it again. */
async function recordsNow(
  system: System,
  { load, faucet }: Pick<Loads, 'load' | 'faucet'>,
  state: FinalState,
): Promise<Omit<Records, 'answered'>> {
  const read = async (): Promise<Omit<Records, 'answered'>> => {
    const faults = (await listed(system, '/faults')).map((each) => `fault: ${each}`)
    const open = await listed(system, '/differences?status=open')
    const differences = open.filter((each) => !isOfReversal(system, each)).map((each) => `difference: ${each}`)
    return {
      stored: await state.payouts(),
      payments: system.network.payments(),
      wallets: await state.wallets(),
      intents: load.intents,
      sends: await sendsOf(system, faucet),
      tenants: await Promise.all(system.tenants.map((tenant) => recordsOf(system, tenant))),
      unclean: [...faults, ...differences],
    }
  }
  const isStill = stillness()
  for (;;) {
    const records = await read().catch((error: unknown) => {
      if (isStill(String(error))) throw error
    })
    if (records) return records
    await pause(pollMs)
  }
}

function finalState({ database, tenants }: System) {
  const state = openFinalState(
    database.url(),
    tenants.map(({ id }) => id),
  )
  return { ...state, [Symbol.asyncDispose]: () => state.close() }
}

export const clientOf = ({ apis: [api] }: System, { apiKey }: ChaosTenant): Quipu =>
  quipu({ apiKey, baseUrl: api?.inbound ? baseOf(api.inbound) : '' })

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Each send of the faucet, with what the chain has of it. A tenant reads its own alone. */
async function sendsOf(system: System, { asks }: FaucetLoad): Promise<readonly FaucetRecords[]> {
  const statusOf = async ({ id, tenant }: FaucetAsk): Promise<string> =>
    id ? (await clientOf(system, tenant).sandbox.faucetSend(id)).status : 'refused'
  return Promise.all(
    asks.map(async (ask) => ({ ...ask, status: await statusOf(ask), transfers: transfersTo(system, ask) })),
  )
}

const transfersTo = ({ chain }: System, { address }: { readonly address: string }) =>
  chain.transfers('solid').filter(({ to }) => to === address)

async function creditedOf(system: System, tenant: ChaosTenant) {
  const deposits = await allOf(clientOf(system, tenant).deposits.list({ limit: 100 }))
  const credited = deposits.filter(({ status }) => status === 'credited').length
  return { credited, sent: transfersTo(system, tenant).length }
}

/** Makes retries due, so that the comparison does not wait for the retry policy. */
async function countNotArrived(system: System): Promise<number> {
  await reactivate(system)
  const ids = acceptingEndpoints(system).map(({ id }) => id)
  await system.database.query(statements.makeDeliveriesDue, [ids])
  const [row] = await system.database.query<{ count: number }>(statements.queuedDeliveries, [ids])
  return row?.count ?? ids.length
}

type Json = Record<string, unknown>

async function operator(system: System, method: string, path: string, body?: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const url = system.apis[0]?.operatorUrl() ?? ''
  const { status, json } = await askJson(url, { method, path: `/operator/v1${path}`, headers, body })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
  return json as Json
}

const listed = async (system: System, path: string): Promise<string[]> =>
  ((await operator(system, 'GET', path))['data'] as Json[]).map((item) => JSON.stringify(item))

/** Compares with the network's statement and the chain's balances. @returns 0 when it has */
async function reconcile(system: System): Promise<number> {
  system.chain.mine(60) // A replica of the node may lag by a minute, so newer transfers are not compared.
  const now = Date.now()
  const period = { from: new Date(now - 3_600_000), to: new Date(now - 2_000) }
  const runs = await Promise.all([
    operator(system, 'POST', '/reconciliation-runs', { check: 'network', ...period }),
    operator(system, 'POST', '/reconciliation-runs', { check: 'chain' }),
  ])
  for (const { id } of runs) {
    const isStill = stillness()
    for (;;) {
      const run = await operator(system, 'GET', `/reconciliation-runs/${String(id)}`)
      if (run['status'] === 'completed') break
      if (isStill(JSON.stringify(run))) throw new Error(`reconciliation run ${String(id)} is not completed`)
      await pause(pollMs)
    }
  }
  return 0
}

async function recordsOf(system: System, tenant: ChaosTenant): Promise<TenantRecords> {
  const client = clientOf(system, tenant)
  const { available, held } = await client.wallets.get()
  const { balanced } = await client.wallets.reconciliation()
  const receivers = tenant.endpoints.map(({ receiver }) => receiver)
  return {
    id: tenant.id,
    available,
    held,
    isBalanced: balanced,
    deposits: await allOf(client.deposits.list({ limit: 100 })),
    transfers: transfersTo(system, tenant),
    eventIds: (await allOf(client.events.list({ limit: 100 }))).map(({ id }) => id),
    receivers: receivers.filter(({ kind }) => accepts(kind)),
  }
}
