import { listen } from '@quipu/api'
import type { Clock } from '@quipu/core'
import { background, type Logger, systemClock, systemTimer } from '@quipu/runtime'
import { httpWebhookSender } from '@quipu/webhook-http'
import { exampleApp } from './example-app.ts'
import type { ExampleSettings } from './settings.ts'
import { workLoop } from './work/work-loop.ts'

export type Example = {
  /** Where it answers, without `/v1`. */
  readonly url: string
  /** Takes no more requests, and finishes what is under way. What keys have done is forgotten. */
  stop(): Promise<void>
}

/** Of receivers that connections are kept to. */
const maxOrigins = 256

/** Starts the example server in this process. @param realNow  another real time, for tests */
export async function startExample(
  settings: ExampleSettings,
  log: Logger,
  realNow: Clock = systemClock,
): Promise<Example> {
  const report = (error: unknown): void => log.error({ err: error }, 'background work failed')
  const tasks = background(report)
  const sender = httpWebhookSender({ allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE, maxOrigins })
  let isServing = true
  const isReady = (): boolean => isServing
  const ports = { sender, background: tasks, log, realNow, isServing: isReady }
  const { app, worlds, work } = exampleApp(ports, settings)
  const { HOST: host, PORT: port, STOP_WITHIN_MS: ms } = settings
  const listener = await listen(app, { host, port })
  const loop = workLoop(worlds, work, { timer: systemTimer, report })
  log.info({ url: listener.url }, 'example server started')

  async function stop(): Promise<void> {
    isServing = false
    await Promise.all([listener.stop(ms), loop.stop()])
    if (await tasks.settled(ms)) await sender.stop()
    log.info('example server stopped')
  }
  let stopping: Promise<void> | undefined
  return { url: listener.url, stop: () => (stopping ??= stop()) }
}
