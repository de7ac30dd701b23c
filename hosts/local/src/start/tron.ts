import path from 'node:path'
import { startTronDevnet, type TronDevnet } from '@quipu/simulators'
import { localTransferSigner, tronAddressFormat } from '@quipu/tron'
import { HDKey } from '@scure/bip32'
import { z } from 'zod'
import { askJson } from '../ask-json.ts'
import type { Ports } from './ports.ts'
import type { Secrets } from './data-folder/secrets.ts'

const tokens = 1_000_000_000_000n // A million test USDT.
const fees = 1_000_000_000_000n // A million TRX, in sun.

/** Less than the real chain's 18, so that deposits are credited within about ten seconds. */
const solidLag = 2

export type Tron = TronDevnet & {
  readonly wallet: { readonly address: string; readonly privateKey: string }
  readonly faucet: { readonly address: string; readonly privateKey: string }
}

/**
 * Starts the local chain, whose state survives a restart, and gives test USDT and TRX to the faucet
 * and to the demo tenant's own wallet.
 */
export async function openTron(dataDir: string, ports: Ports, secrets: Secrets, blockMs: number): Promise<Tron> {
  const devnet = await startTronDevnet({
    port: ports.tron,
    adminPort: ports.tronAdmin,
    storage: path.join(dataDir, 'tron'),
    blockMs,
    solidLag,
  })
  const accountOf = (privateKey: string) => {
    const { tokenContract } = devnet
    const { account } = localTransferSigner({ tokenContract, privateKey })
    return { privateKey, address: tronAddressFormat.format(account) }
  }
  const wallet = accountOf(secrets.wallet_private_key)
  const faucet = accountOf(secrets.faucet_private_key)
  for (const { address } of [wallet, faucet])
    if (devnet.trxBalance(address) === 0n) {
      devnet.fund(address, { sun: fees })
      devnet.setTokenBalance(address, tokens)
    }
  return { ...devnet, wallet, faucet }
}

/** The extended public key from which top-up addresses are derived. */
export const xpubOf = ({ tron_seed }: Pick<Secrets, 'tron_seed'>): string =>
  HDKey.fromMasterSeed(Buffer.from(tron_seed, 'hex')).derive("m/44'/195'/0'").publicExtendedKey

/** The id of the devnet's genesis block, which API and worker compare with their setting. */
export async function genesisBlockOf({ url }: Pick<TronDevnet, 'url'>): Promise<string> {
  const body = { id_or_num: '0', detail: false }
  const { json } = await askJson(url, { method: 'POST', path: '/wallet/getblock', body })
  return z.object({ blockID: z.string() }).parse(json).blockID
}
