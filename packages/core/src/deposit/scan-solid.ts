import type { ChainBlock, TokenTransfer } from './chain.ts'
import type { TransferRef } from './deposit.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { UnconfirmedTransfer } from './ports.ts'
import { catchUp, holding, type Scan, type ScanPorts, type ScanSettings } from './scan.ts'

/**
 * Reads every solid block in full, each linked to the one before it, whether the head was scanned
 * or not.
 *
 * What solid blocks show of a transfer is final: it was made, and as they show it; or it will never
 * be made. Either makes its deposit due.
 *
 * @source spec §3 Deposit statuses; how is assumed
 */
export const scanSolid =
  (ports: ScanPorts, settings: ScanSettings): Scan =>
  () =>
    holding(ports, 'solid', settings, async ({ claim, at }) => {
      const { reader, raiseAlert } = ports
      const newest = (await reader.head('solid')).number
      const first = at === undefined ? (settings.firstBlock ?? newest) : at.number + 1
      const last = Math.min(newest, first - 1 + settings.blocksPerPoll)
      const look = async (run: readonly ChainBlock[]) => {
        const found = await observeTransfers(ports, run)
        return { ...found, gone: await findGone(ports, run) }
      }
      const stretch = { claim, after: at, from: at, first, last }
      const { stopped, at: end, ...done } = await catchUp(ports, settings, stretch, look)
      const lagBlocks = Math.max(0, newest - (end?.number ?? first - 1))
      if (stopped === 'unlinked') {
        const detail = `solid block ${(end?.number ?? first - 1) + 1} does not follow ${end?.id}`
        raiseAlert({ code: 'CHAIN_CONTRADICTS', tenantId: null, subject: reader.chain, detail })
        return { ...done, lagBlocks, state: 'contradicted' }
      }
      if (stopped === 'lost') return { ...done, lagBlocks, state: 'held' }
      return { ...done, lagBlocks, state: last < newest ? 'more' : 'idle' }
    })

/**
 * The pending transfers that this run of solid blocks proves will never be: their transaction is in
 * it without them, or is in no solid block up to its end and can be in no later one.
 *
 * The scan has read every solid block by itself: a transfer that it has not confirmed by now is in
 * none before this run.
 */
async function findGone(
  ports: ScanPorts,
  run: readonly ChainBlock[],
): Promise<readonly TransferRef[]> {
  const { scans, reader, format } = ports
  const end = run.at(-1)
  if (end === undefined) return []
  const unconfirmed = await scans.unconfirmed(reader.chain, end.number)
  if (unconfirmed.length === 0) return []
  const made = new Set(run.flatMap(({ transactions }) => transactions))
  const shown = new Set(
    run.flatMap(({ transfers }) =>
      transfers
        .filter(({ value }) => value > 0n)
        .map((each) => nameOf(each, each.index, format.format(each.to))),
    ),
  )
  return unconfirmed
    .filter((each) => !shown.has(nameOf(each, each.transferIndex, each.address)))
    .filter(({ txHash, expiresAt }) => made.has(txHash) || expiresAt <= end.at)
    .map(({ chain, txHash, transferIndex }) => ({ chain, txHash, transferIndex }))
}

const nameOf = (
  { txHash }: Pick<TokenTransfer | UnconfirmedTransfer, 'txHash'>,
  index: number,
  address: string,
): string => `${txHash}:${index}:${address}`
