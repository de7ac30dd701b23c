import { bob, type PageQuery } from '@quipu/core'
import { walletTransactionId } from '@quipu/core/adapter'
import {
  differenceChecks,
  differenceStatuses,
  proposalActionTypes,
  proposalStatuses,
  screeningCaseStatuses,
  screeningKinds,
} from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { parseOwnApiKeyList } from '../api-key/api-key.ts'
import { parseAuditList } from '../audit/audit-log.ts'
import { parseDepositList } from '../deposit/deposit.ts'
import { parseOperatorDepositList } from '../deposit/operator-deposit.ts'
import { parseDifferenceList } from '../difference/difference.ts'
import { parseEventList } from '../event/event-list.ts'
import { parseOperatorEventList } from '../event/operator-event.ts'
import { parseOperatorFaucetSendList } from '../faucet/operator-faucet-send.ts'
import type { Parsed } from '../json/parsed.ts'
import { parseOperatorWalletList } from '../ledger/operator-wallet.ts'
import { parseWalletTransactionList } from '../ledger/wallet-transaction.ts'
import { parseOperatorPayoutList } from '../payout/operator-payout.ts'
import { parsePayoutList } from '../payout/payout-list.ts'
import { parseProposalList } from '../proposal/proposal.ts'
import { parseReconciliationList } from '../reconciliation/reconciliation-run.ts'
import { parseRequestList } from '../request/request.ts'
import { parseScreeningCaseList } from '../screening/screening.ts'
import { parseDeliveryList } from '../webhook/delivery.ts'
import { parseOperatorDeliveryList } from '../webhook/operator-delivery.ts'
import { parseOperatorEndpointList } from '../webhook/operator-endpoint.ts'
import { parseWebhookList } from '../webhook/webhook-request.ts'
import { type CursorScope, encodeCursor } from './cursor.ts'
import { parseOperatorList } from './operator-list.ts'
import { byWord, expectFilters } from './query.fixture.ts'

type List = (search: string) => Parsed<{ readonly query: PageQuery; readonly scope: CursorScope }>

/** The instant of the cursors' row. */
const at = new Date('2026-11-20T15:04:05.000Z')
const tenantId = 'ten_01K6HZ8M00000000000000000A'
const keyId = 'key_01K6HZ8M00000000000000000A'
const tokenId = 'opt_01K6HZ8M00000000000000000A'
const endpointId = 'we_01K6HZ8M00000000000000000A'
const uuid = '019aa1f4-54f0-7000-8000-00000000000b'
const txHash = '5e'.repeat(32)
const ofTenant = { [`tenant_id=${tenantId}`]: { tenantId } }
const ofSubject = { 'subject=po_1': { subject: 'po_1' } }
const period = {
  'from=2026-11-01T00:00:00Z': { from: new Date('2026-11-01T00:00:00Z') },
  'to=2026-11-02T00:00:00Z': { to: new Date('2026-11-02T00:00:00Z') },
}
const [byTenant, byEndpoint, byEvent] = [`tenant_id=${tenantId}`, `endpoint_id=${endpointId}`, `event_id=${uuid}`]

/** The lists of operators: the id of a row, and each search with the filters that it is. */
const lists: readonly (readonly [name: string, List, id: string, Readonly<Record<string, object>>])[] = [
  ['API keys of a tenant', (search) => parseOperatorList('api_keys', search), keyId, { '': {} }],
  [
    'audit log',
    parseAuditList,
    '12',
    {
      '': {},
      ...ofTenant,
      ...ofSubject,
      ...period,
      'actor=ana': { actor: 'ana' },
      [`token_id=${tokenId}`]: { tokenId },
      'action=tenant.update': { action: 'tenant.update' },
    },
  ],
  [
    'deposits',
    parseOperatorDepositList,
    'dep_01K6HZ8M00000000000000000A',
    {
      '': {},
      ...ofTenant,
      ...period,
      'review_code=AMOUNT_BELOW_MINIMUM': { reviewCode: 'AMOUNT_BELOW_MINIMUM' },
      [`tx_hash=${txHash}`]: { txHash },
      'address=T': { address: 'T' },
      'status=credited': { status: 'credited' },
      'open=false': { open: false },
      'open=true': { open: true },
    },
  ],
  [
    'differences',
    parseDifferenceList,
    'dif_01K6HZ8M00000000000000000A',
    {
      '': {},
      ...ofTenant,
      ...ofSubject,
      ...byWord('status', differenceStatuses),
      ...byWord('check', differenceChecks),
    },
  ],
  [
    'events',
    parseOperatorEventList,
    uuid,
    {
      '': {},
      ...ofTenant,
      ...period,
      'type=payout.completed': { type: 'payout.completed' },
      'subject_id=po_1': { subjectId: 'po_1' },
    },
  ],
  [
    'faucet sends',
    parseOperatorFaucetSendList,
    uuid,
    {
      '': {},
      ...ofTenant,
      ...byWord('status', ['submitted', 'confirmed', 'failed']),
      'address=T': { address: 'T' },
      [`tx_hash=${txHash}`]: { txHash },
    },
  ],
  ['wallets', parseOperatorWalletList, 'wal_01K6HZ8M00000000000000000A', { '': {}, ...ofTenant }],
  [
    'payouts',
    (search) => parseOperatorPayoutList(search, new Date(0)),
    'po_01K6HZ8M00000000000000000A',
    {
      '': {},
      ...ofTenant,
      ...period,
      'status=failed': { status: 'failed' },
      'error_code=QUOTE_AMOUNT_MISMATCH': { errorCode: 'QUOTE_AMOUNT_MISMATCH' },
      'transaction_id=order-1': { transactionId: 'order-1' },
      'network_payment_id=np-1': { networkPaymentId: 'np-1' },
      'network_reference=QR-1': { networkReference: 'QR-1' },
      'merchant=Panader%C3%ADa': { merchant: 'Panadería' },
      'target=200.00': { targetFrom: bob(20_000n), targetTo: bob(20_000n) },
      'target_from=1&target_to=2.50': { targetFrom: bob(100n), targetTo: bob(250n) },
      'attention=true': { isRaised: true },
      'attention=false': {},
      [`key_id=${keyId}`]: { keyId },
      'older_than_seconds=60': { to: new Date(-60_000) },
    },
  ],
  [
    'proposals',
    parseProposalList,
    'prp_01K6HZ8M00000000000000000A',
    {
      '': {},
      ...ofTenant,
      ...ofSubject,
      ...byWord('status', proposalStatuses),
      ...byWord('action', proposalActionTypes),
    },
  ],
  [
    'reconciliation runs',
    parseReconciliationList,
    'rcn_01K6HZ8M00000000000000000A',
    {
      '': {},
      ...byWord('check', ['chain', 'network']),
      'status=completed': { isCompleted: true },
      'status=running': { isCompleted: false },
      'check=chain&status=running': { check: 'chain', isCompleted: false },
    },
  ],
  [
    'cases of screening',
    parseScreeningCaseList,
    'scr_01K6HZ8M00000000000000000A',
    { '': {}, ...ofTenant, ...byWord('status', screeningCaseStatuses), ...byWord('kind', screeningKinds) },
  ],
  [
    'endpoints',
    parseOperatorEndpointList,
    endpointId,
    { '': {}, ...ofTenant, ...byWord('status', ['active', 'paused']) },
  ],
  [
    'deliveries',
    parseOperatorDeliveryList,
    `${uuid}_${endpointId.slice(3)}`,
    {
      [byTenant]: { of: { tenantId } },
      [byEndpoint]: { of: { endpointId } },
      [byEvent]: { of: { eventId: uuid } },
      [`${byEvent}&status=held`]: { of: { eventId: uuid }, status: 'held' },
      [`${byEndpoint}&${byTenant}`]: { of: { endpointId, tenantId } },
      [`${byEvent}&${byTenant}`]: { of: { eventId: uuid, tenantId } },
      [`${byEvent}&${byEndpoint}`]: { of: { eventId: uuid, endpointId } },
      [`${byEvent}&${byEndpoint}&${byTenant}`]: { of: { eventId: uuid, endpointId, tenantId } },
    },
  ],
]

test.each(lists)('operators list %s by each filter, and a cursor is bound to it', (_, read, id, filters) => {
  expectFilters(read, filters, id)
})

const own: readonly (readonly [
  name: string,
  (tenant: string) => List,
  id: string,
  Readonly<Record<string, object>>,
])[] = [
  ['API keys', (tenant) => (search) => parseOwnApiKeyList(tenant, search), keyId, { '': {} }],
  ['webhooks', (tenant) => (search) => parseWebhookList(tenant, search), endpointId, { '': {} }],
  [
    'deliveries',
    (tenant) => (search) => parseDeliveryList(tenant, endpointId, search),
    uuid,
    { '': {}, 'status=held': { status: 'held' } },
  ],
  [
    'deposits',
    (tenant) => (search) => parseDepositList(tenant, search),
    'dep_01K6HZ8M00000000000000000A',
    { '': {}, ...period, 'status=in_review': { status: 'in_review' } },
  ],
  [
    'payouts',
    (tenant) => (search) => parsePayoutList(tenant, search),
    'po_01K6HZ8M00000000000000000A',
    {
      '': {},
      ...period,
      'transaction_id=order-1': { transactionId: 'order-1' },
      'status=failed': { status: 'failed' },
      'open=true': { isOpen: true },
      'type=qr': {},
      'description=Order': { description: 'Order' },
      'metadata[order]=1': { metadata: { order: '1' } },
    },
  ],
  [
    'wallet transactions',
    (tenant) => (search) => parseWalletTransactionList(tenant, search),
    walletTransactionId('ten_1', at, 1n),
    { '': {}, ...period, 'direction=in': { direction: 'in' }, 'type=deposit': { type: 'deposit' } },
  ],
  [
    'events',
    (tenant) => (search) => parseEventList(tenant, search),
    uuid,
    { '': {}, ...period, 'type=payout.failed': { type: 'payout.failed' } },
  ],
  [
    'requests',
    (tenant) => (search) => parseRequestList(tenant, search),
    uuid,
    {
      '': {},
      ...period,
      'status=4xx': { statusClass: 4 },
      [`api_key_id=${keyId}`]: { keyId },
      'path=%2F': { path: '/' },
    },
  ],
]

test.each(own)('a tenant lists its %s by each filter, and no other tenant goes on', (_, listOf, id, filters) => {
  expectFilters(listOf('ten_1'), filters, id)
  const [ours, theirs] = [listOf('ten_1')(''), listOf('ten_2')('')]
  if (!ours.ok || !theirs.ok) throw new Error('both are lists')
  const cursor = encodeCursor({ createdAt: at, id }, ours.value.scope)
  expect(listOf('ten_1')(`cursor=${cursor}`).ok).toBe(true)
  expect(listOf('ten_2')(`cursor=${cursor}`).ok).toBe(false)
})

test('the deliveries of an endpoint have cursors of their own, and a deposit’s cursor of operators is no tenant’s', () => {
  const scopes = ['we_1', 'we_2'].map((endpoint) => parseDeliveryList('ten_1', endpoint, ''))
  const digests = scopes.map((parsed) => (parsed.ok ? parsed.value.scope.digest : ''))
  expect(new Set(digests).size).toBe(2)
  const all = parseOperatorDepositList('')
  if (!all.ok) throw new Error('it is a list')
  const cursor = encodeCursor({ createdAt: at, id: 'dep_01KAGZ8M88000000000000000F' }, all.value.scope)
  expect(parseDepositList('ten_1', `cursor=${cursor}`).ok).toBe(false)
})
