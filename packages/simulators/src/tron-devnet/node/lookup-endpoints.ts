import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { eventJson, logsOf, transferOf, trc20Json } from './lookup.ts'
import { readAddress } from './transaction-json.ts'
import type { View } from '../chain/view.ts'

/** A request of a TronGrid lookup: by contract, block, transaction or account. */
export type Lookup = {
  /** The chain at the node's newest block, and at the solid one. */
  readonly view: View
  readonly solid: View
  readonly chain: Chain
  /** The path parameter. */
  readonly of: string
  readonly query: URLSearchParams
}

type Row = Record<string, unknown> & { readonly block_timestamp: unknown }

const Int = z.coerce.number().int().min(0)
const Flag = z.stringbool()
const pageMax = 200

const Query = z.object({
  only_confirmed: Flag.default(false),
  only_unconfirmed: Flag.default(false),
  event_name: z.string().optional(),
  block_number: Int.optional(),
  contract_address: z.string().optional(),
  only_to: Flag.default(false),
  only_from: Flag.default(false),
  min_block_timestamp: Int.default(0),
  max_block_timestamp: Int.default(Number.MAX_SAFE_INTEGER),
  min_timestamp: Int.default(0),
  max_timestamp: Int.default(Number.MAX_SAFE_INTEGER),
  order_by: z.string().default('block_timestamp,desc'),
  limit: Int.default(20),
  fingerprint: Int.default(0),
})

const queryOf = ({ query }: Lookup): z.infer<typeof Query> => Query.parse(Object.fromEntries(query))

const viewOf = ({ view, solid }: Lookup, { only_confirmed }: z.infer<typeof Query>): View =>
  only_confirmed ? solid : view

/** One page, with the fingerprint of the next. */
function page(rows: readonly Row[], query: z.infer<typeof Query>, now: number): unknown {
  const ordered = query.order_by.endsWith('asc') ? rows : rows.toReversed()
  const from = query.fingerprint
  const data = ordered.slice(from, from + Math.min(query.limit, pageMax))
  const next = from + data.length
  const more = next < ordered.length
  return { data, success: true, meta: { at: now, page_size: data.length, ...(more && { fingerprint: String(next) }) } }
}

function events(lookup: Lookup, keeps: (contract: string, txid: string) => boolean, block?: number) {
  const query = queryOf(lookup)
  const view = viewOf(lookup, query)
  const solid = lookup.solid.head.number
  const first = block ?? query.block_number
  const rows: Row[] = []
  for (const log of logsOf(view, first ?? 0, first ?? view.head.number)) {
    const { timestamp, number } = log.included.block
    if (timestamp < query.min_block_timestamp || timestamp > query.max_block_timestamp) continue
    if (query.only_unconfirmed && number <= solid) continue
    if (!keeps(log.log.contract, log.included.tx.txid)) continue
    const row = eventJson(log, solid)
    if (query.event_name === undefined || row['event_name'] === query.event_name)
      rows.push({ block_timestamp: timestamp, ...row })
  }
  return page(rows, query, view.head.timestamp)
}

/** TronGrid's lookups under `/v1/`. */
export const lookupEndpoints: Readonly<Record<string, (lookup: Lookup) => unknown>> = {
  'contracts/:of/events'(lookup) {
    const contract = readAddress(lookup.of, true)
    return events(lookup, (address) => address === contract)
  },

  'blocks/:of/events': (lookup) =>
    events(lookup, () => true, lookup.of === 'latest' ? lookup.view.head.number : Int.parse(lookup.of)),

  'transactions/:of/events': (lookup) =>
    events(
      lookup,
      (_, txid) => txid === lookup.of,
      lookup.view.transaction(lookup.of)?.block.number ?? lookup.view.head.number + 1,
    ),

  'accounts/:of/transactions/trc20'(lookup) {
    const query = queryOf(lookup)
    const view = viewOf(lookup, query)
    const who = readAddress(lookup.of, true)
    const { contract_address } = query
    const contract = contract_address === undefined ? null : readAddress(contract_address, true)
    const rows: Row[] = []
    for (const log of logsOf(view)) {
      const transfer = transferOf(log)
      if (!transfer || (contract !== null && transfer.contract !== contract)) continue
      if (transfer.timestamp < query.min_timestamp || transfer.timestamp > query.max_timestamp) continue
      const received = transfer.to === who && !query.only_from
      const sent = transfer.from === who && !query.only_to
      if (received || sent)
        rows.push({ block_timestamp: transfer.timestamp, ...trc20Json(transfer, lookup.chain.tokens) })
    }
    return page(rows, query, view.head.timestamp)
  },
}
