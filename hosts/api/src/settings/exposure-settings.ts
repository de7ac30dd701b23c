import { parseMoney, type Usdt } from '@quipu/core'
import { z } from 'zod'

/** The limit of the exposure. */
export const exposureSettings: { readonly EXPOSURE_LIMIT_USDT: z.ZodOptional<z.ZodType<Usdt, string>> } = {
  EXPOSURE_LIMIT_USDT: z
    .string()
    .transform((text) => parseMoney('USDT', text))
    .refine(
      (limit): limit is Usdt => limit !== undefined,
      'must be an amount of USDT such as 5000.00, with at most six decimals',
    )
    .optional()
    .describe(
      'Quotes are refused while the USDT received for payouts and not sold exceed the BOB at the network, at the present bid, by more than this. It needs NETWORK_LIQUIDITY_FLOOR_BOB.',
    ),
}

/** Without a floor nobody reads the BOB at the network. */
export const exposureIssues = (settings: {
  readonly EXPOSURE_LIMIT_USDT?: unknown
  readonly NETWORK_LIQUIDITY_FLOOR_BOB?: unknown
}): readonly { readonly variable: string; readonly message: string }[] =>
  settings.EXPOSURE_LIMIT_USDT !== undefined && typeof settings.NETWORK_LIQUIDITY_FLOOR_BOB !== 'object'
    ? [{ variable: 'NETWORK_LIQUIDITY_FLOOR_BOB', message: 'is required with EXPOSURE_LIMIT_USDT: an amount of BOB' }]
    : []
