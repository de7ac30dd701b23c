import { defaultEndpointPolicy, type TenantEventType, usdt } from '@quipu/core'
import type {
  AttemptRecord,
  ClaimedDelivery,
  DeliveryClaimQuery,
  DeliveryStore,
  RecordedAttempt,
} from '@quipu/core/adapter'
import { bareEndpoint, someInstant } from '@quipu/contracts'
import type { StoreHarness } from './stores.fixture.ts'

/** A claim of everything that is due. */
export const everything: DeliveryClaimQuery = {
  limit: 1_000,
  leaseSeconds: 60,
  perEndpoint: 1_000,
  perTenant: 1_000,
  deliveryClass: 'fast',
  catchUpPerSecond: 1_000_000,
}

export async function newEndpoint(
  { stores, ids }: StoreHarness,
  tenantId: string,
  id: string = ids.next('we', someInstant),
): Promise<string> {
  const endpoint = { ...bareEndpoint, id, tenantId }
  const secrets = [{ ciphertext: '1.ciphertext', lastFour: '3f9c', createdAt: someInstant, expiresAt: null }]
  await stores.webhooks.insert({ endpoint, secrets }, defaultEndpointPolicy)
  return endpoint.id
}

/** A new tenant with one endpoint. */
export async function newReceiver(harness: StoreHarness): Promise<readonly [tenantId: string, id: string]> {
  const tenantId = await harness.newWallet(usdt(0n))
  return [tenantId, await newEndpoint(harness, tenantId)]
}

/**
 * A statement that adds $2 entries of a type to the log of tenant $1, one a millisecond, and signals them as a
 * commit does.
 */
export const eventsOf = (type: TenantEventType | 'adjustment_in'): string => `
  with log as materialized (
    update quipu.wallet w set seq = w.seq + $2::int, logged_at = greatest(w.logged_at + $2::int * ms.one,
      date_trunc('milliseconds', clock_timestamp()))
    from (select interval '1 millisecond') ms (one)
    where w.tenant_id = $1
    returning new.seq - $2::int as seq, new.logged_at - $2::int * ms.one as logged_at, ms.one
  ), signals as (
    insert into quipu.delivery_signal (tenant_ids)
    select array[$1] where exists (select from quipu.webhook_endpoint e where e.tenant_id = $1)
  ), made as materialized (
    select l.seq + n as seq, l.logged_at + n * l.one as at,
      quipu.uuid_at(uuidv7(), l.logged_at + n * l.one) as id
    from log l cross join generate_series(1, $2::int) n
  )
  ${type.startsWith('payout.') ? endedAs(type.slice('payout.'.length)) : loggedAs(type)}`

/** Each entry of a log has a body of its own. */
const body = `('{"seq":' || seq || '}')::bytea`

const endedAs = (status: string): string => {
  const code = status === 'failed' ? 'PAYMENT_FAILED' : 'PAYMENT_CANCELLED'
  const errorText = status === 'completed' ? 'null' : `'${code}'`
  return `
  insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, fencing_token,
    event_id, tenant_id, payout_id, status, error_code, error_message, body)
  select seq, at, 1, 0, 0, 1, id, $1, 'po_' || id, '${status}', ${errorText}, ${errorText}, ${body}
  from made`
}

const loggedAs = (type: string): string => {
  const posted = /^adjustment|credited$/.test(type) ? '1, 1, 1' : 'null, null, null'
  const event = type.startsWith('adjustment') ? 'null, null' : `id, ${body}`
  return `
  insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, type, subject_id, event_id, body, amount,
    available_after, held_after)
  select $1, seq, at, at, '${type}', 'dep_' || id, ${event}, ${posted} from made`
}

export const eventsHappen: string = eventsOf('payout.completed')

/** The record of an attempt with this decision. */
export const attemptAt = (
  { claim }: Pick<ClaimedDelivery, 'claim'>,
  decision: AttemptRecord['decision'],
): AttemptRecord => ({
  claim,
  attempt: {
    at: someInstant,
    statusCode: decision.type === 'delivered' ? 200 : 500,
    latencyMs: 7,
    error: decision.type === 'delivered' ? null : 'STATUS',
    excerpt: 'a "quoted" \\ and \u0000 and ñ',
  },
  decision,
  isSlow: false,
  pauseAfter: 5,
  alertAfterSeconds: 900,
})

/** The record of a delivered attempt that `delivered_run` can store. */
export const arrivalOf = (claimed: Pick<ClaimedDelivery, 'claim'>): AttemptRecord => {
  const record = attemptAt(claimed, { type: 'delivered' })
  return { ...record, attempt: { ...record.attempt, excerpt: 'a "quoted" \\ and ñ' } }
}

export const recordAll = (
  deliveries: DeliveryStore,
  claimed: readonly ClaimedDelivery[],
  decision: AttemptRecord['decision'],
): Promise<RecordedAttempt[]> =>
  Promise.all(
    claimed.map((each) =>
      deliveries.record(decision.type === 'delivered' ? arrivalOf(each) : attemptAt(each, decision)),
    ),
  )
