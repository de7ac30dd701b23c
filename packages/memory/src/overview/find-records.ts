import {
  foundPerKindMax,
  type FoundRecord,
  type RecordType,
  recordTypes,
} from '@quipu/core/operator'
import type { Database, TenantData } from '../database.ts'

/** A record and the texts that name it. */
type Named = FoundRecord & { readonly names: readonly string[] }

export function findRecords(database: Database, text: string): readonly FoundRecord[] {
  const named = Array.from(database.tenants.values(), (data) => recordsOf(database, data)).flat()
  const found = [...named, ...proposalsOf(database)].filter(({ names }) => names.includes(text))
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
    ...own(database.keys.values()).map(({ id, name }) => record('api_key', id, name)),
    ...Array.from(data.addresses.values(), ({ address, chain }) =>
      record('top_up_address', address, chain),
    ),
    ...Array.from(data.payouts.values(), ({ payout }) =>
      record('payout', payout.id, payout.transactionId, payout.transactionId),
    ),
    ...Array.from(data.quotes.values(), ({ quote }) => record('quote', quote.id, quote.rateSource)),
    ...Array.from(data.resolutions.values(), ({ id, merchant }) =>
      record('resolution', id, merchant.name),
    ),
    ...own(Array.from(database.deposits.values(), ({ deposit }) => deposit)).map(
      ({ id, status, txHash }) => record('deposit', id, status, txHash),
    ),
    ...own(database.faucetSends.map(({ send }) => send)).map(({ id, status, transfer }) =>
      record('faucet_send', id, status, transfer.txHash),
    ),
    ...Array.from(data.events.values(), ({ id, type }) => record('event', id, type)),
    ...Array.from(data.webhooks.values(), ({ endpoint }) =>
      record('webhook_endpoint', endpoint.id, endpoint.url),
    ),
  ]
}

const proposalsOf = ({ proposals }: Database): readonly Named[] =>
  Array.from(proposals.values(), ({ id, tenantId, action }) => ({
    type: 'proposal',
    id,
    tenantId,
    label: action.type,
    names: [id],
  }))
