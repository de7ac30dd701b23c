import { addressDifference, commitSend, foundDifference, newTopUp, testSignInKeys } from '@quipu/contracts'
import { sha256 } from '@quipu/core/adapter'
import { approveProposal, type FoundDifference } from '@quipu/core/operator'
import { systemClock, systemIds } from '@quipu/core/system'
import type { OperatorDeliveryJson, PageJson, ReconciliationRunJson } from '@quipu/wire'
import pg from 'pg'
import { base64Token } from '../harness/api.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'
import type { PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { failed, scriptedWebhooks, sendDue, succeeded } from '../harness/webhooks.fixture.ts'

/** Markup that runs a script where a page takes a text for markup. */
export const script = '<img src=x onerror=alert(1)>'

/** The settings that the records of `seedControl` need: the secret is that of the scripted receivers. */
export const controlEnv = {
  WEBHOOK_SECRET_KEY: '07'.repeat(32),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  OPERATOR_SIGN_IN_KEY: Buffer.from(testSignInKeys[0].key).toString('hex'),
}

/** Records of the pages on which operators decide and look things up. */
export type ControlSeed = {
  /** Its name and its contact's are scripts. */
  readonly scriptedTenant: TestTenant
  /** A deposit in review. */
  readonly review: string
  readonly send: string
  /** Omar's. */
  readonly proposal: string
  /** Olivia's. */
  readonly ownProposal: string
  /** Its receiver fails, and answers with a script. */
  readonly deadEndpoint: string
  readonly deadDelivery: string
  readonly event: string
  /** A difference of the QR network's statement; its detail has a script. */
  readonly difference: string
  readonly run: string
  /** A listed merchant's, whose name is a script. */
  readonly screeningCase: string
  readonly acts: ControlActs
}

/** Records that a test of actions changes. */
export type ControlActs = {
  /** With money, a top-up address, and no key but that of its requests. */
  readonly tenant: TestTenant
  /** Deposits in review. */
  readonly credited: string
  readonly closed: string
  readonly returned: string
  /** Arrived at an address that the token's issuer has frozen; the only one of its tenant. */
  readonly frozen: string
  /** Screening has not answered about its sender. */
  readonly unscreened: string
  /** Omar's, open. */
  readonly proposal: string
  /** Omar's, open. */
  readonly rejected: string
  /** Omar's, approved by another person, and not executed. */
  readonly approved: string
  /** Olivia's. */
  readonly ownProposal: string
  readonly endpoint: string
  /** Delivered to `endpoint`. */
  readonly delivery: string
  readonly difference: string
  /** A wallet's row has USDT 0.5 too much. */
  readonly drift: string
}

export async function seedControl(api: PostgresApi, tenant: TestTenant): Promise<ControlSeed> {
  const [deadEndpoint, endpoint] = [await registerEndpoint(tenant, 'dead'), await registerEndpoint(tenant, 'alive')]
  await tenant.post('/v1/payouts', await tenant.order())
  await deliver(api)
  const deliveryOf = async (id: string): Promise<OperatorDeliveryJson> => {
    const path = `/operator/v1/webhook-deliveries?endpoint_id=${id}`
    const reply = await api.operator('GET', path)
    const [delivery] = (reply.json as PageJson<OperatorDeliveryJson>).data
    if (!delivery) throw new Error('the endpoint has a delivery')
    return delivery
  }
  const dead = await deliveryOf(deadEndpoint)
  await newTopUp(api.stores, tenant.id)
  const make = depositMaker(api.stores, systemClock)
  const review = async (value: bigint): Promise<string> => (await make({ tenantId: tenant.id, value })).id
  const reviewFor = async (facts: { isAddressFrozen: true } | { screening: 'unanswered' }): Promise<string> => {
    const { id: tenantId } = await fundedTenant(api)
    return (await make({ tenantId, value: 5_000_000n, facts })).id
  }
  const acts: ControlActs = {
    endpoint,
    delivery: (await deliveryOf(endpoint)).id,
    tenant: await fundedTenant(api),
    credited: await review(600000n),
    closed: await review(700000n),
    returned: await review(800000n),
    frozen: await reviewFor({ isAddressFrozen: true }),
    unscreened: await reviewFor({ screening: 'unanswered' }),
    proposal: await propose(api, tenant, 'operators', '2.00'),
    rejected: await propose(api, tenant, 'operators', '2.50'),
    approved: await approve(api, await propose(api, tenant, 'operators', '4.00')),
    ownProposal: await propose(api, tenant, undefined, '3.00'),
    difference: await differenceOf(api, tenant, 'short'),
    drift: await driftOf(api),
  }
  const shown = await review(500_000n)
  await deliver(api)
  return {
    deadEndpoint,
    acts,
    review: shown,
    scriptedTenant: await scriptedTenantOf(api),
    send: await sendOf(api, tenant),
    proposal: await propose(api, tenant, 'operators', '1.00'),
    ownProposal: await propose(api, tenant, undefined, '3.00'),
    deadDelivery: dead.id,
    event: dead.event_id,
    difference: await differenceOf(api, tenant, 'unread'),
    run: await runOf(api),
    screeningCase: await screeningCaseOf(api, tenant.id),
  }
}

async function registerEndpoint(tenant: TestTenant, path: string): Promise<string> {
  const url = `http://127.0.0.1:9/${path}`
  const reply = await tenant.post('/v1/webhooks', { url, description: script })
  return (reply.json as { id: string }).id
}

async function fundedTenant(api: PostgresApi): Promise<TestTenant> {
  const tenant = await api.tenant()
  await newTopUp(api.stores, tenant.id)
  return tenant
}

/** Approves in the name of Otto, as a process does that ends before it executes. */
async function approve(api: PostgresApi, id: string): Promise<string> {
  const proposal = await api.stores.proposals.find(id)
  const approved = proposal && approveProposal(proposal, 'otto', systemClock())
  if (typeof approved !== 'object') throw new Error(`the proposal is ${approved}`)
  await api.stores.proposals.commit(approved, { tokenHash: sha256(base64Token) })
  return id
}

/** Sends due webhooks to receivers of which one is dead. */
async function deliver(api: PostgresApi): Promise<void> {
  const webhooks = scriptedWebhooks()
  webhooks.answer = async ({ url }) => (url.includes('dead') ? { ...failed, excerpt: script } : succeeded)
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

/** A hit of a merchant whose name is a script. @returns the id of its case */
async function screeningCaseOf(api: PostgresApi, tenantId: string): Promise<string> {
  const about = { kind: 'merchant', outcome: 'listed', subject: '1014 X', name: script, tenantId } as const
  const list = { list: 'sanctions', version: '1', reason: 'fraud', reference: null, hits: 1 }
  const { found } = await api.stores.screeningCases.hit(systemIds.next('scr', systemClock()), { ...about, ...list })
  return found.id
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
export async function recordDifference(api: PostgresApi, over: Partial<FoundDifference>): Promise<string> {
  const found = { ...foundDifference(systemIds, over), id: systemIds.next('dif', systemClock()) }
  await api.stores.differences.record([found], systemClock())
  return found.id
}

/** Records payments of the network that no payout has. */
export async function recordDifferences(api: PostgresApi, count: number): Promise<void> {
  const at = systemClock()
  const found = Array.from({ length: count }, (_, index) => ({
    ...foundDifference(systemIds, { subject: `reference ${index}` }),
    id: systemIds.next('dif', at),
  }))
  await api.stores.differences.record(found, at)
}

/** @param kind  one that the tenant's address does not have yet: a kind about one subject is one difference */
async function differenceOf(api: PostgresApi, tenant: TestTenant, kind: string): Promise<string> {
  const detail = `paid 95.00 BOB instead of 100.00 BOB, says the network: ${script}`
  return recordDifference(api, await addressDifference({ ids: systemIds, ...api.stores }, tenant.id, { kind, detail }))
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
