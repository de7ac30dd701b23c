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

/** Fewer than the real chain's 18: a deposit is credited some ten seconds after it was sent. */
const solidLag = 2

export type Tron = TronDevnet & {
  readonly wallet: { readonly address: string; readonly privateKey: string }
  readonly faucet: { readonly address: string; readonly privateKey: string }
}

/**
 * A chain of our own, which outlives a restart, with test USDT and TRX for two who send them: the
 * faucet, and the demo tenant's own wallet.
 */
export async function openTron(
  dataDir: string,
  ports: Ports,
  secrets: Secrets,
  blockMs: number,
): Promise<Tron> {
  const devnet = await startTronDevnet({
    port: ports.tron,
    adminPort: ports.tronAdmin,
    storage: path.join(dataDir, 'tron'),
    blockMs,
    solidLag,
  })
  const of = (privateKey: string) => {
    const { tokenContract } = devnet
    const { account } = localTransferSigner({ tokenContract, privateKey })
    return { privateKey, address: tronAddressFormat.format(account) }
  }
  const wallet = of(secrets.wallet_private_key)
  const faucet = of(secrets.faucet_private_key)
  for (const { address } of [wallet, faucet])
    if (devnet.trxBalance(address) === 0n) {
      devnet.fund(address, { sun: fees })
      devnet.setTokenBalance(address, tokens)
    }
  return { ...devnet, wallet, faucet }
}

/** The extended public key that top-up addresses are derived from. */
export const xpubOf = ({ tron_seed }: Pick<Secrets, 'tron_seed'>): string =>
  HDKey.fromMasterSeed(Buffer.from(tron_seed, 'hex')).derive("m/44'/195'/0'").publicExtendedKey

/** The first block of the devnet, by which API and worker know it. */
export async function genesisBlockOf({ url }: Pick<TronDevnet, 'url'>): Promise<string> {
  const body = { id_or_num: '0', detail: false }
  const { json } = await askJson(url, { method: 'POST', path: '/wallet/getblock', body })
  return z.object({ blockID: z.string() }).parse(json).blockID
}
