import { tenantEventTypes, usdt } from '@quipu/core'
import { byNameOnlyEventTypes } from '@quipu/core/adapter'
import type { StoreHarness } from './stores.fixture.ts'
import { newEndpoint } from './deliveries.fixture.ts'
import { insertLog, type LogEntry, uuidOf } from './event-log.fixture.ts'

// Logs with entries of all types, three of each instant, and what endpoints want of them.

const types = [
  ...tenantEventTypes,
  'payout.rejected',
  'payout.completed',
  'adjustment_in',
  'payout.completed',
  'adjustment_out',
]
const hasEvent = (type: string): boolean => !/adjustment|rejected/.test(type)
export const isWanted = (filter: readonly string[] | null, type: string): boolean =>
  filter === null ? !byNameOnlyEventTypes.some((each) => each === type) : filter.includes(type)
const logStart = Date.parse('2026-05-01T11:00:00.000Z')

/** The second of three events of one instant one has the highest id, and the last one the lowest. */
const entriesOf = (tenant: number, length: number): LogEntry[] =>
  Array.from({ length }, (_, i) => {
    const at = new Date(logStart + Math.floor(i / 3))
    const type = types[(i * tenant) % types.length] ?? ''
    const id = hasEvent(type) ? uuidOf(at, tenant * 10 + ([2, 3, 1][i % 3] ?? 0)) : null
    return { seq: i + 1, at, id, type, body: `${tenant}-${i + 1}` }
  })

type TenantId = 'ten_1' | 'ten_2'

export const logs: Readonly<Record<TenantId, readonly LogEntry[]>> = {
  ten_1: entriesOf(1, 36),
  ten_2: entriesOf(2, 45),
}

export const filters: readonly (readonly string[] | null)[] = [
  null,
  ['payout.completed'],
  ['payout.failed'],
  ['deposit.credited'],
  ['payout.completed', 'deposit.pending'],
  ['payout.failed', 'payout.cancelled', 'deposit.in_review'],
  ['deposit.pending', 'deposit.credited'],
  ['payout.refunded', 'payout.failed'],
  ['payout.failed', 'wallet.balance_low'],
  [...new Set(types.filter(hasEvent))],
]

/** An endpoint by what it wants: its filter for entries up to each of these, and of later ones. */
export type Wanting = {
  readonly id: string
  readonly tenantId: TenantId
  readonly cursor: number
  readonly earlier: readonly (readonly [until: number, filter: readonly string[] | null])[]
  readonly filter: readonly string[] | null
  /** Entries past the cursor that have a row of their own. */
  readonly own: readonly number[]
}

const candidates: readonly Wanting[] = [
  ...filters.map((filter, i) => ({
    id: `we_${i}`,
    tenantId: i % 3 === 1 ? ('ten_2' as const) : ('ten_1' as const),
    cursor: i < 4 ? 0 : 8 + i,
    earlier: [],
    filter,
    own: i % 2 === 0 ? [] : [22, 23, 26, 27],
  })),
  { id: 'we_end', tenantId: 'ten_1', cursor: 36, earlier: [], filter: null, own: [] },
  ...filters.slice(0, 4).map((filter, i) => ({
    id: `we_x${i}`,
    tenantId: 'ten_1' as const,
    cursor: 4 + i,
    earlier: [
      [6 + i, ['payout.failed', 'deposit.credited']],
      [15, null],
      [24, ['deposit.pending', 'payout.cancelled', 'payout.completed']],
    ] as const,
    filter,
    own: [13, 14, 22, 29],
  })),
]

/** The events past the cursor of an endpoint that it wants. */
const pastCursorOf = ({ tenantId, cursor, earlier, filter }: Wanting): LogEntry[] =>
  logs[tenantId].filter(({ seq, id, type }) => {
    const found = earlier.find(([until]) => seq <= until)
    const types = found ? found[1] : filter
    return id !== null && seq > cursor && isWanted(types, type)
  })

/** Only deliveries have a row. */
export const endpoints: readonly Wanting[] = candidates.map((each) => {
  const seqs = pastCursorOf(each).map(({ seq }) => seq)
  return { ...each, own: each.own.filter((seq) => seqs.includes(seq)) }
})

/** The events among them that have no row of their own. */
export const wantedBy = (endpoint: Wanting): LogEntry[] =>
  pastCursorOf(endpoint).filter(({ seq }) => !endpoint.own.includes(seq))

/** Inserts the logs, and the endpoints with their rows. */
export async function openEndpoints(harness: StoreHarness): Promise<void> {
  const { sql } = harness
  for (const tenantId of ['ten_1', 'ten_2'] as const) {
    await harness.newWallet(usdt(0n), { id: tenantId })
    await insertLog(sql, tenantId, logs[tenantId])
  }
  for (const each of endpoints) {
    await newEndpoint(harness, each.tenantId, each.id)
    await insertRows(harness, each)
  }
}

async function insertRows({ sql }: StoreHarness, each: Wanting): Promise<void> {
  const { id, tenantId, cursor, earlier, filter, own } = each
  const at = (seq: number) => logs[tenantId][seq - 1]?.at ?? new Date(0)
  await sql('update quipu.webhook_endpoint set events = $2 where id = $1', [id, filter])
  await sql(`update quipu.delivery_cursor set seq = $2, logged_at = $3, ahead_seq = $4 where endpoint_id = $1`, [
    id,
    cursor,
    cursor === 0 ? '-infinity' : at(cursor),
    own.at(-1) ?? 0,
  ])
  for (const [until, events] of earlier)
    await sql('insert into quipu.endpoint_filter values ($1, $2, $3, $4)', [id, until, at(until), events])
  // Every second one of the rows is of a delivery that has ended.
  const rows = own.map((seq) => logs[tenantId][seq - 1]).filter((entry) => entry?.id)
  for (const [i, entry] of rows.entries())
    await sql(
      i % 2 === 0
        ? `insert into quipu.delivery_open (endpoint_id, event_id, tenant_id, event_type, recorded_at,
             next_at, generation) values ($1, $2, $3, $4, $5, $5, 1)`
        : `insert into quipu.delivery (endpoint_id, event_id, tenant_id, event_type, recorded_at, status,
             ended_at, fencing_token, has_paused, attempts)
           values ($1, $2, $3, $4, $5, 'delivered', $5, 1, false, '{}')`,
      [id, entry?.id, tenantId, entry?.type, entry?.at],
    )
}
