import type {
  ClaimedDelivery,
  ClaimQuery,
  DeliveryRef,
  DeliveryStore,
  SealedSecret,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { type SecretRow, secretsFromRows } from './webhook-row.ts'

const claimDue: Statement = {
  name: 'delivery.claim_due',
  text: 'select * from quipu.claim_deliveries($1, $2, $3, $4, $5, true, $6, $7, $8)',
}

const handOut: Statement = {
  name: 'delivery.hand_out',
  text: `
    select endpoint_id, event_id, tenant_id
    from quipu.claim_deliveries($1, $2, $3, $4, $5, false, $6, $7, $8)`,
}

/** Under the rules of `quipu.claim_deliveries`, but for whose turn it is. */
const claimOne: Statement = {
  name: 'delivery.claim',
  text: `
    with now as materialized (
      select quipu.store_now($4) as moment,
        quipu.store_now($4) + make_interval(secs => $3) as lease_end
    ), claimed as (
      update quipu.delivery_open d
      set out_until = now.lease_end, next_at = now.lease_end, is_leased = true, fence = d.fence + 1,
        lost_leases = d.lost_leases + d.is_leased::int, round = w.round,
        attempt = case when d.round < w.round then 0 else d.attempt end
      from quipu.webhook_endpoint w, now
      where d.endpoint_id = $1 and d.event_id = $2 and w.id = $1
        and (w.status = 'active' or d.return_to is not null)
        and (d.next_at <= now.moment or (d.out_until is not null and not d.is_leased))
      returning d.*, w.url, w.secrets
    )
    select c.endpoint_id, c.event_id, c.tenant_id, c.fence, c.attempt + 1 as attempt,
      c.return_to is not null as is_resend, c.lost_leases, c.url, c.secrets::text, v.body
    from claimed c
    cross join lateral (
      select v.body from quipu.event v
      where v.tenant_id = c.tenant_id and v.type = c.event_type
        and v.recorded_at = c.recorded_at and v.id = c.event_id
      limit 1
    ) v`,
}

/** Each row is found by its key, in the order in which everybody locks them, and then by its place. */
const takeBack: Statement = {
  name: 'delivery.take_back',
  text: `
    update quipu.delivery_open d
    set out_until = null, next_at = quipu.store_now($3)
    where num_nulls(d.out_until) = 0 and not d.is_leased and d.ctid = any (array(
      select o.ctid
      from (
        select * from unnest($1::text[], $2::uuid[]) r (endpoint_id, event_id) order by 1, 2
      ) r
      cross join lateral (
        select o.ctid from quipu.delivery_open o
        where o.endpoint_id = r.endpoint_id and o.event_id = r.event_id for update
      ) o
    ))`,
}

export const claimStatements: readonly Statement[] = [claimOne, takeBack]

type RefRow = {
  readonly endpoint_id: string
  readonly event_id: string
  readonly tenant_id: string
}
type ClaimRow = RefRow & {
  readonly fence: number
  readonly attempt: number
  readonly is_resend: boolean
  readonly lost_leases: number
  readonly url: string
  /** As JSON. */
  readonly secrets: string
  readonly body: Buffer
}

export type DeliveryClaims = Pick<DeliveryStore, 'claimDue' | 'claim' | 'handOut' | 'takeBack'>

/** Who may send which delivery, and when. */
export function deliveryClaims(database: Database): DeliveryClaims {
  /** The endpoint that was served last, in each lane: the next one is first now. */
  const served = { quick: '', slow: '' }
  const due = async <Row extends RefRow>(statement: Statement, query: ClaimQuery) => {
    const values = [
      query.limit,
      query.leaseSeconds,
      query.perEndpoint,
      query.lane === 'slow',
      query.catchUpPerSecond,
      served[query.lane],
      database.now(),
      query.perTenant,
    ]
    const rows = await database.query<Row>(statement, values)
    served[query.lane] = rows.at(-1)?.endpoint_id ?? served[query.lane]
    return rows
  }
  return {
    claimDue: async (query) => claimedFromRows(await due<ClaimRow>(claimDue, query)),
    claim: async ({ endpointId, eventId }, leaseSeconds) => {
      const values = [endpointId, eventId, leaseSeconds, database.now()]
      const [claimed] = claimedFromRows(await database.query<ClaimRow>(claimOne, values))
      return claimed
    },
    handOut: async (query) =>
      (await due<RefRow>(handOut, query)).map((row) => ({
        ...refFromRow(row),
        tenantId: row.tenant_id,
      })),
    takeBack: async (refs) => {
      const endpointIds = refs.map(({ endpointId }) => endpointId)
      const eventIds = refs.map(({ eventId }) => eventId)
      await database.query(takeBack, [endpointIds, eventIds, database.now()])
    },
  }
}

/** Deliveries of an endpoint come one after another, each with the same secrets: they are read once. */
function claimedFromRows(rows: readonly ClaimRow[]): readonly ClaimedDelivery[] {
  let text = '[]'
  let secrets: readonly SealedSecret[] = []
  return rows.map((row) => {
    if (row.secrets !== text) secrets = secretsFromRows(JSON.parse(row.secrets) as SecretRow[])
    text = row.secrets
    return {
      claim: { ...refFromRow(row), fence: row.fence },
      tenantId: row.tenant_id,
      url: row.url,
      secrets,
      body: row.body,
      attempt: row.attempt,
      isResend: row.is_resend,
      lostLeases: row.lost_leases,
    }
  })
}

const refFromRow = (row: RefRow): DeliveryRef => ({
  endpointId: row.endpoint_id,
  eventId: row.event_id,
})
