import { defaultDepositRules, toDecimal, type Tenant, type TopUpAddress, type Usdt, type Wallet } from '@quipu/core'
import { isBalanceLow } from '@quipu/core/adapter'
import type { DailyUse, PastBalance } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { addressText } from '../json/chain.ts'
import { instant, queryMembers } from '../json/fields.ts'
import { floorToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { bobMoney, usdtAmount } from '../json/money.ts'
import { moneyToJson } from '../json/money-to-json.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { periodMembers } from '../period/period.ts'
import { balanceMembers, thresholdMembers } from './wallet-balance.ts'
import { balanceToJson, thresholdToJson } from './wallet-balance-to-json.ts'

/** A tenant's top-up address, and the amounts that are credited automatically. */
export type ShownTopUpAddress = Pick<TopUpAddress, 'chain' | 'address'> & {
  /** A smaller deposit goes to review. */
  readonly minimumAmount: Usdt
  /** A larger deposit goes to review. */
  readonly maximumAmount: Usdt
}

const topUpAddress = z
  .object({
    chain: z.literal('tron'),
    currency: z.literal('USDT'),
    address: addressText,
    minimum_amount: usdtAmount.meta({
      description: 'A smaller deposit is reviewed by a person.',
      examples: [toDecimal(defaultDepositRules.minimum)],
    }),
    maximum_automatic_amount: usdtAmount.meta({
      description: 'A larger deposit is reviewed by a person.',
      examples: [toDecimal(defaultDepositRules.autoLimit)],
    }),
  })
  .meta({ id: 'TopUpAddress', description: 'USDT sent here is credited once the transfer is final.' })

/** The used part of the daily limits. */
export const dailyUse = z
  .object({ amount: usdtAmount, count: z.int().meta({ examples: [1] }) })
  .meta({
    id: 'DailyUse',
    description:
      'The payouts since midnight UTC: the USDT that they debited or hold, and their count. A payout that ended without a debit does not count.',
  })

export const dailyUseToJson = ({ amount, count }: DailyUse): z.output<typeof dailyUse> => ({
  amount: toDecimal(amount),
  count,
})

const pastBalance = z
  .object({
    at: time,
    status: periodMembers.status,
    total: usdtAmount.meta({
      description: '`available` and `held` together, after all movements dated `at` or before.',
    }),
  })
  .meta({ id: 'PastBalance', description: 'The wallet at the instant that `at` asked for.' })

export const walletQuery = queryMembers({
  at: instant
    .optional()
    .meta({
      description: 'Also shows the balance at this instant, as `balance_at`.',
      examples: ['2026-11-20T23:59:59.999-04:00'],
    }),
})

/** Reads the query of `GET /v1/wallets`. `at` in whole milliseconds. */
export const parseWalletQuery = (search: URLSearchParams | string): Parsed<{ readonly at: Date | undefined }> =>
  mapParsed(parseQuery(walletQuery, search), ({ at }) => {
    const read = at === undefined ? undefined : parseInstant(at)
    return { at: read && floorToMs(read) }
  })

/** @source spec §1 and §2: `top_up_addresses`; the other members are assumed */
export const wallet = z
  .object({
    ...balanceMembers,
    top_up_addresses: z.array(topUpAddress),
    payment_cap: bobMoney.meta({
      description:
        'The most that one payout may pay. Above it a payout ends `cancelled` with `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.',
    }),
    daily_limits: z
      .object({ amount: usdtAmount.nullable(), count: z.int().nullable() })
      .meta({
        description:
          'The most that your payouts may debit from midnight to midnight UTC, and how many they may be; null: no limit. Above it a payout ends `cancelled` with `DAILY_LIMIT_EXCEEDED`.',
      }),
    used_today: dailyUse,
    ...thresholdMembers,
    balance_at: pastBalance.nullable().meta({ description: 'Null unless the query has `at`.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Wallet' })
export type WalletJson = z.output<typeof wallet>

export const walletToJson = (
  wallet: Wallet,
  topUpAddresses: readonly ShownTopUpAddress[],
  { pricing, dailyLimits }: Pick<Tenant, 'pricing' | 'dailyLimits'>,
  past: PastBalance | null = null,
): WalletJson => ({
  ...balanceToJson(wallet),
  top_up_addresses: topUpAddresses.map(({ chain, address, minimumAmount, maximumAmount }) => ({
    chain,
    currency: 'USDT',
    address,
    minimum_amount: toDecimal(minimumAmount),
    maximum_automatic_amount: toDecimal(maximumAmount),
  })),
  payment_cap: moneyToJson(pricing.paymentCap),
  daily_limits: { amount: dailyLimits.amount && toDecimal(dailyLimits.amount), count: dailyLimits.count },
  used_today: dailyUseToJson(wallet.usedToday),
  low_balance_threshold: thresholdToJson(wallet),
  balance_low: isBalanceLow(wallet),
  balance_at: past && { at: instantToJson(past.at), status: past.status, total: toDecimal(past.total) },
  created_at: instantToJson(wallet.createdAt),
  updated_at: instantToJson(wallet.updatedAt),
})
