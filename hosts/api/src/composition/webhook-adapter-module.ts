import { aesSecretBox } from '@quipu/runtime'
import { systemRandom } from '@quipu/core/system'
import { type HttpWebhookSender, httpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import { ContainerModule } from 'inversify'
import type { ApiSettings } from '../settings/settings.ts'
import { symbol, WEBHOOK_PORTS } from './symbols.ts'

const SENDER = symbol<HttpWebhookSender>('HttpWebhookSender')

/** Without `WEBHOOK_SECRET_KEY` there are no webhooks. */
export const webhookAdapterModule = ({
  WEBHOOK_SECRET_KEY: key,
  WEBHOOK_ALLOW_PRIVATE: allowPrivate,
}: ApiSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    if (key === undefined) {
      bind(WEBHOOK_PORTS).toConstantValue(undefined)
      return
    }
    bind(WEBHOOK_PORTS).toResolvedValue(
      (sender) => ({ sender, urlGuard: webhookUrlGuard({ allowPrivate }), secretBox: aesSecretBox(key, systemRandom) }),
      [SENDER],
    )
    bind(SENDER)
      .toResolvedValue(() => httpWebhookSender({ allowPrivate }))
      .onDeactivation((sender) => sender.stop())
  })
