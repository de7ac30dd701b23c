import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { eventJson, logsOf, transferOf, trc20Json } from './lookup.ts'
import { readAddress } from './transaction-json.ts'
import type { View } from '../chain/view.ts'

/** What TronGrid adds to a node: lookups by contract, block, transaction and account. */
export type Lookup = {
  /** The newest block that the node shows, and the solid one. */
  readonly view: View
  readonly solid: View
  readonly chain: Chain
  /** The part of the path that names what is looked up. */
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

/** One page, and the fingerprint that asks for the next. */
function page(rows: readonly Row[], asked: z.infer<typeof Query>, now: number): unknown {
  const ordered = asked.order_by.endsWith('asc') ? rows : rows.toReversed()
  const from = asked.fingerprint
  const data = ordered.slice(from, from + Math.min(asked.limit, pageMax))
  const next = from + data.length
  const more = next < ordered.length
  return {
    data,
    success: true,
    meta: { at: now, page_size: data.length, ...(more && { fingerprint: String(next) }) },
  }
}

function events(
  lookup: Lookup,
  keeps: (contract: string, txid: string) => boolean,
  block?: number,
) {
  const asked = queryOf(lookup)
  const view = viewOf(lookup, asked)
  const solid = lookup.solid.head.number
  const first = block ?? asked.block_number
  const rows: Row[] = []
  for (const said of logsOf(view, first ?? 0, first ?? view.head.number)) {
    const { timestamp, number } = said.included.block
    if (timestamp < asked.min_block_timestamp || timestamp > asked.max_block_timestamp) continue
    if (asked.only_unconfirmed && number <= solid) continue
    if (!keeps(said.log.contract, said.included.tx.txid)) continue
    const row = eventJson(said, solid)
    if (asked.event_name === undefined || row['event_name'] === asked.event_name)
      rows.push({ block_timestamp: timestamp, ...row })
  }
  return page(rows, asked, view.head.timestamp)
}

/** Each as TronGrid answers it under `/v1/`; `:of` is what is looked up. */
export const lookupEndpoints: Readonly<Record<string, (lookup: Lookup) => unknown>> = {
  'contracts/:of/events'(lookup) {
    const contract = readAddress(lookup.of, true)
    return events(lookup, (said) => said === contract)
  },

  'blocks/:of/events': (lookup) =>
    events(
      lookup,
      () => true,
      lookup.of === 'latest' ? lookup.view.head.number : Int.parse(lookup.of),
    ),

  'transactions/:of/events': (lookup) =>
    events(
      lookup,
      (_, txid) => txid === lookup.of,
      lookup.view.transaction(lookup.of)?.block.number ?? lookup.view.head.number + 1,
    ),

  'accounts/:of/transactions/trc20'(lookup) {
    const asked = queryOf(lookup)
    const view = viewOf(lookup, asked)
    const who = readAddress(lookup.of, true)
    const { contract_address } = asked
    const contract = contract_address === undefined ? null : readAddress(contract_address, true)
    const rows: Row[] = []
    for (const said of logsOf(view)) {
      const transfer = transferOf(said)
      if (!transfer || (contract !== null && transfer.contract !== contract)) continue
      if (transfer.timestamp < asked.min_timestamp || transfer.timestamp > asked.max_timestamp)
        continue
      const received = transfer.to === who && !asked.only_from
      const sent = transfer.from === who && !asked.only_to
      if (received || sent)
        rows.push({
          block_timestamp: transfer.timestamp,
          ...trc20Json(transfer, lookup.chain.tokens),
        })
    }
    return page(rows, asked, view.head.timestamp)
  },
}
