import {
  faucetSettings,
  tronIssues,
  tronSettings,
  type WithTron,
  isTronConfigured,
} from '@quipu/runtime'
import { genesisBlockIds, localTransferSigner, tronAddresses, tronAddressFormat } from '@quipu/tron'
import { z } from 'zod'

/** Where deposits come from, and what the sandbox faucet sends. */
export const fundingSettings = { ...tronSettings, ...faucetSettings }

const schema = z.object(fundingSettings)
export type FundingSettings = z.output<typeof schema>

type Environment = { readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined }
type FundingIssue = { readonly variable: keyof FundingSettings; readonly message: string }

/** What of it does not go together, or is not what it is said to be. */
export function fundingIssues(
  settings: Partial<FundingSettings> & Environment,
): readonly { readonly variable: string; readonly message: string }[] {
  const { TRON_XPUB, TRON_TOKEN_CONTRACT } = settings
  return [
    ...tronIssues(settings, genesisBlockIds.mainnet),
    ...unless('TRON_XPUB', TRON_XPUB, tronAddresses),
    ...unless('TRON_TOKEN_CONTRACT', TRON_TOKEN_CONTRACT, checkAddress),
    ...faucetComplaints(settings),
  ]
}

function faucetComplaints(
  settings: Partial<FundingSettings> & Environment,
): readonly FundingIssue[] {
  const { FAUCET_PRIVATE_KEY: key, ENVIRONMENT } = settings
  const variable = 'FAUCET_PRIVATE_KEY'
  if (key === undefined) return []
  if (ENVIRONMENT === 'production')
    return [{ variable, message: 'must not be set in production, where there is no faucet' }]
  if (!isTronConfigured(settings))
    return [{ variable, message: 'needs a chain: TRON_NODE_URL and its others' }]
  return unless(variable, key, (privateKey) => signerOf(settings.TRON_TOKEN_CONTRACT, privateKey))
}

/** A complaint when the value is there and cannot be used. Says why, and not what it was. */
function unless(
  variable: FundingIssue['variable'],
  value: string | undefined,
  use: (value: string) => unknown,
): readonly FundingIssue[] {
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

const signerOf = (tokenContract: string, privateKey: string) =>
  localTransferSigner({ tokenContract, privateKey })

/** Everything that the faucet needs. */
export type FaucetGiven = WithTron<FundingSettings> & { readonly FAUCET_PRIVATE_KEY: string }

export const hasFaucet = (
  settings: FundingSettings & Environment,
): settings is FaucetGiven & Environment =>
  settings.ENVIRONMENT === 'sandbox' &&
  settings.FAUCET_PRIVATE_KEY !== undefined &&
  isTronConfigured(settings)
