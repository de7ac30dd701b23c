import { sha256 } from '../digest.ts'
import type { Ids } from '../ids.ts'
import type { QrNetwork } from '../network/qr-network.ts'
import { readInTime } from '../network/read-in-time.ts'
import { alwaysAllowed, type StillAllowed } from '../tenant/authenticate.ts'
import type { Clock, Timer } from '../time.ts'
import type { ResolutionStore } from './ports.ts'
import { isSandboxContent, type Resolution } from './resolution.ts'

/**
 * Refused: unreadable, expired, used or not in BOB, `422 QR_REFUSED`; or the caller was no longer
 * allowed once the QR had been read.
 */
export type ResolveAnswer =
  | { readonly type: 'resolution'; readonly resolution: Resolution }
  | { readonly type: 'refused'; readonly code: 'QR_REFUSED' | 'AUTHENTICATION_FAILED' }

export type ResolveQr = (
  tenantId: string,
  content: string,
  stillAllowed?: StillAllowed,
) => Promise<ResolveAnswer>

export type ResolveQrPorts = {
  readonly network: Pick<QrNetwork, 'readQr'>
  readonly resolutions: Pick<ResolutionStore, 'insert'>
  readonly ids: Ids
  readonly now: Clock
  readonly timer: Timer
}

export type ResolveQrSettings = {
  readonly environment: 'sandbox' | 'production'
  readonly answerWithinMs: number
}

/**
 * Reads a QR and keeps what it says, so that a quote and a payout can name it.
 *
 * @throws Unavailable when the network or the store cannot be asked
 * @source spec §4 POST /payouts/qr/resolve
 */
export const resolveQr =
  (ports: ResolveQrPorts, settings: ResolveQrSettings): ResolveQr =>
  async (tenantId, content, stillAllowed = alwaysAllowed) => {
    const isForeign = settings.environment === 'production' && isSandboxContent(content)
    if (isForeign) return { type: 'refused', code: 'QR_REFUSED' }
    const read = await readInTime(ports, content, settings.answerWithinMs)
    if (!(await stillAllowed())) return { type: 'refused', code: 'AUTHENTICATION_FAILED' }
    if (read.type === 'refused_qr') return { type: 'refused', code: 'QR_REFUSED' }
    const { type: _, ...says } = read
    const createdAt = ports.now()
    const id = ports.ids.next('qrr', createdAt)
    const resolution = { ...says, id, tenantId, contentHash: sha256(content), createdAt }
    await ports.resolutions.insert(resolution)
    return { type: 'resolution', resolution }
  }
