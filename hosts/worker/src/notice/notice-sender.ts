import type { NoticeSender } from '@quipu/core/operator'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import type { SignedGateway } from '@quipu/webhook-http'
import { tenantNoticeToJson } from '@quipu/wire'

const noticeSpan: SpanFacts = { scope: '@quipu/worker', name: 'send notice', kind: 'internal' }

/** Posts notices to the operator's mail gateway. */
export const gatewayNoticeSender = ({ post }: Pick<SignedGateway, 'post'>): NoticeSender => ({
  send: (notice) => inWorkSpan(noticeSpan, undefined, () => post(notice.id, tenantNoticeToJson(notice))),
})

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
