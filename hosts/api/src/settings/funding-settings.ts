import { isTronConfigured, type SettingIssue, tronIssues, tronSettings, type WithTron } from '@quipu/runtime'
import { genesisBlockIds, localTransferSigner, tronAddresses, tronAddressFormat } from '@quipu/tron'
import { z } from 'zod'
import { faucetVariables } from './faucet-settings.ts'

/** Where deposits come from, and the faucet of the sandbox. */
export const fundingSettings = { ...tronSettings, ...faucetVariables }

const schema = z.object(fundingSettings)
export type FundingSettings = z.output<typeof schema>

type Environment = { readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined }

/** Everything that the faucet needs. */
export type WithFaucet = WithTron<FundingSettings> & { readonly FAUCET_PRIVATE_KEY: string }

export const hasFaucet = (settings: FundingSettings & Environment): settings is WithFaucet & Environment =>
  settings.ENVIRONMENT === 'sandbox' && settings.FAUCET_PRIVATE_KEY !== undefined && isTronConfigured(settings)

/** Reports settings of chain and faucet that contradict each other or cannot be used. */
export function fundingIssues(settings: Partial<FundingSettings> & Environment): readonly SettingIssue[] {
  const { TRON_XPUB, TRON_TOKEN_CONTRACT } = settings
  return [
    ...tronIssues(settings, genesisBlockIds.mainnet),
    ...usageIssues('TRON_XPUB', TRON_XPUB, tronAddresses),
    ...usageIssues('TRON_TOKEN_CONTRACT', TRON_TOKEN_CONTRACT, checkAddress),
    ...faucetIssues(settings),
  ]
}

function faucetIssues(settings: Partial<FundingSettings> & Environment): readonly SettingIssue[] {
  const { FAUCET_PRIVATE_KEY: key, ENVIRONMENT } = settings
  const variable = 'FAUCET_PRIVATE_KEY'
  if (key === undefined) return []
  if (ENVIRONMENT === 'production')
    return [{ variable, message: 'must not be set in production, where there is no faucet' }]
  if (!isTronConfigured(settings))
    return [{ variable, message: 'needs a chain: TRON_NODE_URL and the settings it requires' }]
  const { TRON_TOKEN_CONTRACT: tokenContract } = settings
  return usageIssues(variable, key, (privateKey) => localTransferSigner({ tokenContract, privateKey }))
}

/** An issue when `use` throws. Its message is the error's, which does not repeat the value. */
function usageIssues(
  variable: keyof FundingSettings,
  value: string | undefined,
  use: (value: string) => unknown,
): readonly SettingIssue[] {
  if (value === undefined) return []
  try {
    use(value)
    return []
  } catch (error) {
    return [{ variable, message: error instanceof Error ? error.message : 'cannot be used' }]
  }
}

function checkAddress(address: string): void {
  if (tronAddressFormat.parse(address) === undefined) throw new Error('is not a Tron address')
}
