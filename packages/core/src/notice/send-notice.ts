import type { RaiseAlert } from '../alert.ts'
import type { RandomBytes } from '../ids.ts'
import { retryDelayMs, type RetryPolicy } from '../webhook/retry-policy.ts'
import { type TenantNotice, tenantNotice } from './notice.ts'
import type { NoticeSender, NoticeStore } from './ports.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `sendNotice`. */
export type SendNoticePorts = {
  readonly notices: NoticeStore
  readonly sender: NoticeSender
  readonly random: RandomBytes
  readonly raiseAlert: RaiseAlert
}

/** The outcome of one call of `sendNotice`. */
export type SendNoticeResult =
  /** No notice was due. */
  | { readonly type: 'idle' }
  | { readonly type: 'accepted' | 'refused'; readonly notice: TenantNotice }
  | { readonly type: 'failed'; readonly notice: TenantNotice; readonly detail: string; readonly inMs: number }
  /** The lease ended during the attempt: the notice is sent again, with the same id. */
  | { readonly type: 'stale'; readonly notice: TenantNotice }

/** Sends the next notice. @throws Unavailable when the store cannot be read or written */
export type SendNotice = () => Promise<SendNoticeResult>

/** The pauses between attempts at one notice, which have no end. */
export const noticeRetryPolicy: RetryPolicy = { attempts: Infinity, firstDelaySeconds: 30, maxDelaySeconds: 300 }

/**
 * Sends the next notice to a tenant's technical contact: in the order of the audit log, at least once.
 *
 * A failed attempt is repeated until the notice is accepted, and later notices wait. A refused one raises the alert
 * `NOTICE_REFUSED`, and the next one follows.
 *
 * @example
 * ```ts
 * const settings = { leaseSeconds: 60 }
 * const send = sendNotice(
 *   {
 *     ...ports,
 *     sender: {
 *       send: async ({ type, recipients }) => {
 *         console.log(type, recipients.length) // api_key.issued 1
 *         return { type: 'accepted' }
 *       },
 *     },
 *   },
 *   settings,
 * )
 * console.log((await send()).type, (await send()).type) // accepted idle
 * ```
 */
export function sendNotice(ports: SendNoticePorts, settings: { readonly leaseSeconds: number }): SendNotice {
  checkSettings('sendNotice', settings, { leaseSeconds: 'positive' })
  const { notices, sender, random, raiseAlert } = ports
  const { leaseSeconds } = settings
  return async () => {
    const claimed = await notices.claim(leaseSeconds)
    if (!claimed) return { type: 'idle' }
    const { claim, failedAttempts, source } = claimed
    const notice = tenantNotice(source)
    const result = await sender.send(notice)
    if (result.type === 'failed') {
      const [jitter = 0] = random(1)
      const inMs = retryDelayMs(noticeRetryPolicy, failedAttempts + 1, jitter / 256)
      const recorded = await notices.retry(claim, inMs)
      return recorded === 'stale' ? { type: 'stale', notice } : { type: 'failed', notice, detail: result.detail, inMs }
    }
    if (result.type === 'refused')
      raiseAlert({
        code: 'NOTICE_REFUSED',
        tenantId: notice.tenantId,
        subject: notice.id,
        detail: `${notice.type}: ${result.detail}`,
      })
    const recorded = await notices.accept(claim)
    return { type: recorded === 'stale' ? 'stale' : result.type, notice }
  }
}
