import type { DeliveryClaimQuery } from '@quipu/core/adapter'
import type { PostgresStores } from '@quipu/postgres'
import { systemIds } from '@quipu/core/system'
import { Client } from 'undici'
import type { History } from '../data/history.ts'
import type { BenchDatabase } from '../postgres/bench-database.ts'
import { claimSize } from './due-work.ts'
import type { ApiProcess } from './http.ts'

/** A database with a history, and an API on it. */
export type Grown = { readonly database: BenchDatabase; readonly api: ApiProcess; readonly history: History }

/** The timed work, and the work before it each time without being timed. */
export type Read = { readonly run: () => Promise<unknown>; readonly before?: () => Promise<unknown> }
export type Reads = Readonly<Record<string, Read>>

/** An early payout with its event, an endpoint of its tenant; an audit entry and an address in the middle of all. */
type Middle = {
  readonly id: string
  readonly transaction_id: string
  readonly event_id: string
  readonly endpoint_id: string
  readonly audit_id: string
  readonly audit_hash: string
  readonly address_index: number
}

/** The size of a slice of the ledger check in the worker. */
const ledgerSlice = { wallets: 100, postings: 1_000, everySeconds: 0 }
const dayMs = 86_400_000
const page = { limit: 50 }

/** Reads of tenants by HTTP, operators and workers by the stores. The tenant is the one with the longest log. */
export async function readsOf(grown: Grown, stores: PostgresStores) {
  const client = new Client(`http://127.0.0.1:${grown.api.ready.port}`)
  const reads: Reads = { ...tenantReads(client, grown, await middleOf(grown)), ...(await storeReadsOf(grown, stores)) }
  return { reads, close: () => client.close() }
}

/** The reads by the stores. */
export async function storeReadsOf(grown: Grown, stores: PostgresStores): Promise<Reads> {
  const middle = await middleOf(grown)
  return {
    ...tenantStoreReads(grown, stores, middle),
    ...operatorReads(stores, grown.history, middle),
    ...(await reconciliationSlices(grown, stores, middle)),
    ...ledgerSlices(grown, stores, middle),
    ...claims(stores),
  }
}

async function middleOf({ database, history }: Grown): Promise<Middle> {
  const { rows } = await database.db.query<Middle>(
    `select p.id, p.transaction_id, e.event_id, w.id as endpoint_id, a.id as audit_id,
       encode(a.hash, 'hex') as audit_hash, t.index as address_index
     from (select * from quipu.payout where tenant_id = $1 order by id offset 100 limit 1) p
     join quipu.payout_end e on e.payout_id = p.id and e.tenant_id = p.tenant_id
     join quipu.webhook_endpoint w on w.tenant_id = p.tenant_id
     cross join (select * from quipu.audit_log where id >= (select max(id) / 2 from quipu.audit_log) order by id limit 1) a
     cross join (
       select * from quipu.top_up_address
       where index >= (select max(index) / 2 from quipu.top_up_address) order by index limit 1
     ) t`,
    [history.tenants[0]?.id],
  )
  const [middle] = rows
  if (middle === undefined) throw new Error('the history has too few payouts')
  return middle
}

function tenantReads(client: Client, { history }: Grown, { id, transaction_id }: Middle): Reads {
  const headers = { 'X-API-Key': history.tenants[0]?.apiKey ?? '' }
  const get = (path: string): Read => ({
    run: async () => {
      const { statusCode, body } = await client.request({ method: 'GET', path, headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
    },
  })
  return {
    'the newest payouts': get('/v1/payouts?limit=50'),
    'payouts that failed': get('/v1/payouts?limit=50&status=failed'),
    'one payout by its id': get(`/v1/payouts/${id}`),
    'one payout by its transaction id': get(`/v1/payouts?transaction_id=${transaction_id}`),
    'the newest events': get('/v1/events?limit=50'),
    'the newest wallet transactions': get('/v1/wallets/transactions?limit=50'),
    'the newest deposits': get('/v1/deposits?limit=50'),
    'the wallet': get('/v1/wallets'),
    'reconciliation of the wallet': get('/v1/wallets/reconciliation'),
  }
}

function tenantStoreReads({ history }: Grown, stores: PostgresStores, middle: Middle): Reads {
  const tenantId = history.tenants[0]?.id ?? ''
  const day = { from: new Date(history.end.getTime() - 30 * dayMs), to: history.end }
  const { deliveries, statements, webhooks } = stores
  return {
    endpoints: { run: () => webhooks.list(tenantId, page) },
    'deliveries of an endpoint': { run: () => deliveries.list(tenantId, middle.endpoint_id, page) },
    'a page of a statement': { run: () => statements.transactions(tenantId, { ...day, ...page }) },
    'balances of a statement': { run: () => statements.balancesBefore(tenantId, [day.from, day.to]) },
  }
}

function operatorReads(stores: PostgresStores, history: History, middle: Middle): Reads {
  const { id, event_id } = middle
  const { overview, deposits, tenants, audit, differences, reconciliations, backlog } = stores
  const from = new Date(history.end.getTime() - 1_000 * history.stepMs)
  const activity = { from, stepSeconds: 3_600 }
  return {
    'payouts of all tenants': { run: () => overview.payouts(page) },
    'failed payouts of all tenants': { run: () => overview.payouts({ ...page, status: 'failed' }) },
    'payouts in processing': { run: () => overview.payouts({ ...page, status: 'processing' }) },
    'a payout for an operator': { run: () => overview.payout(id) },
    'activity of the last 1,000 payouts': { run: () => overview.activity(activity) },
    'events of all tenants': { run: () => overview.events(page) },
    'an event for an operator': { run: () => overview.event(event_id) },
    'wallets of all tenants': { run: () => overview.wallets(page) },
    'endpoints of all tenants': { run: () => overview.endpoints(page) },
    'deposits of all tenants': { run: () => deposits.listAll(page) },
    'a search by id': { run: () => overview.find(id) },
    'a search that finds nothing': { run: () => overview.find('none') },
    tenants: { run: () => tenants.list(page) },
    'the audit log': { run: () => audit.list(page) },
    differences: { run: () => differences.list(page) },
    'reconciliation runs': { run: () => reconciliations.list(page) },
    'the backlog': { run: () => backlog.read() },
  }
}

/** Parts of a slice, of as many payouts in both databases: a slice is half an hour, which has more with more payouts. */
async function reconciliationSlices(
  { database, history }: Grown,
  { reconciliations }: PostgresStores,
  { id, address_index }: Middle,
): Promise<Reads> {
  const { rows } = await database.db.query<{ id: string }>(
    `select id from quipu.payout where tenant_id = $1 and id >= $2 order by id limit 1000`,
    [history.tenants[0]?.id, id],
  )
  const references = rows.map((row) => row.id)
  const to = new Date(history.end.getTime() - 1_000 * history.stepMs)
  const period = { from: new Date(to.getTime() - 1_000 * history.stepMs), to }
  const unknown = Array.from({ length: 10 }, () => systemIds.next('po', to))
  return {
    '1,000 payments of the network': { run: () => reconciliations.findPayments(references) },
    '10 payments that no payout has': { run: () => reconciliations.findPayments(unknown) },
    '1,000 completed payouts': {
      run: async () => {
        for await (const _ of reconciliations.completedPayments(period));
      },
    },
    '50 top-up addresses': { run: () => reconciliations.addressFunds('tron', address_index, 50, 0) },
  }
}

function ledgerSlices({ database, history }: Grown, stores: PostgresStores, m: Middle): Reads {
  const { ledgerCheck } = stores
  const entry = { id: BigInt(m.audit_id), hash: m.audit_hash }
  // The recheck begins with the longest log, at its first entry.
  const before = () =>
    database.db.query(
      `update quipu.ledger_check
       set rechecked = '(0,-infinity,0,0,0,0,0,0)', rechecked_checkpoint = 0, rechecked_payout = null,
         rechecked_at = '-infinity'
       where tenant_id = $1`,
      [history.tenants[0]?.id],
    )
  const since = (): Date => new Date(Date.now() - dayMs)
  return {
    'a slice of the ledger check': { run: () => ledgerCheck.wallets(ledgerSlice), before },
    'the ages of the ledger check': { run: () => ledgerCheck.ages() },
    '100 entries of the audit log': { run: () => ledgerCheck.auditLog(entry, 100) },
    'credits of a day': { run: () => ledgerCheck.credits(since(), 500) },
  }
}

/** A lease of no seconds makes the same work due again. */
function claims({ payouts, deposits, deliveries, reconciliations }: PostgresStores): Reads {
  const query: DeliveryClaimQuery = {
    limit: claimSize,
    leaseSeconds: 3_600,
    perEndpoint: 1_000,
    perTenant: 1_000,
    deliveryClass: 'fast',
    catchUpPerSecond: 50,
  }
  const full = (claim: () => Promise<readonly unknown[]>): Read => ({
    run: async () => {
      const { length } = await claim()
      if (length !== claimSize) throw new Error(`${length} of ${claimSize} were claimed`)
    },
  })
  return {
    'a claim of deliveries': full(() => deliveries.claimDue(query)),
    'a claim of deposits': full(() => deposits.claimDue(claimSize, 0)),
    'a claim of payouts': full(() => payouts.claimDue(claimSize, 0)),
    'a claim of a reconciliation run': { run: () => reconciliations.claimDue(['chain'], 0) },
  }
}
