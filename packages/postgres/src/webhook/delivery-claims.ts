import type {
  ClaimedDelivery,
  ClaimedRun,
  DeliveryClaimQuery,
  DeliveryStore,
  EncryptedSecret,
} from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { bodyOf, traceparentOf } from '../event/stored-body.ts'
import { type SecretRow, secretsFromRows } from './webhook-row.ts'

/**
 * Returns the events' bytes as text: they are JSON, and a `bytea` would be sent as twice as many hexadecimal
 * digits. Each byte is one character, so that bytes that are not UTF-8 fail no claim; damaged bytes with a zero, which
 * no text has, are returned as they are. Returns arrays as lists with commas, as the driver parses an array character
 * by character.
 */
const claimColumns = `
  endpoint_id, tenant_id, url, secrets, array_to_string(event_ids, ',') as event_ids,
  array_to_string(body_sizes, ',') as body_sizes,
  case when is_text then convert_from(bodies, 'LATIN1') end as bodies,
  case when not is_text then bodies end as damaged_bodies,
  run_seq, fencing_token, attempt, is_resend, lost_leases`

/** Whether bodies are text. `offset 0` keeps the planner from looking for the zero twice. */
const areText = `cross join lateral (select position('\\x00' in bodies) = 0 as is_text offset 0) t`

// Decided by migrations/0015-delivery-claims.sql.

const claimDeliveries = statement('claim_deliveries')`
  select ${claimColumns} from quipu.claim_deliveries($1, $2, $3, $4, $5, $6, true, $7, $8, $9) ${areText}`

const enqueueDeliveries = statement('claim_deliveries.enqueue')`
  select endpoint_id, tenant_id, array_to_string(event_ids, ',') as event_ids, was_queued
  from quipu.claim_deliveries($1, $2, $3, $4, $5, $6, false, $7, $8, $9)`

const claimDelivery = statement('claim_delivery')`
  select ${claimColumns} from quipu.claim_delivery($1, $2, $3, $4) ${areText}`

type Ref = Parameters<DeliveryStore['requeue']>[0][number]

const requeued = arrayParameters<Ref>({
  endpoints: ['text', ({ endpointId }) => endpointId],
  events: ['uuid', ({ eventId }) => eventId],
})

const requeueDeliveries = statement('requeue_deliveries')`
  select quipu.requeue_deliveries(${namedArguments([...requeued.names, 'clock_override'])})`

/** Deliveries of one endpoint that were claimed together. */
type GroupRow = {
  readonly endpoint_id: string
  readonly tenant_id: string
  /** Separated by commas, as are `body_sizes`. */
  readonly event_ids: string
}
type ClaimRow = GroupRow & {
  readonly url: string
  /** As JSON. */
  readonly secrets: string
  readonly body_sizes: string
  /** Concatenated; one character a byte. Null when there are `damaged_bodies`. */
  readonly bodies: string | null
  readonly damaged_bodies: Buffer | null
  /** Null for a single delivery. */
  readonly run_seq: bigint | null
  readonly fencing_token: number
  readonly attempt: number
  readonly is_resend: boolean
  readonly lost_leases: number
}

/** How often a process lets a claim open the expired runs of dead workers. */
const lostRunsMs = 1_000

export type DeliveryClaims = Pick<DeliveryStore, 'claimDue' | 'claim' | 'enqueue' | 'requeue'>

/** The claims of deliveries. */
export function deliveryClaims(database: Database): DeliveryClaims {
  /** The endpoint that was served last in each class: the next claim begins after it. */
  const served = { fast: '', slow: '' }
  let lostRunsOpenedAt = -Infinity
  const takesLostRuns = (now: number): boolean => {
    if (Math.abs(now - lostRunsOpenedAt) < lostRunsMs) return false
    lostRunsOpenedAt = now
    return true
  }
  const due = async <Row extends GroupRow>(statement: Statement, query: DeliveryClaimQuery) => {
    const clockOverride = database.clockOverride()
    const values = [
      query.limit,
      query.leaseSeconds,
      query.perEndpoint,
      query.perTenant,
      query.deliveryClass === 'slow',
      query.catchUpPerSecond,
      served[query.deliveryClass],
      query.deliveryClass === 'fast' && takesLostRuns(clockOverride?.getTime() ?? performance.now()),
      clockOverride,
    ]
    const rows = await database.query<Row>(statement, values)
    served[query.deliveryClass] = rows.at(-1)?.endpoint_id ?? served[query.deliveryClass]
    return rows
  }
  return {
    claimDue: async (query) => (await due<ClaimRow>(claimDeliveries, query)).flatMap(claimedFromRow),
    claim: async ({ endpointId, eventId }, leaseSeconds) => {
      const values = [endpointId, eventId, leaseSeconds, database.clockOverride()]
      const [claimed] = (await database.query<ClaimRow>(claimDelivery, values)).flatMap(claimedFromRow)
      return claimed
    },
    enqueue: async (query) =>
      (await due<GroupRow & { readonly was_queued: boolean }>(enqueueDeliveries, query)).flatMap((row) =>
        row.event_ids
          .split(',')
          .map((eventId) => ({
            endpointId: row.endpoint_id,
            eventId,
            tenantId: row.tenant_id,
            wasQueued: row.was_queued,
          })),
      ),
    requeue: async (refs) => {
      await database.query(requeueDeliveries, [...requeued.encode(refs), database.clockOverride()])
    },
  }
}

/** None when the stored secrets were changed: then the attempts fail, and not the claim. */
function secretsOf({ secrets }: ClaimRow): readonly EncryptedSecret[] {
  try {
    return secretsFromRows(JSON.parse(secrets) as SecretRow[])
  } catch {
    return []
  }
}

/**
 * Deliveries of one row share their secrets and their run. A body is checked when it is read: one that was changed
 * fails its own attempt, and not the claim of all others.
 */
function claimedFromRow(row: ClaimRow): readonly ClaimedDelivery[] {
  const secrets = secretsOf(row)
  const eventIds = row.event_ids.split(',')
  const sizes = row.body_sizes.split(',')
  const run: ClaimedRun | undefined = row.run_seq === null ? undefined : { seq: row.run_seq, size: eventIds.length }
  const bodies = row.damaged_bodies ?? Buffer.from(row.bodies ?? '', 'latin1')
  let end = 0
  return eventIds.map((eventId, place) => {
    const stored = bodies.subarray(end, (end += Number(sizes[place])))
    return {
      claim: { endpointId: row.endpoint_id, eventId, fencingToken: row.fencing_token, run },
      tenantId: row.tenant_id,
      url: row.url,
      secrets,
      get body() {
        return bodyOf(stored)
      },
      attempt: row.attempt,
      isResend: row.is_resend,
      lostLeases: row.lost_leases,
      traceparent: traceparentOf(stored),
    }
  })
}
