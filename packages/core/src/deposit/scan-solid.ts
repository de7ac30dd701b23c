import type { ChainBlock, TokenTransfer } from '../chain/chain.ts'
import type { TransferRef } from './deposit.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { UnconfirmedTransfer } from './ports.ts'
import { Unavailable } from '../unavailable.ts'
import { scanBy, withReports } from './scan-claim.ts'
import { type Scan, type ScanPorts, scanRange, type ScanSettings, scanSettingsShape } from './scan.ts'
import { checkSettings } from '../check-settings.ts'

/**
 * Scans every solid block, each linked to its parent, independently of the head's scan.
 *
 * Solid blocks are final: they confirm a transfer with its amount, or prove that it will never happen.
 * Either makes the deposit due.
 *
 * @source spec §3 Deposit statuses; how is assumed
 * @example
 * ```ts
 * const scan = scanSolid(ports, defaultScanSettings)
 * await scan() // the first poll starts at the newest solid block
 * const topUp = await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * chain.transfer(topUp.account, usdt(25_000_000n))
 * const poll = await scan()
 * console.log(poll.state, poll.transfers, poll.lagBlocks) // idle 1 0
 * ```
 */
export function scanSolid(given: ScanPorts, settings: ScanSettings): Scan {
  checkSettings('scanSolid', settings, scanSettingsShape)
  const ports = withReports(given, 'solid')
  return scanBy(ports, 'solid', settings, async ({ claim, at }, halted) => {
    const { reader } = ports
    const newest = (await reader.head('solid')).number
    // Nodes have no receipts of the genesis block's transactions, which move no token.
    const start = settings.firstBlock ?? Math.max(1, newest)
    const first = at === undefined ? start : at.number + 1
    const last = Math.min(newest, first - 1 + settings.blocksPerPoll)
    const observe = async (blocks: readonly ChainBlock[]) => {
      const { gone, passed } = await findGone(ports, blocks)
      return { ...(await observeTransfers(ports, [...passed, ...blocks])), gone }
    }
    const range = { claim, after: at, from: at, first, last }
    const { stopped, at: end, totals } = await scanRange(ports, settings, range, observe)
    const through = end?.number ?? first - 1
    const lagBlocks = Math.max(0, newest - through)
    if (stopped === 'unlinked') {
      const detail = `solid block ${through + 1} does not follow ${end?.id}`
      halted({ code: 'CHAIN_CONTRADICTS', tenantId: null, subject: reader.chain, detail })
      return { ...totals, lagBlocks, state: 'contradicted' }
    }
    if (stopped === 'lost') return { ...totals, lagBlocks, state: 'leased' }
    return { ...totals, lagBlocks, state: last < newest ? 'more' : 'idle' }
  })
}

/**
 * The pending transfers that this run of solid blocks proves will never happen: their transaction is in
 * it without them, or is in no solid block up to its end and too late for later ones.
 *
 * The scan has read all earlier solid blocks, so an unconfirmed transfer is in none of them. The node is asked all the
 * same before a transfer is called gone by its age, as that is final: a scan with another set of addresses, or with
 * rows that came back from a backup, may have passed its block.
 *
 * @returns `passed`: earlier solid blocks that have such a transfer, to be observed again
 */
async function findGone(
  { scans, reader, format }: ScanPorts,
  blocks: readonly ChainBlock[],
): Promise<{ readonly gone: readonly TransferRef[]; readonly passed: readonly ChainBlock[] }> {
  const end = blocks.at(-1)
  if (end === undefined) return { gone: [], passed: [] }
  const included = new Set(blocks.flatMap(({ transactions }) => transactions))
  const isIn = (shown: readonly ChainBlock[], each: UnconfirmedTransfer): boolean =>
    shown.some(({ transfers }) => transfers.some((t) => t.value > 0n && isTransfer(t, format.format(t.to), each)))
  const passed = new Map<number, ChainBlock>()
  const isGone = async (each: UnconfirmedTransfer): Promise<boolean> => {
    if (isIn(blocks, each)) return false
    if (included.has(each.txHash)) return true
    if (each.expiresAt > end.at) return false
    const found = await passedBlock(reader, each.txHash, end.number)
    if (typeof found !== 'object') return found === 'nowhere'
    if (!isIn([found], each)) return true
    passed.set(found.number, found)
    return false
  }
  const gone: TransferRef[] = []
  for (const each of await scans.unconfirmed(reader.chain, end.number)) {
    const { chain, txHash, transferIndex } = each
    if (await isGone(each)) gone.push({ chain, txHash, transferIndex })
  }
  return { gone, passed: Array.from(passed.values()) }
}

/** The solid block up to this one that has the transaction; `unknown` while the node does not say it. */
async function passedBlock(
  reader: ScanPorts['reader'],
  txHash: string,
  through: number,
): Promise<ChainBlock | 'nowhere' | 'unknown'> {
  try {
    const number = await reader.blockOf(txHash)
    if (number === undefined) return 'nowhere'
    return (number <= through ? await reader.block('solid', number) : undefined) ?? 'unknown'
  } catch (error) {
    if (error instanceof Unavailable) return 'unknown'
    throw error
  }
}

const isTransfer = ({ txHash, index }: TokenTransfer, address: string, unconfirmed: UnconfirmedTransfer): boolean =>
  txHash === unconfirmed.txHash && index === unconfirmed.transferIndex && address === unconfirmed.address
