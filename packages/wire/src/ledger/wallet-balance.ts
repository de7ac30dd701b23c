import type { Usdt } from '@quipu/core'
import { z } from 'zod'
import { idText } from '../json/answer.ts'
import { members } from '../json/fields.ts'
import { readUsdt, usdtAmount, usdtOrZero } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'

const threshold = usdtAmount.nullable().meta({ description: 'Null: none is set.', examples: ['500.000000'] })

/** The members of a wallet that its events have too. */
export const balanceMembers = {
  id: idText('wal'),
  currency: z.literal('USDT'),
  available: usdtAmount,
  held: usdtAmount.meta({ description: 'Reserved for payouts in `processing`.' }),
  total: usdtAmount.meta({ description: '`available` and `held` together.' }),
}

/** The data of a wallet's event. */
export const walletBalance = z
  .object({ ...balanceMembers, low_balance_threshold: threshold })
  .meta({
    id: 'WalletBalance',
    description: 'A wallet when its balance crossed the threshold, or the threshold its balance.',
  })

export type WalletBalanceJson = z.output<typeof walletBalance>

/** The threshold, and whether the balance is below it, in a wallet. */
export const thresholdMembers = {
  low_balance_threshold: threshold.meta({
    description:
      'The amount that `PATCH /v1/wallets` has set; null: none. `wallet.balance_low` is sent once when less is available, and `wallet.balance_restored` once when it is enough again.',
  }),
  balance_low: z.boolean().meta({ description: 'Whether less than `low_balance_threshold` is available.' }),
}

export const walletPatch = members({
  low_balance_threshold: usdtOrZero.meta({
    description: 'The available USDT below which the balance is low. `0` removes the threshold.',
    examples: ['500.00'],
  }),
}).meta({ id: 'WalletPatch' })

/** Reads the body of `PATCH /v1/wallets`: the threshold, null for none. */
export const parseWalletPatch = (body: unknown): Parsed<{ readonly lowBalanceThreshold: Usdt | null }> =>
  mapParsed(parse(walletPatch, body), ({ low_balance_threshold: text }) => {
    const threshold = readUsdt(text)
    return { lowBalanceThreshold: threshold.minor === 0n ? null : threshold }
  })
