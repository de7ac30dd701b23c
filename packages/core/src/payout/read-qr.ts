import { sha256 } from '../digest.ts'
import type { Merchant, QrNetwork, QrRead, QrRefused } from '../network/qr-network.ts'
import { readInTime } from '../network/read-in-time.ts'
import { isSandboxContent, type Resolution } from '../quote/resolution.ts'
import type { Clock, Deadline, Timer } from '../time.ts'

/** The content of a payout's QR, read now or taken from a resolution. */
export type QrReading = Pick<QrRead, 'type' | 'networkRef' | 'amountMode' | 'amount' | 'merchant' | 'description'>

/**
 * Reads the QR now, unless the quote's own resolution has the same content and is fresh, and serves several orders.
 *
 * @throws Unavailable when the network cannot be reached before the deadline
 */
export async function readQr(
  ports: { readonly network: Pick<QrNetwork, 'capabilities' | 'readQr'>; readonly now: Clock; readonly timer: Timer },
  settings: { readonly environment: 'sandbox' | 'production'; readonly resolutionFreshSeconds: number },
  content: string,
  resolution: Resolution | undefined,
  deadline: Deadline,
): Promise<QrReading | QrRefused> {
  if (settings.environment === 'production' && isSandboxContent(content)) {
    return { type: 'refused_qr', reason: 'a sandbox QR in production' }
  }
  const now = ports.now().getTime()
  const freshSince = now - settings.resolutionFreshSeconds * 1000
  const isFresh =
    !ports.network.capabilities.isReadingSingleUse &&
    resolution &&
    resolution.createdAt.getTime() >= freshSince &&
    (resolution.expiresAt === null || resolution.expiresAt.getTime() > now) &&
    resolution.contentHash === sha256(content)
  if (isFresh) return { ...resolution, type: 'read' }
  return readInTime(ports, content, deadline.leftMs())
}

/**
 * Whether this is the resolved QR, or one of the same merchant: the same bank and name. A name that a QR leaves
 * empty is the same as any.
 */
export function isSameQr(resolution: Resolution, content: string, { merchant }: QrReading): boolean {
  const [resolved, read] = [nameOf(resolution.merchant), nameOf(merchant)]
  const isSameMerchant =
    resolution.merchant.bankCode === merchant.bankCode && (resolved === read || resolved === '' || read === '')
  return isSameMerchant || resolution.contentHash === sha256(content)
}

/** The network may write one name with other spaces or another form of an accent. */
const nameOf = ({ name }: Merchant): string => name.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
