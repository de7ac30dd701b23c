import { listen } from '@quipu/api'
import type { Clock } from '@quipu/core'
import { type Logger } from '@quipu/runtime'
import { systemClock, systemPorts, systemTimer } from '@quipu/core/system'
import { httpWebhookSender } from '@quipu/webhook-http'
import { exampleApp } from './example-app.ts'
import { docsUrlOf, type ExampleSettings } from './settings.ts'
import { workLoop } from './loop/work-loop.ts'

export type Example = {
  /** The base URL, without `/v1`. */
  readonly url: string
  /** Stops accepting requests and finishes those in flight. The states of all keys are lost. */
  stop(): Promise<void>
}

/** How many origins keep connections open. */
const maxOrigins = 256

/** Starts the example server in this process. @param realNow  replaced by tests */
export async function startExample(
  settings: ExampleSettings,
  log: Logger,
  realNow: Clock = systemClock,
): Promise<Example> {
  const report = (error: unknown): void => log.error({ err: error }, 'background work failed')
  const { inBackground, settled } = systemPorts({ onError: report })
  const sender = httpWebhookSender({ allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE, maxOrigins })
  let isServing = true
  const isReady = (): boolean => isServing
  const ports = { sender, inBackground, log, realNow, isServing: isReady }
  const { app, keyStates, journal, work } = exampleApp(ports, settings)
  const { HOST: host, PORT: port, STOP_WITHIN_MS: ms } = settings
  const listener = await listen(app, { host, port }, docsUrlOf(settings))
  const loop = workLoop(keyStates, work, { timer: systemTimer, report })
  const logging = journal.write({ timer: systemTimer, report })
  log.info({ url: listener.url }, 'example server started')

  async function stop(): Promise<void> {
    isServing = false
    await Promise.all([listener.stop(ms), loop.stop(), logging.stop()])
    if (await settled(ms)) await sender.stop()
    log.info('example server stopped')
  }
  let stopping: Promise<void> | undefined
  return { url: listener.url, stop: () => (stopping ??= stop()) }
}
