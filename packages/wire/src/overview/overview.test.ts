import { toDecimal, usdt } from '@quipu/core'
import {
  type EndpointOverview,
  type FoundRecord,
  foundPerKindMax,
  recordTypes,
  type WalletOverview,
} from '@quipu/core/operator'
import { anyId, anyInstant, anyUsdt } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectBoundCursors, issuesOf, queryOf } from '../list/query.fixture.ts'
import { endpointStateToJson } from '../webhook/endpoint-control.ts'
import { anyEndpoint } from '../webhook/webhook.fixture.ts'
import {
  foundRecords,
  foundRecordsToJson,
  operatorEndpoint,
  operatorEndpointPage,
  operatorEndpointToJson,
  operatorWallet,
  operatorWalletPage,
  operatorWalletToJson,
  parseOperatorEndpointList,
  parseOperatorWalletList,
  parseSearch,
} from './overview.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'

const anyWallet: fc.Arbitrary<WalletOverview> = fc.record({
  id: anyId('wal'),
  tenantId: anyId('ten'),
  available: anyUsdt,
  held: anyUsdt,
  newestEntryAt: fc.option(anyInstant),
  createdAt: anyInstant,
  updatedAt: anyInstant,
})

test('a wallet shows its balances, their sum and its newest entry', () => {
  fc.assert(
    fc.property(anyWallet, (wallet) => {
      const json = operatorWalletToJson(wallet)
      expect(json).toEqual({
        id: wallet.id,
        tenant_id: wallet.tenantId,
        currency: 'USDT',
        available: toDecimal(wallet.available),
        held: toDecimal(wallet.held),
        total: toDecimal(usdt(wallet.available.minor + wallet.held.minor)),
        newest_entry_at: wallet.newestEntryAt?.toISOString() ?? null,
        created_at: wallet.createdAt.toISOString(),
        updated_at: wallet.updatedAt.toISOString(),
      })
      const page = { data: [json], next_cursor: null }
      expect(operatorWalletPage.parse(page)).toEqual(page)
    }),
  )
})

test('the list of wallets takes a tenant and a page', () => {
  const list = (search: string) => queryOf(parseOperatorWalletList, search)
  expect(list('')).toEqual({ limit: 50 })
  expect(list(`tenant_id=${tenantId}&limit=3`)).toEqual({ limit: 3, tenantId })
  expect(issuesOf(parseOperatorWalletList('tenant_id=1'))).toHaveLength(1)
  expect(issuesOf(parseOperatorWalletList('status=1'))).toEqual([
    'status is not allowed in the query; allowed are tenant_id, limit, cursor',
  ])
  const id = 'wal_01K6HZ8M00000000000000000A'
  expectBoundCursors(parseOperatorWalletList, ['', `tenant_id=${tenantId}`], id)
})

const anyEndpointOverview: fc.Arbitrary<EndpointOverview> = fc.record({
  endpoint: anyEndpoint.map((endpoint) => ({ ...endpoint, operatorPause: null })),
  queued: fc.nat(),
  oldestQueuedAt: fc.option(anyInstant),
  isSlow: fc.boolean(),
  failingSince: fc.option(anyInstant),
})

test('an endpoint shows what waits for it, whether it is slow, and since when it fails', () => {
  fc.assert(
    fc.property(anyEndpointOverview, (overview) => {
      const json = operatorEndpointToJson(overview)
      expect(json).toEqual({
        ...endpointStateToJson(overview.endpoint),
        queued: overview.queued,
        oldest_queued_at: overview.oldestQueuedAt?.toISOString() ?? null,
        is_slow: overview.isSlow,
        failing_since: overview.failingSince?.toISOString() ?? null,
      })
      const page = { data: [json], next_cursor: null }
      expect(operatorEndpointPage.parse(page)).toEqual(page)
      expect(operatorEndpoint.safeParse({ ...json, queued: -1 }).success).toBe(false)
      expect(operatorEndpoint.safeParse({ ...json, queued: 0 }).success).toBe(true)
    }),
  )
})

test('the list of endpoints takes a tenant, a status and a page', () => {
  const list = (search: string) => queryOf(parseOperatorEndpointList, search)
  expect(list('')).toEqual({ limit: 50 })
  expect(list(`tenant_id=${tenantId}`)).toEqual({ limit: 50, tenantId })
  for (const status of ['active', 'paused']) expect(list(`status=${status}&limit=3`)).toEqual({ limit: 3, status })
  expect(issuesOf(parseOperatorEndpointList('status=slow'))).toEqual(['status must be active or paused'])
  expect(issuesOf(parseOperatorEndpointList('day=1'))).toEqual([
    'day is not allowed in the query; allowed are tenant_id, status, limit, cursor',
  ])
  const searches = ['', `tenant_id=${tenantId}`, 'status=active', 'status=paused']
  expectBoundCursors(parseOperatorEndpointList, searches, 'we_01K6HZ8M00000000000000000A')
})

test('a search is for 1 to 200 characters', () => {
  for (const q of ['x', 'x'.repeat(200)])
    expect(parseSearch(new URLSearchParams({ q }))).toEqual({ ok: true, value: q })
  for (const search of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=a&q=b'])
    expect(issuesOf(parseSearch(search))).toHaveLength(1)
  expect(issuesOf(parseSearch('q=x&limit=1'))).toEqual(['limit is not allowed in the query; allowed are q'])
})

const recordOf = (type: FoundRecord['type']): FoundRecord => ({ type, id: 'id_1', tenantId, label: 'a label' })

test('a found record has a link to where this API shows it', () => {
  const json = foundRecordsToJson(recordTypes.map(recordOf))
  expect(foundRecords.parse(json)).toEqual(json)
  expect(json.data.map(({ type, url }) => [type, url])).toEqual([
    ['tenant', '/operator/v1/tenants/id_1'],
    ['api_key', `/operator/v1/tenants/${tenantId}/api-keys`],
    ['wallet', `/operator/v1/wallets?tenant_id=${tenantId}`],
    ['top_up_address', '/operator/v1/deposits?address=id_1'],
    ['payout', '/operator/v1/payouts/id_1'],
    ['quote', '/operator/v1/quotes/id_1'],
    ['resolution', null],
    ['deposit', '/operator/v1/deposits/id_1'],
    ['faucet_send', '/operator/v1/faucet-sends/id_1'],
    ['event', '/operator/v1/events/id_1'],
    ['webhook_endpoint', '/operator/v1/webhook-endpoints/id_1'],
    ['delivery', '/operator/v1/webhook-deliveries/id_1'],
    ['proposal', '/operator/v1/proposals/id_1'],
    ['difference', '/operator/v1/differences/id_1'],
    ['reconciliation_run', '/operator/v1/reconciliation-runs/id_1'],
    ['sweep_batch', '/operator/v1/sweep/batches/id_1'],
    ['operator_token', '/operator/v1/operator-tokens'],
  ])
})

test('a found record shows its type, tenant and label', () => {
  const found = { ...recordOf('sweep_batch'), tenantId: null }
  expect(foundRecordsToJson([found]).data).toMatchObject([
    { type: 'sweep_batch', id: 'id_1', tenant_id: null, summary: 'a label' },
  ])
})

test('the schemas have the names that generated types take from them', () => {
  const schemas = [operatorWallet, operatorWalletPage, operatorEndpoint, operatorEndpointPage]
  expect(schemas.map((schema) => schema.meta()?.id)).toEqual([
    'OperatorWallet',
    'OperatorWalletPage',
    'OperatorEndpoint',
    'OperatorEndpointPage',
  ])
  expect(foundRecords.meta()).toMatchObject({
    id: 'FoundRecords',
    description: `At most ${foundPerKindMax} of each kind.`,
  })
  expect(foundRecords.shape.data.element.meta()?.id).toBe('FoundRecord')
})
