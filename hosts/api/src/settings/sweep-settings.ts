import { sweepExpirySeconds } from '@quipu/core/operator'
import { isTronConfigured, type SettingIssue, tronAddress, whole, type WithTron } from '@quipu/runtime'
import { tronAddressFormat } from '@quipu/tron'
import type { FundingSettings } from './funding-settings.ts'

const hours = (seconds: number): number => seconds / 3_600

export const sweepSettings = {
  SWEEP_TREASURY_ADDRESS: tronAddress('the address of the treasury')
    .optional()
    .describe(
      'Where sweeps go; without it there are none. The offline signer has its own copy, and refuses another one.',
    ),
  SWEEP_EXPIRES_HOURS: whole(1, hours(sweepExpirySeconds.max))
    .default(hours(sweepExpirySeconds.default))
    .describe('How long a planned sweep can be signed and sent; nodes allow less than 24.'),
}

type Checked = Partial<FundingSettings> & { readonly SWEEP_TREASURY_ADDRESS?: string | undefined }

/** Reports a treasury that cannot be one. That it is no top-up address is checked with each plan. */
export function sweepIssues(settings: Checked): readonly SettingIssue[] {
  const { SWEEP_TREASURY_ADDRESS: address, TRON_TOKEN_CONTRACT } = settings
  const variable = 'SWEEP_TREASURY_ADDRESS'
  if (address === undefined) return []
  if (tronAddressFormat.parse(address) === undefined) return [{ variable, message: 'is not a Tron address' }]
  if (address === TRON_TOKEN_CONTRACT) return [{ variable, message: 'must not be the contract of the token' }]
  return isTronConfigured(settings)
    ? []
    : [{ variable, message: 'needs a chain: TRON_NODE_URL and the settings it requires' }]
}

type Settings = FundingSettings & {
  readonly SWEEP_TREASURY_ADDRESS?: string | undefined
  readonly SWEEP_EXPIRES_HOURS: number
}

/** Everything that sweeps need. */
export type WithSweeps = WithTron<Settings> & { readonly SWEEP_TREASURY_ADDRESS: string }

export const hasSweeps = (settings: Settings): settings is WithSweeps =>
  settings.SWEEP_TREASURY_ADDRESS !== undefined && isTronConfigured(settings)
