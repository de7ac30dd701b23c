import { startTronDevnet, type TronDevnet } from '@quipu/simulators'
import { localTransferSigner, tronAddressFormat } from '@quipu/tron'
import { genesisBlockOf, xpubOf } from '../../start/tron.ts'

export const solidLag = 3
const blockMs = 3_000
const faucetKey = '0f'.repeat(32)

/** Starts a chain with blocks on command and a funded faucet account. */
export async function startChain(): Promise<TronDevnet> {
  const chain = await startTronDevnet({ solidLag })
  const faucet = fundAccount(chain, faucetKey)
  chain.setTokenBalance(faucet, 10n ** 12n)
  return chain
}

/** Mines until the newest solid block is of now. Blocks of one instant are three seconds apart, as on Tron. */
export function mineFreshBlocks(chain: TronDevnet): void {
  while (chain.head().timestamp - solidLag * blockMs < Date.now()) chain.mine()
}

/** Gives the account of a key TRX for fees. @returns its address */
export function fundAccount(chain: TronDevnet, privateKey: string): string {
  const { account } = localTransferSigner({ tokenContract: chain.tokenContract, privateKey })
  const address = tronAddressFormat.format(account)
  chain.fund(address, { sun: 10n ** 12n })
  return address
}

/** Chain settings of API and worker. Leases are short, so that those of a killed process end soon. */
export const chainEnvironment = async (chain: TronDevnet) => ({
  SCAN_LEASE_SECONDS: '3',
  CHAIN_WORK_LEASE_SECONDS: '3',
  TRON_NODE_URL: chain.url,
  TRON_TOKEN_CONTRACT: chain.tokenContract,
  TRON_GENESIS_BLOCK: await genesisBlockOf(chain),
  TRON_XPUB: xpubOf({ tron_seed: '5e'.repeat(32) }),
  ADDRESS_MAC_KEY: '5e'.repeat(32),
  TRON_REQUESTS_PER_SECOND: '1000',
  TRON_POLL_MS: '50',
  TRON_FIRST_BLOCK: '1',
  FAUCET_PRIVATE_KEY: faucetKey,
})
