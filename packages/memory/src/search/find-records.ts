import type { Delivery, Payout } from '@quipu/core'
import { deliveryId } from '@quipu/core/adapter'
import { foundPerKindMax, type FoundRecord, type RecordType, recordTypes } from '@quipu/core/operator'
import { networkRefOf } from '../payout/payout-overview.ts'
import type { Database, TenantData } from '../table/database.ts'
import { viewDelivery } from '../webhook/delivery-store.ts'

/** The deliveries of a tenant. */
export const deliveriesOf = ({ webhooks }: TenantData): readonly Delivery[] =>
  Array.from(webhooks.values(), ({ endpoint, deliveries }) =>
    Array.from(deliveries.values(), (row) => viewDelivery(endpoint, row)),
  ).flat()

/** A record and the texts that name it. */
type Named = FoundRecord & { readonly names: readonly string[] }

export function findRecords(database: Database, text: string): readonly FoundRecord[] {
  const named = Array.from(database.tenants.values(), (data) => recordsOf(database, data)).flat()
  const byName = [...named, ...ofNoTenant(database)].filter(({ names }) => names.includes(text))
  const found = byName.length > 0 ? byName : paidAt(database, text)
  return recordTypes.flatMap((wanted) =>
    found
      .filter(({ type }) => type === wanted)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, foundPerKindMax)
      .map(({ type, id, tenantId, label }) => ({ type, id, tenantId, label })),
  )
}

function recordsOf(database: Database, data: TenantData): readonly Named[] {
  const tenantId = data.tenant.id
  const record = (type: RecordType, id: string, label: string, ...names: string[]): Named => ({
    type,
    id,
    tenantId,
    label,
    names: [id, ...names],
  })
  const own = <T extends { readonly tenantId: string }>(rows: Iterable<T>): T[] =>
    [...rows].filter((row) => row.tenantId === tenantId)
  return [
    record('tenant', tenantId, data.tenant.legalName),
    record('wallet', data.wallet.id, tenantId),
    ...own(database.keys.values()).map(({ id, name, lastFour }) => record('api_key', id, name, lastFour)),
    ...Array.from(data.addresses.values(), ({ address, chain }) => record('top_up_address', address, chain)),
    ...Array.from(data.payouts.values(), ({ payout }) =>
      record('payout', payout.id, payout.transactionId, payout.transactionId),
    ),
    ...Array.from(data.quotes.values(), ({ quote }) => record('quote', quote.id, quote.rateSource)),
    ...Array.from(data.resolutions.values(), ({ id, merchant }) => record('resolution', id, merchant.name)),
    ...own(Array.from(database.deposits.values(), ({ deposit }) => deposit)).map(({ id, status, txHash }) =>
      record('deposit', id, status, txHash),
    ),
    ...own(database.faucetSends.map(({ send }) => send)).map(({ id, status, transfer }) =>
      record('faucet_send', id, status, transfer.txHash),
    ),
    ...Array.from(data.events.values(), ({ id, type }) => record('event', id, type)),
    ...Array.from(data.webhooks.values(), ({ endpoint }) => record('webhook_endpoint', endpoint.id, endpoint.url)),
    ...deliveriesOf(data).map((delivery) =>
      record('delivery', deliveryId(delivery.endpointId, delivery.eventId), `${delivery.eventType} ${delivery.status}`),
    ),
  ]
}

/** The payouts that the network knows by this name. */
const paidAt = (database: Database, name: string): readonly Named[] =>
  Array.from(database.tenants.values(), ({ payouts }) => [...payouts.values()])
    .flat()
    .filter(({ payout }) => networkNames(database, payout).includes(name))
    .map(({ payout: { id, tenantId, transactionId: label } }) => ({ type: 'payout', id, tenantId, label, names: [] }))

const networkNames = (database: Database, payout: Payout): readonly (string | null)[] => [
  networkRefOf(database, payout),
  payout.status === 'completed' ? payout.networkPaymentId : null,
]

function ofNoTenant(database: Database): readonly Named[] {
  const { proposals, differences, reconciliations, sweeps, operatorTokens } = database
  const record = (
    type: RecordType,
    { id, tenantId = null }: { readonly id: string; readonly tenantId?: string | null },
    label: string,
    ...names: string[]
  ): Named => ({ type, id, tenantId, label, names: names.length > 0 ? names : [id] })
  return [
    ...Array.from(proposals.values(), (each) => record('proposal', each, each.action.type)),
    ...Array.from(differences.byId.values(), (each) => record('difference', each, `${each.check} ${each.kind}`)),
    ...Array.from(reconciliations.rows.values(), ({ run }) => record('reconciliation_run', run, run.check)),
    ...Array.from(sweeps.batches.values(), (batch) => record('sweep_batch', batch, batch.treasury.address)),
    ...Array.from(sweeps.transfers.values(), ({ transfer: { id, batchId, txHash } }) =>
      record('sweep_batch', { id: batchId }, id, id, txHash),
    ),
    ...Array.from(operatorTokens.values(), ({ token }) => record('operator_token', { id: token.id }, token.role)),
  ]
}
