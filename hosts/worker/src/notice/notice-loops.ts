import type { WebhookSender } from '@quipu/core'
import { handOverLeaseSeconds, type NoticeSender, sendNotice } from '@quipu/core/operator'
import { type NamedLoop, namedLoop } from '@quipu/runtime'
import { signedGateway } from '@quipu/webhook-http'
import type { WorkerContext, WorkerStores } from '../ports.ts'
import { noticeLoop } from './notice-loop.ts'
import { gatewayNoticeSender, logNoticeSender } from './notice-sender.ts'

/** Notifies tenants' technical contacts of what happens to their API keys. */
export function noticeLoops(
  context: WorkerContext,
  { notices }: Pick<WorkerStores, 'notices'>,
  webhookSender: WebhookSender,
): readonly NamedLoop[] {
  const { raiseAlert, record, random, timing } = context
  const ports = { notices, sender: noticeSender(context, webhookSender), random }
  const send = sendNotice({ ...ports, raiseAlert }, { leaseSeconds: handOverLeaseSeconds })
  return [namedLoop('notices', noticeLoop({ send, record, ...timing }))]
}

function noticeSender({ settings, log, now }: WorkerContext, sender: WebhookSender): NoticeSender {
  const { TENANT_NOTICE_URL: url, TENANT_NOTICE_SECRET: secret } = settings
  if (url === undefined || secret === undefined) return logNoticeSender((fields, message) => log.info(fields, message))
  const gateway = { name: 'the mail gateway', url, secret, headerPrefix: settings.WEBHOOK_HEADER_PREFIX }
  return gatewayNoticeSender(signedGateway(sender, gateway, now))
}
