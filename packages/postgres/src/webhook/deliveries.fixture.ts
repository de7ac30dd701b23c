import {
  type AttemptRecord,
  type ClaimedDelivery,
  type ClaimQuery,
  defaultEndpointPolicy,
  type DeliveryStore,
  type Recorded,
  type TenantEventType,
  usdt,
} from '@quipu/core'
import { someInstant } from '@quipu/core/testing'
import type { Bench } from '../test/stores.fixture.ts'

/** Claims that nothing but what is due limits. */
export const everything: ClaimQuery = {
  limit: 1_000,
  leaseSeconds: 60,
  perEndpoint: 1_000,
  perTenant: 1_000,
  lane: 'quick',
  catchUpPerSecond: 1_000_000,
}

export async function newEndpoint(
  { stores, ids }: Bench,
  tenantId: string,
  id: string = ids.next('we', someInstant),
): Promise<string> {
  const endpoint = {
    id,
    tenantId,
    url: 'https://hooks.example/',
    events: null,
    description: null,
    status: 'active',
    consecutiveExhausted: 0,
    pausedAt: null,
    createdAt: someInstant,
    updatedAt: someInstant,
  } as const
  const secrets = [{ sealed: '1.sealed', createdAt: someInstant, expiresAt: null }]
  await stores.webhooks.insert({ endpoint, secrets }, defaultEndpointPolicy)
  return endpoint.id
}

/** A new tenant with one endpoint. */
export async function newReceiver(bench: Bench): Promise<readonly [tenantId: string, id: string]> {
  const tenantId = await bench.newWallet(usdt(0n))
  return [tenantId, await newEndpoint(bench, tenantId)]
}

/** So many events of a type and a tenant's, in one statement: their deliveries are made by it. */
export const eventsOf = (type: TenantEventType): string => `
  with made as materialized (select uuidv7() as id from generate_series(1, $2::int))
  insert into quipu.event (tenant_id, id, type, subject_id, body, occurred_at, recorded_at)
  select $1, id, '${type}', 'po_' || id, '{}', uuid_extract_timestamp(id),
    uuid_extract_timestamp(id)
  from made`

export const eventsHappen: string = eventsOf('payout.completed')

/** What came of a claim, as it is recorded. */
export const attemptAt = (
  { claim }: Pick<ClaimedDelivery, 'claim'>,
  verdict: AttemptRecord['verdict'],
): AttemptRecord => ({
  claim,
  attempt: {
    at: someInstant,
    statusCode: verdict.type === 'delivered' ? 200 : 500,
    latencyMs: 7,
    error: verdict.type === 'delivered' ? null : 'STATUS',
    excerpt: 'a "quoted" \\ and \u0000 and ñ',
  },
  verdict,
  isSlow: false,
  pauseAfter: 5,
})

export const recordAll = (
  deliveries: DeliveryStore,
  claimed: readonly ClaimedDelivery[],
  verdict: AttemptRecord['verdict'],
): Promise<Recorded[]> =>
  Promise.all(claimed.map((each) => deliveries.record(attemptAt(each, verdict))))
