import { setTimeout as pause } from 'node:timers/promises'
import { approverToken, askJson, operatorToken } from '@quipu/local/testing'
import { statements } from '../statements.ts'
import type { System } from './system.ts'

/** Two people who settle by evidence the payouts that no program can. */
export type Approvers = { readonly settled: ReadonlySet<string>; stop(): Promise<void> }

/** Longer than an order can be on its way: a stopped process, a connection that is half open, the adapter's deadline. */
const openSeconds = 60
const pollMs = 1_000

const settlement = {
  outcome: 'cancelled',
  reason: 'The network has no payment of it, and makes none.',
  evidence: { note: 'The ledger of the network.', digest: 'c'.repeat(64) },
} as const

export function startApprovers(system: System): Approvers {
  const settled = new Set<string>()
  let isStopped = false
  const work = async (): Promise<void> => {
    while (!isStopped) {
      // A program or the database that is down: they repeat what failed.
      await settleAll(system, settled).catch(() => undefined)
      await pause(pollMs)
    }
  }
  const working = work()
  return {
    settled,
    stop: () => {
      isStopped = true
      return working
    },
  }
}

async function settleAll(system: System, settled: Set<string>): Promise<void> {
  const { database, network } = system
  if (network.kind === 'http') return
  const open = await database.query<{ id: string }>(statements.openFor, [openSeconds])
  for (const { id } of open) {
    if (!network.isForPeople(id)) continue
    const post = poster(system)
    await post(`/payouts/${id}/query`, operatorToken)
    const { id: proposal } = await post(`/payouts/${id}/settle`, operatorToken, settlement)
    const { status } = await post(`/proposals/${proposal}/approve`, approverToken)
    if (status === 'executed') settled.add(id)
  }
}

type Proposal = { readonly id: string; readonly status: string }

function poster({ apis }: System) {
  const url = apis.find((api) => api.hasStarted())?.operatorUrl() ?? ''
  return async (path: string, token: string, body?: unknown): Promise<Proposal> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': path }
    const { status, json } = await askJson(url, { method: 'POST', path: `/operator/v1${path}`, headers, body })
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
    return json as Proposal
  }
}
