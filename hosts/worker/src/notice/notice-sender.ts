import { type Clock, signWebhook, type WebhookSender } from '@quipu/core'
import type { NoticeResult, NoticeSender } from '@quipu/core/operator'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { tenantNoticeToJson } from '@quipu/wire'

export type NoticeGateway = {
  readonly url: string
  /** Signs each request. */
  readonly secret: string
  /** As `WEBHOOK_HEADER_PREFIX`. */
  readonly headerPrefix: string
}

/** The gateway can never send the notice. */
const unprocessable = 422

/**
 * Posts notices to the operator's mail gateway, signed as webhooks are. Every answer but 2xx and 422 is a failure,
 * so that a gateway that is set up wrongly loses no notice.
 */
export function gatewayNoticeSender(
  sender: WebhookSender,
  { url, secret, headerPrefix }: NoticeGateway,
  now: Clock,
): NoticeSender {
  return {
    async send(notice) {
      const body = Buffer.from(JSON.stringify(tenantNoticeToJson(notice)))
      const headers = {
        'Content-Type': 'application/json',
        'Idempotency-Key': notice.id,
        [`${headerPrefix}Signature`]: signWebhook([secret], body, now()),
      }
      const { error, statusCode } = await inWorkSpan(noticeSpan, undefined, () => sender.send({ url, headers, body }))
      return resultOf(error, statusCode)
    },
  }
}

const noticeSpan: SpanFacts = { scope: '@quipu/worker', name: 'send notice', kind: 'internal' }

function resultOf(error: string | null, statusCode: number | null): NoticeResult {
  if (error === null) return { type: 'accepted' }
  const detail = `the mail gateway answered ${statusCode ?? 'nothing'} (${error})`
  return { type: statusCode === unprocessable ? 'refused' : 'failed', detail }
}

/** Writes each notice to the log, without the names and addresses of people. */
export const logNoticeSender = (
  info: (fields: { readonly notice: object }, message: string) => void,
): NoticeSender => ({
  send: async (notice) => {
    const { recipients, ...json } = tenantNoticeToJson(notice)
    info(
      { notice: { ...json, recipient_count: recipients.length } },
      'notice to a technical contact was not sent; set TENANT_NOTICE_URL to have the next ones sent',
    )
    return { type: 'accepted' }
  },
})
