import { AppSettings, createApp, type Limit } from '@quipu/api'
import { type Clock, defaultEndpointPolicy } from '@quipu/core'
import { fixedRate } from '@quipu/rates'
import {
  aesSecretBox,
  type Background,
  type Logger,
  readSettings,
  systemRandom,
  systemMonotonic,
  systemTimer,
} from '@quipu/runtime'
import { type HttpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import type { Express } from 'express'
import { currentWorld, inWorld } from './key/current-key.ts'
import { allowPages, authenticateInWorld, enterWorld, sourceLimit } from './http/front.ts'
import { mockChain, mockFaucetChain } from './deposit/mock-chain.ts'
import { mockRoutes } from './http/mock-routes.ts'
import { type OpenWork, openWork } from './work/open-work.ts'
import { partsOf } from './parts.ts'
import type { ExampleSettings } from './settings.ts'
import { pacedSender, webhookPace } from './webhook/webhook-pace.ts'
import { makeWorld } from './key/key-state.ts'
import { defaultWorldLimits, type Worlds, worldsWithin } from './key/key-states.ts'

export type ExamplePorts = {
  readonly sender: HttpWebhookSender
  readonly background: Background
  readonly log: Logger
  /** Real time. */
  readonly realNow: Clock
  readonly isServing: () => boolean
}

export type ExampleApp = {
  readonly app: Express
  readonly worlds: Worlds
  /** What is to be done in worlds that are stirred. */
  readonly work: OpenWork
}

/** Endpoints of one key. @source assumed */
const endpointsPerTenant = 2

/** BOB per USDT, times 10⁴. @source assumed */
const bid = 99_500n

/** The API on memory, one world for each key, listening nowhere yet. */
export function exampleApp(ports: ExamplePorts, settings: ExampleSettings): ExampleApp {
  const { sender, background, log, realNow, isServing } = ports
  const limits = { ...defaultWorldLimits, keys: settings.EXAMPLE_KEYS }
  const worlds = worldsWithin(limits, (key) =>
    makeWorld(key, { realNow, ids: parts.ids, stores: parts.stores, inWorld }),
  )
  const parts = partsOf(worlds, realNow)
  const { network, topUps, now, ids, random } = parts
  const chain = mockChain(parts, log)
  const pace = webhookPace(realNow)
  const secretBox = aesSecretBox(systemRandom(32), systemRandom)
  const urlGuard = webhookUrlGuard({ allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE })
  const headerPrefix = settings.WEBHOOK_HEADER_PREFIX
  const sending = { sender, secretBox, pace, headerPrefix, signedAt: realNow }
  const work = openWork({ parts, chain, background, log, ...sending })

  const { publicApp: app } = createApp(
    {
      stores: { ...parts.stores, ping: async () => ({ now: realNow() }) },
      network,
      rates: fixedRate({ bid, now }),
      sandboxQrs: network,
      topUps,
      faucetChain: mockFaucetChain(parts),
      webhooks: {
        sender: pacedSender(sender, pace, () => currentWorld().key),
        urlGuard,
        secretBox,
        signedAt: realNow,
      },
      system: {
        now,
        monotonic: systemMonotonic,
        timer: systemTimer,
        ids,
        random,
        log,
        background,
        isServing,
      },
      extension: {
        authenticate: authenticateInWorld,
        before: [
          allowPages,
          sourceLimit(limitOf(settings), settings.RATE_LIMIT_IPV6_PREFIX, realNow),
          enterWorld(worlds),
        ],
        routes: mockRoutes({ worlds, chain, work }),
        isExample: true,
        endpointPolicy: { ...defaultEndpointPolicy, endpointsPerTenant },
      },
    },
    appSettings(settings),
  )
  return { app, worlds, work }
}

/** Those limits that count by the clock are off: here each key has its own. */
const appSettings = ({ TRUSTED_PROXIES, WEBHOOK_HEADER_PREFIX }: ExampleSettings): AppSettings => ({
  ...readSettings(AppSettings, {
    RATE_LIMIT_READS: 'off',
    RATE_LIMIT_WRITES: 'off',
    RATE_LIMIT_FAILED_KEYS: 'off',
  }),
  TRUSTED_PROXIES,
  WEBHOOK_HEADER_PREFIX,
})

const loopback = /^(localhost|127\..+|::1)$/

/** Behind a proxy others call through it, whatever address we are on. */
const limitOf = ({ RATE_LIMIT_SOURCE, HOST, TRUSTED_PROXIES }: ExampleSettings): Limit =>
  RATE_LIMIT_SOURCE ?? (loopback.test(HOST) && TRUSTED_PROXIES === 0 ? 'off' : 50)
