import { sha256 } from '../digest.ts'
import { type Ids } from '../ids.ts'
import type { QrNetwork } from '../network/qr-network.ts'
import type { Screen } from '../screening/screen.ts'
import { screenReading } from '../network/screen-reading.ts'
import { readInTime } from '../network/read-in-time.ts'
import { alwaysAllowed, type StillAllowed } from '../api-key/authenticate.ts'
import type { Tenant } from '../tenant/tenant.ts'
import type { Clock, Timer } from '../time.ts'
import type { ResolutionStore } from './ports.ts'
import { isSandboxContent, type Resolution } from './resolution.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/**
 * The resolution; or `QR_REFUSED` for a QR that is unreadable, expired, used or not in BOB, and
 * `AUTHENTICATION_FAILED` when the caller's permission ended while the QR was read.
 */
export type ResolveAnswer =
  | { readonly type: 'resolution'; readonly resolution: Resolution }
  | { readonly type: 'refused'; readonly code: 'QR_REFUSED' | 'AUTHENTICATION_FAILED' }

/** A validated `POST /payouts/qr/resolve`. */
export type ResolveRequest = {
  readonly content: string
  /** The API key that sent it; left out by a caller that authenticates otherwise. */
  readonly keyId?: string
}

/**
 * Reads one QR for a tenant. `stillAllowed` is called when the QR is refused: nothing is written then, and so no commit
 * refuses the caller.
 *
 * @throws Unavailable when the network or the store cannot be reached
 */
export type ResolveQr = (tenant: Tenant, request: ResolveRequest, stillAllowed?: StillAllowed) => Promise<ResolveAnswer>

/** The ports of `resolveQr`. */
export type ResolveQrPorts = {
  readonly network: Pick<QrNetwork, 'readQr'>
  readonly resolutions: Pick<ResolutionStore, 'insert'>
  /** Screens merchants; nobody does when it is left out. */
  readonly screen?: Screen
  readonly ids: Ids
  readonly now: Clock
  readonly timer: Timer
}

/** The environment, and for how long the QR is read. */
export type ResolveQrSettings = { readonly environment: 'sandbox' | 'production'; readonly answerWithinMs: number }

const resolveQrSettingsShape: SettingsShape<ResolveQrSettings> = {
  environment: ['sandbox', 'production'],
  answerWithinMs: 'positive',
}

/**
 * Reads a QR and stores the resolution, which a quote can name.
 *
 * @throws Unavailable when the network or the store cannot be reached
 * @source spec §4 POST /payouts/qr/resolve
 * @example
 * ```ts
 * const resolve = resolveQr(ports, { environment: 'sandbox', answerWithinMs: 10_000 })
 * const answer = await resolve(tenant, { content: qr.content })
 * console.log(answer.type === 'resolution' && answer.resolution.merchant.name) // Salteñas Doña Elvira
 * ```
 */
export function resolveQr(ports: ResolveQrPorts, settings: ResolveQrSettings): ResolveQr {
  checkSettings('resolveQr', settings, resolveQrSettingsShape)
  return async (tenant, { content, keyId = null }, stillAllowed = alwaysAllowed) => {
    if (tenant.status !== 'active') return notAllowed
    const isForeign = settings.environment === 'production' && isSandboxContent(content)
    if (isForeign) return { type: 'refused', code: 'QR_REFUSED' }
    const found = await readInTime(ports, content, settings.answerWithinMs)
    const read = await screenReading(ports.screen, tenant.id, found)
    if (read.type === 'refused_qr') return (await stillAllowed()) ? { type: 'refused', code: 'QR_REFUSED' } : notAllowed
    const { type: _, ...reading } = read
    const createdAt = ports.now()
    const id = ports.ids.next('qrr', createdAt)
    const resolution = { ...reading, id, tenantId: tenant.id, contentHash: sha256(content), createdAt }
    const inserted = await ports.resolutions.insert(resolution, keyId)
    return inserted === 'not_allowed' ? notAllowed : { type: 'resolution', resolution }
  }
}

const notAllowed = { type: 'refused', code: 'AUTHENTICATION_FAILED' } as const
