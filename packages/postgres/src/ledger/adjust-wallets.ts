import type { WalletStore } from '@quipu/core/adapter'
import type { Adjustment } from '@quipu/core/operator'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'

export type AdjustResult = Awaited<ReturnType<WalletStore['adjust']>>

export type AdjustRow = { readonly results: readonly AdjustResult[] }

const adjustments = arrayParameters<Adjustment>({
  tenant_ids: ['text', ({ tenantId }) => tenantId],
  adjustment_ids: ['text', ({ id }) => id],
  directions: ['text', ({ direction }) => direction],
  amounts: ['int8', ({ amount }) => amount.minor],
  reasons: ['text', ({ reason }) => reason],
  actors: ['text', ({ actor }) => actor],
})

// Decided by migrations/0009-funding.sql.
const adjustWallets = statement('adjust_wallets')`
  select quipu.adjust_wallets(${namedArguments([...adjustments.names, 'clock_override'])}) as results`

const postedAdjustments = statement('wallet.posted_adjustments')`
  select i.place::int - 1 as place
  from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, id, place)
  cross join lateral (
    select from quipu.adjustment a where a.tenant_id = i.tenant_id and a.id = i.id limit 1
  ) a`

/** Posts adjustments. A read-back recognizes an adjustment by its id. */
export const adjustWalletsProtocol = ({
  read,
  clockOverride,
}: Pick<Database, 'read' | 'clockOverride'>): BatchProtocol<Adjustment, AdjustRow, AdjustResult> => ({
  statement: adjustWallets,
  encode: (items) => [...adjustments.encode(items), clockOverride()],
  resultOf: ({ results }, place) => results[place],
  readBack: async (items) => {
    const rows = await read<{ place: number }>(postedAdjustments, [
      items.map(({ tenantId }) => tenantId),
      items.map(({ id }) => id),
    ])
    return foundResults(items, rows, () => 'committed')
  },
})
