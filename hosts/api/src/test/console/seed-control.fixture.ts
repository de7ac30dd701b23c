import { commitSend, foundDifference, newTopUp } from '@quipu/contracts'
import type { FoundDifference } from '@quipu/core/operator'
import { systemClock, systemIds } from '@quipu/runtime'
import type { OperatorDeliveryJson, PageJson, ReconciliationRunJson } from '@quipu/wire'
import pg from 'pg'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'
import type { PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { failed, scriptedWebhooks, sendDue, succeeded } from '../harness/webhooks.fixture.ts'

/** Markup that runs a script where a page takes a text for markup. */
export const script = '<img src=x onerror=alert(1)>'

/** The settings that the records of `seedControl` need: the secret is that of the scripted receivers. */
export const controlEnv = { WEBHOOK_SECRET_KEY: '07'.repeat(32), WEBHOOK_ALLOW_PRIVATE: 'true' }

/** Records of the pages on which operators decide and look things up. */
export type ControlSeed = {
  /** Its name and its contact's are scripts. */
  readonly scriptedTenant: TestTenant
  /** In review, each for a test that decides about it. */
  readonly reviews: readonly [shown: string, credited: string, closed: string]
  readonly send: string
  /** Of Omar: one is shown, one is approved by a test. */
  readonly proposals: readonly [shown: string, approved: string]
  /** Of Olivia. */
  readonly ownProposal: string
  /** Its receiver fails, and answers with a script. */
  readonly deadEndpoint: string
  readonly deadDelivery: string
  readonly endpoint: string
  /** Delivered. */
  readonly delivery: string
  readonly event: string
  /** Of the QR network's statement; its detail has a script. */
  readonly difference: string
  /** A wallet's row has USDT 0.5 too much. */
  readonly drift: string
  readonly run: string
}

export async function seedControl(api: PostgresApi, tenant: TestTenant): Promise<ControlSeed> {
  const { endpoint, deadEndpoint } = await registerEndpoints(tenant)
  await tenant.post('/v1/payouts', await tenant.order())
  await deliver(api)
  const deliveryOf = async (id: string): Promise<OperatorDeliveryJson> => {
    const path = `/operator/v1/webhook-deliveries?endpoint_id=${id}`
    const reply = await api.operator('GET', path)
    const [delivery] = (reply.json as PageJson<OperatorDeliveryJson>).data
    if (!delivery) throw new Error('the endpoint has a delivery')
    return delivery
  }
  const [delivered, dead] = [await deliveryOf(endpoint), await deliveryOf(deadEndpoint)]
  const reviews = await reviewsOf(api, tenant)
  await deliver(api)
  return {
    ...{ endpoint, deadEndpoint, reviews },
    scriptedTenant: await scriptedTenantOf(api),
    send: await sendOf(api, tenant),
    proposals: [
      await propose(api, tenant, 'operators', '1.00'),
      await propose(api, tenant, 'operators', '2.00'),
    ],
    ownProposal: await propose(api, tenant, undefined, '3.00'),
    deadDelivery: dead.id,
    delivery: delivered.id,
    event: delivered.event_id,
    ...(await differencesOf(api, tenant)),
    run: await runOf(api),
  }
}

async function registerEndpoints(
  tenant: TestTenant,
): Promise<Pick<ControlSeed, 'endpoint' | 'deadEndpoint'>> {
  const register = async (path: string): Promise<string> => {
    const url = `http://127.0.0.1:9/${path}`
    const reply = await tenant.post('/v1/webhooks', { url, description: script })
    return (reply.json as { id: string }).id
  }
  return { endpoint: await register('hook'), deadEndpoint: await register('dead') }
}

/** Sends due webhooks to receivers of which one is dead. */
async function deliver(api: PostgresApi): Promise<void> {
  const webhooks = scriptedWebhooks()
  webhooks.answer = async ({ url }) =>
    url.includes('dead') ? { ...failed, excerpt: script } : succeeded
  await sendDue(api.stores, webhooks, systemClock)()
}

async function scriptedTenantOf(api: PostgresApi): Promise<TestTenant> {
  const tenant = await api.tenant(0n)
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, {
    legal_name: script,
    technical_contact: { name: script, email: 'ana@example.com' },
  })
  return tenant
}

async function reviewsOf(api: PostgresApi, tenant: TestTenant): Promise<ControlSeed['reviews']> {
  await newTopUp(api.stores, tenant.id)
  const make = depositMaker(api.stores, systemClock)
  const review = async (value: bigint): Promise<string> =>
    (await make({ tenantId: tenant.id, value })).id
  return [await review(500_000n), await review(600_000n), await review(700_000n)]
}

async function sendOf(api: PostgresApi, tenant: TestTenant): Promise<string> {
  const committed = await commitSend({ faucet: api.stores.faucet, ids: systemIds }, tenant.id)
  if (committed.type !== 'committed') throw new Error(`the send is ${committed.type}`)
  return committed.send.id
}

async function runOf(api: PostgresApi): Promise<string> {
  const path = '/operator/v1/reconciliation-runs'
  const reply = await api.operator('POST', path, { check: 'chain' })
  return (reply.json as ReconciliationRunJson).id
}

/** Proposes an adjustment. @param token  left out: that of Olivia */
async function propose(
  api: PostgresApi,
  tenant: TestTenant,
  token: string | undefined,
  amount: string,
): Promise<string> {
  const path = `/operator/v1/tenants/${tenant.id}/adjustments`
  const body = { direction: 'in', amount, reason: `Fee charged twice ${script}` }
  const reply = token
    ? await sendRequest(api.api.operatorUrl + path, 'POST', { token, body })
    : await api.operator('POST', path, body)
  return (reply.json as { id: string }).id
}

/** Records a difference, as a check does. @returns its id */
export async function recordDifference(
  api: PostgresApi,
  over: Partial<FoundDifference>,
): Promise<string> {
  const found = { ...foundDifference(systemIds, over), id: systemIds.next('dif', systemClock()) }
  await api.stores.differences.record([found], systemClock())
  return found.id
}

async function differencesOf(
  api: PostgresApi,
  tenant: TestTenant,
): Promise<Pick<ControlSeed, 'difference' | 'drift'>> {
  return {
    difference: await recordDifference(api, {
      ...{ tenantId: tenant.id, subject: systemIds.next('po', systemClock()) },
      detail: `paid 95.00 BOB instead of 100.00 BOB, says the network: ${script}`,
    }),
    drift: await driftOf(api),
  }
}

/** Adds USDT 0.5 to a wallet's row, as a superuser can, and checks the ledger as a worker does. */
async function driftOf(api: PostgresApi): Promise<string> {
  const { id } = await api.tenant(1_000_000n)
  const client = new pg.Client(api.database.ownerUrl)
  await client.connect()
  await client.query(`set session_replication_role = replica;
    update quipu.wallet set available = available + 500000 where tenant_id = '${id}'`)
  await client.end()
  const find = () => api.stores.differences.list({ tenantId: id, check: 'ledger', limit: 1 })
  for (let checks = 0; checks < 20 && (await find()).items.length === 0; checks++)
    await api.stores.ledgerCheck.wallets({ wallets: 100, postings: 1_000, everySeconds: 0 })
  const [found] = (await find()).items
  if (!found) throw new Error('the check of the ledger finds no drift')
  return found.id
}
