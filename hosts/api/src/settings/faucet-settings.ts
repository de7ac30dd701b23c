import { defaultFaucetSettings, type FaucetSettings, type Usdt } from '@quipu/core'
import { usdtAmount } from '@quipu/runtime'
import { z } from 'zod'

/** The settings of the sandbox faucet. */
export const faucetVariables = {
  FAUCET_PRIVATE_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be the private key of the faucet: 64 hex digits')
    .optional()
    .describe('Signs the transfers of the sandbox faucet; without it there is no faucet.'),
  FAUCET_SHARED_LIMIT: usdtAmount
    .default(defaultFaucetSettings.limits.shared)
    .describe('Sum that the faucet sends to all tenants together in 24 hours.'),
}

/** The rules that the faucet follows. */
export const faucetSettingsOf = ({
  FAUCET_SHARED_LIMIT: shared,
}: {
  readonly FAUCET_SHARED_LIMIT: Usdt
}): FaucetSettings => ({ ...defaultFaucetSettings, limits: { ...defaultFaucetSettings.limits, shared } })
