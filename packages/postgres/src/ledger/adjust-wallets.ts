import type { WalletStore } from '@quipu/core/adapter'
import type { Adjustment } from '@quipu/core/operator'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { binaryArray, textArray } from '../batch/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { foundResults } from '../batch/found-results.ts'

export type AdjustResult = Awaited<ReturnType<WalletStore['adjust']>>

export type AdjustRow = { readonly results: readonly AdjustResult[] }

// Decided by migrations/0009-funding.sql.
const adjustWallets: Statement = {
  name: 'adjust_wallets',
  text: 'select quipu.adjust_wallets($1, $2, $3, $4, $5, $6, $7) as results',
}

const postedAdjustments: Statement = {
  name: 'wallet.posted_adjustments',
  text: `
    select i.place::int - 1 as place
    from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, id, place)
    cross join lateral (
      select from quipu.adjustment a where a.tenant_id = i.tenant_id and a.id = i.id limit 1
    ) a`,
}

export const adjustmentStatements: readonly Statement[] = [postedAdjustments]

/** Posts adjustments. A read-back recognizes an adjustment by its id. */
export const adjustWalletsProtocol = ({
  read,
  clockOverride,
}: Pick<Database, 'read' | 'clockOverride'>): BatchProtocol<Adjustment, AdjustRow, AdjustResult> => ({
  statement: adjustWallets,
  encode: (items) => [
    ...keysOf(items).map(textArray),
    textArray(items.map(({ direction }) => direction)),
    binaryArray(
      'int8',
      items.map(({ amount }) => amount.minor),
    ),
    textArray(items.map(({ reason }) => reason)),
    textArray(items.map(({ actor }) => actor)),
    clockOverride(),
  ],
  resultOf: ({ results }, place) => results[place],
  readBack: async (items) => {
    const rows = await read<{ place: number }>(postedAdjustments, keysOf(items))
    return foundResults(items, rows, () => 'committed')
  },
})

const keysOf = (items: readonly Adjustment[]): readonly (readonly string[])[] => [
  items.map(({ tenantId }) => tenantId),
  items.map(({ id }) => id),
]
