import { type FoundRecord, recordTypes } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { foundRecords, foundRecordsToJson, parseSearch } from './search.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'

test('a search is for 1 to 200 characters', () => {
  for (const q of ['x', 'x'.repeat(200)])
    expect(parseSearch(new URLSearchParams({ q }))).toEqual({ ok: true, value: q })
  for (const search of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=a&q=b'])
    expect(issuesOf(parseSearch(search))).toHaveLength(1)
  expect(issuesOf(parseSearch('q=x&limit=1'))).toEqual(['limit is not allowed in the query; allowed are q'])
})

test('a query is text in UTF-8', () => {
  for (const q of ['%FF', 'a%ED%A0%80', '%C3'])
    expect(issuesOf(parseSearch(`q=${q}`))).toEqual(['q must be text in UTF-8, percent-encoded'])
  expect(parseSearch('q=%C3%B1')).toEqual({ ok: true, value: 'ñ' })
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
