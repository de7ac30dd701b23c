import { erasedContact } from '../tenant/tenant.ts'
import type { RaiseAlert } from '../alert.ts'
import { checkSettings } from '../check-settings.ts'
import type { RandomBytes } from '../ids.ts'
import { handOver, type HandOverResult } from './hand-over.ts'
import { type TenantNotice, tenantNotice } from './notice.ts'
import type { NoticeSender, NoticeStore } from './ports.ts'

/** The ports of `sendNotice`. */
export type SendNoticePorts = {
  readonly notices: NoticeStore
  readonly sender: NoticeSender
  readonly random: RandomBytes
  readonly raiseAlert: RaiseAlert
}

/** Sends the next notice. @throws Unavailable when the store cannot be read or written */
export type SendNotice = () => Promise<HandOverResult<TenantNotice>>

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
  return handOver({
    claim: async () => {
      const claimed = await notices.claim(leaseSeconds)
      if (!claimed) return undefined
      const { claim, failedAttempts, source } = claimed
      return {
        message: tenantNotice(source),
        failedAttempts,
        accept: () => notices.accept(claim),
        retry: (inMs) => notices.retry(claim, inMs),
      }
    },
    send: async (notice) =>
      notice.recipients.every(({ email }) => email === erasedContact.email)
        ? { type: 'accepted' }
        : sender.send(notice),
    refused: ({ type, tenantId, id: subject }, detail) =>
      raiseAlert({ code: 'NOTICE_REFUSED', tenantId, subject, detail: `${type}: ${detail}` }),
    random,
  })
}
