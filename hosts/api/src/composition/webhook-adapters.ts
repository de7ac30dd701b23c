import { aesSecretBox, systemRandom, type webhookSettings } from '@quipu/runtime'
import { type HttpWebhookSender, httpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import { ContainerModule } from 'inversify'
import type { z } from 'zod'
import { named, WEBHOOK_PORTS } from '../ports.ts'

const SENDER = named<HttpWebhookSender>('HttpWebhookSender')

type Settings = Pick<
  z.output<z.ZodObject<typeof webhookSettings>>,
  'WEBHOOK_SECRET_KEY' | 'WEBHOOK_ALLOW_PRIVATE'
>

/** What the settings name: a key that seals signing secrets, and where webhooks may lead. */
export const webhookAdapters = ({
  WEBHOOK_SECRET_KEY: key,
  WEBHOOK_ALLOW_PRIVATE: allowPrivate,
}: Settings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    if (key === undefined) {
      bind(WEBHOOK_PORTS).toConstantValue(undefined)
      return
    }
    bind(WEBHOOK_PORTS)
      .toResolvedValue(
        (sender: HttpWebhookSender) => ({
          sender,
          urlGuard: webhookUrlGuard({ allowPrivate }),
          secretBox: aesSecretBox(key, systemRandom),
        }),
        [SENDER],
      )
      .inSingletonScope()
    bind(SENDER)
      .toResolvedValue(() => httpWebhookSender({ allowPrivate }))
      .inSingletonScope()
      .onDeactivation((sender) => sender.stop())
  })
