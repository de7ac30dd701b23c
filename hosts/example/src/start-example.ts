import { AppSettings, createApp, type Limit, listen } from '@quipu/api'
import { fixedRate } from '@quipu/rates'
import {
  aesSecretBox,
  background,
  type Logger,
  readSettings,
  systemClock,
  systemRandom,
  systemTimer,
} from '@quipu/runtime'
import { httpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import { currentWorld, inWorld } from './current-world.ts'
import { allowPages, authenticateInWorld, enterWorld, sourceLimit } from './front.ts'
import { mockChain, mockFaucetChain } from './mock-chain.ts'
import { mockRoutes } from './mock-routes.ts'
import { openWork } from './open-work.ts'
import { partsOf } from './parts.ts'
import type { ExampleSettings } from './settings.ts'
import { pacedSender, webhookPace } from './webhook-pace.ts'
import { workLoop } from './work-loop.ts'
import { makeWorld } from './world.ts'
import { defaultWorldLimits, worldsWithin } from './worlds.ts'

export type Example = {
  /** Where it answers, without `/v1`. */
  readonly url: string
  /** Takes no more requests, and finishes what is under way. What keys have done is forgotten. */
  stop(): Promise<void>
}

/** @source assumed */
const bid = 99_500n

/** Starts the example server: the API on memory, one world for each key. */
export async function startExample(settings: ExampleSettings, log: Logger): Promise<Example> {
  const realNow = systemClock
  const limits = { ...defaultWorldLimits, keys: settings.EXAMPLE_KEYS }
  const worlds = worldsWithin(limits, (key) =>
    makeWorld(key, { realNow, ids: parts.ids, stores: parts.stores, inWorld }),
  )
  const parts = partsOf(worlds, realNow)
  const report = (error: unknown): void => log.error({ err: error }, 'background work failed')
  const tasks = background(report)
  let isServing = true

  const allowPrivate = settings.WEBHOOK_ALLOW_PRIVATE
  const sender = httpWebhookSender({ allowPrivate, maxOrigins: 256 })
  const secretBox = aesSecretBox(systemRandom(32), systemRandom)
  const pace = webhookPace(realNow)
  const chain = mockChain(parts, log)
  const headerPrefix = settings.WEBHOOK_HEADER_PREFIX
  const sending = { sender, secretBox, pace, background: tasks, headerPrefix }
  const work = openWork({ parts, chain, log, ...sending })

  const { publicApp } = createApp(
    {
      stores: { ...parts.stores, ping: async () => undefined },
      network: parts.network,
      rates: fixedRate({ bid, now: parts.now }),
      sandboxQrs: parts.network,
      topUps: parts.topUps,
      faucetChain: mockFaucetChain(parts),
      webhooks: {
        sender: pacedSender(sender, pace, () => currentWorld().key),
        urlGuard: webhookUrlGuard({ allowPrivate }),
        secretBox,
        signedAt: realNow,
      },
      system: {
        now: parts.now,
        timer: systemTimer,
        ids: parts.ids,
        random: parts.random,
        log,
        background: tasks,
        isServing: () => isServing,
      },
      extension: {
        authenticate: authenticateInWorld,
        before: [allowPages, sourceLimit(limitOf(settings), realNow), enterWorld(worlds)],
        routes: mockRoutes({ worlds, chain, work }),
        isExample: true,
      },
    },
    appSettings(settings),
  )
  const { HOST: host, PORT: port } = settings
  const listener = await listen(publicApp, { host, port })
  const loop = workLoop(worlds, work, { timer: systemTimer, report })
  log.info({ url: listener.url }, 'example server started')

  async function stop(): Promise<void> {
    isServing = false
    const { STOP_WITHIN_MS: ms } = settings
    await Promise.all([listener.stop(ms), loop.stop()])
    await tasks.settled(ms)
    await sender.stop()
    log.info('example server stopped')
  }
  let stopping: Promise<void> | undefined
  return { url: listener.url, stop: () => (stopping ??= stop()) }
}

/** Those limits that count by the clock are off: here each key has its own. */
const appSettings = ({ TRUSTED_PROXIES, WEBHOOK_HEADER_PREFIX }: ExampleSettings): AppSettings => ({
  ...readSettings(AppSettings, {
    ENVIRONMENT: 'sandbox',
    RATE_LIMIT_READS: 'off',
    RATE_LIMIT_WRITES: 'off',
    RATE_LIMIT_FAILED_KEYS: 'off',
  }),
  TRUSTED_PROXIES,
  WEBHOOK_HEADER_PREFIX,
})

const loopback = /^(localhost|127\..+|::1)$/

/** Behind a proxy the others call through it, on whatever address we are. */
const limitOf = ({ RATE_LIMIT_SOURCE, HOST, TRUSTED_PROXIES }: ExampleSettings): Limit =>
  RATE_LIMIT_SOURCE ?? (loopback.test(HOST) && TRUSTED_PROXIES === 0 ? 'off' : 50)
