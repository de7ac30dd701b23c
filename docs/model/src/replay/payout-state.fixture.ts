import { expect } from 'vitest'
import { eventsAbout, type Harness } from '@quipu/contracts'
import type { Payout, Tenant } from '@quipu/core'
import type { PayoutCommit } from '@quipu/core/adapter'
import type { GatedProcess } from './gated-process.fixture.ts'

/** The state of `payout.qnt`, as its traces have it. */
export type State = {
  readonly rows: ReadonlyMap<number, Row>
  readonly held: number
  readonly spent: number
  readonly events: readonly Report[]
  readonly steps: ReadonlyMap<string, { readonly call: string; readonly token: number }>
  readonly reported: readonly Report[]
  readonly orders: ReadonlyMap<number, string>
}
type Row = { readonly status: string; readonly isLeased: boolean; readonly isClaimable: boolean }
export type Report = { readonly ref: number; readonly status: string }
/** What an order costs, and the tenant's balance. */
export const price = 1_000_000n
export const wallet: bigint = 5n * price
export const transactionId = 'order'

type Compared = {
  readonly world: Harness
  readonly tenant: Tenant
  /** The ids of the payouts that requests tried to apply, by the model's references. */
  readonly idOf: ReadonlyMap<number, string>
  readonly reported: readonly Report[]
  readonly processes: ReadonlyMap<string, { readonly gates: GatedProcess }>
  /** The processes whose order has left them. */
  readonly sent: ReadonlySet<string>
}

/** Compares the real state with the model's. */
export async function comparePayouts(context: Compared, state: State): Promise<void> {
  const { rows, held, spent, events } = state
  const isAnyClaimable = Array.from(rows.values()).some(({ isClaimable }) => isClaimable)
  expect(await realState(context)).toEqual({
    rows: Array.from(rows, ([ref, { status }]) => [ref, status]),
    isLeased: Array.from(rows.values()).some(({ isLeased }) => isLeased),
    held: BigInt(held) * price,
    available: wallet - BigInt(held + spent) * price,
    events: events.map(({ ref, status }) => ({ ref, type: `payout.${status.toLowerCase()}` })),
    reported: setOf(state.reported),
    calls: Array.from(state.steps, ([name, { call }]) => [name, call]),
  })
  if (!isAnyClaimable) expect(await context.world.payouts.claimDue(1, 15)).toEqual([])
}

async function realState({ world, tenant, idOf, reported, processes, sent }: Compared) {
  const tenantId = tenant.id
  const balance = await world.wallets.find(tenantId)
  const stored = await world.payouts.find(tenantId, transactionId)
  const found = await Promise.all(
    Array.from(idOf, async ([ref, id]) => ({
      ref,
      payout: await world.payouts.get(tenantId, id),
      events: await eventsAbout(world, tenantId, id),
    })),
  )
  return {
    rows: found.flatMap(({ ref, payout }) => (payout ? [[ref, statusOf(payout)]] : [])),
    isLeased: stored?.leased ?? false,
    held: balance?.held.minor,
    available: balance?.available.minor,
    events: found.flatMap(({ ref, events }) => events.map(({ type }) => ({ ref, type }))),
    reported: setOf(reported),
    calls: Array.from(processes, ([name, { gates }]) => [name, callOf(name, gates, sent)]),
  }
}

const statuses: Readonly<Record<Payout['status'], string>> = {
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
}
export const statusOf = ({ status }: Payout): string => statuses[status]

const setOf = (reports: readonly Report[]): readonly string[] =>
  Array.from(new Set(reports.map(({ ref, status }) => `${ref} ${status}`))).toSorted()

/** The model's name of the call that a process waits for. */
function callOf(name: string, gates: GatedProcess, sent: ReadonlySet<string>): string {
  const [call, ...others] = gates.waiting()
  if (others.length > 0) return [call, ...others].join(' and ')
  if (call === undefined) return gates.isRunning() && gates.isTiming() ? 'Polling' : 'Idle'
  if (call === 'commit')
    return (gates.argsOf(call)[0] as PayoutCommit).kind === 'apply' ? 'Applying' : 'Settling'
  if (call === 'renew') return name.startsWith('api') ? 'Renewing' : 'Extending'
  if (call === 'pay') return sent.has(name) ? 'Waiting' : 'Paying'
  return { status: 'Asking', cancel: 'Cancelling', yieldClaim: 'Yielding' }[call] ?? call
}
