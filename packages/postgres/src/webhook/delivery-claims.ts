import type {
  ClaimedDelivery,
  ClaimedRun,
  ClaimQuery,
  DeliveryStore,
  SealedSecret,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { unpackBody } from '../event/packed-body.ts'
import { type SecretRow, secretsFromRows } from './webhook-row.ts'

// Decided in packages/postgres/migrations/0013-delivery-claims.sql.

const claimColumns = `
  endpoint_id, event_id, tenant_id, fencing_token, attempt, is_resend, lost_leases, run_seq, run_size,
  url, secrets, body`

const claimDue: Statement = {
  name: 'delivery.claim_due',
  text: `
    select ${claimColumns} from quipu.claim_deliveries($1, $2, $3, $4, $5, $6, true, $7, $8)`,
}

const enqueue: Statement = {
  name: 'delivery.enqueue',
  text: `
    select endpoint_id, event_id, tenant_id
    from quipu.claim_deliveries($1, $2, $3, $4, $5, $6, false, $7, $8)`,
}

const claimOne: Statement = {
  name: 'delivery.claim',
  text: `select ${claimColumns} from quipu.claim_delivery($1, $2, $3, $4)`,
}

const requeue: Statement = {
  name: 'delivery.requeue',
  text: 'select quipu.requeue_deliveries($1, $2, $3)',
}

type RefRow = {
  readonly endpoint_id: string
  readonly event_id: string
  readonly tenant_id: string
}
type ClaimRow = RefRow & {
  readonly fencing_token: number
  readonly attempt: number
  readonly is_resend: boolean
  readonly lost_leases: number
  /** Null unless it was claimed with the others of a run. */
  readonly run_seq: bigint | null
  readonly run_size: number
  /** Null after the first delivery of an endpoint’s run, and so are its secrets, which are JSON. */
  readonly url: string | null
  readonly secrets: string | null
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
      query.perTenant,
      query.lane === 'slow',
      query.catchUpPerSecond,
      served[query.lane],
      database.now(),
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
      (await due<RefRow>(enqueue, query)).map((row) => ({
        endpointId: row.endpoint_id,
        eventId: row.event_id,
        tenantId: row.tenant_id,
      })),
    takeBack: async (refs) => {
      const endpointIds = refs.map(({ endpointId }) => endpointId)
      const eventIds = refs.map(({ eventId }) => eventId)
      await database.query(requeue, [endpointIds, eventIds, database.now()])
    },
  }
}

/** Deliveries of an endpoint come one after another, those of a run with the same objects. */
function claimedFromRows(rows: readonly ClaimRow[]): readonly ClaimedDelivery[] {
  let url = ''
  let text: string | undefined
  let secrets: readonly SealedSecret[] = []
  let run: (ClaimedRun & { readonly endpointId: string }) | undefined
  return rows.map((row) => {
    if (row.secrets !== null && row.secrets !== text) {
      text = row.secrets
      secrets = secretsFromRows(JSON.parse(text) as SecretRow[])
    }
    url = row.url ?? url
    if (row.run_seq === null) run = undefined
    else if (run?.seq !== row.run_seq || run.endpointId !== row.endpoint_id)
      run = { seq: row.run_seq, size: row.run_size, endpointId: row.endpoint_id }
    const claim = {
      endpointId: row.endpoint_id,
      eventId: row.event_id,
      fence: row.fencing_token,
      run,
    }
    return {
      claim,
      tenantId: row.tenant_id,
      url,
      secrets,
      body: unpackBody(row.body),
      attempt: row.attempt,
      isResend: row.is_resend,
      lostLeases: row.lost_leases,
    }
  })
}
