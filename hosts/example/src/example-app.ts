import { AppSettings, createApp, type RequestJournal } from '@quipu/api'
import { type Clock, defaultEndpointPolicy, rate } from '@quipu/core'
import { fixedRate } from '@quipu/rates'
import { aesSecretBox, type Limit, type Logger, readSettings } from '@quipu/runtime'
import { type SystemPorts, systemRandom, systemMonotonic, systemTimer } from '@quipu/core/system'
import { type HttpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import type { Express } from 'express'
import { currentKey } from './key/current-key.ts'
import { allowPages, authenticateKey, enterKey, sourceLimit } from './http/middleware.ts'
import { mockChain, mockFaucetChain } from './deposit/mock-chain.ts'
import { mockRoutes } from './http/mock-routes.ts'
import { type PendingWork, pendingWork } from './loop/pending-work.ts'
import { currentKeyPorts } from './key/key-ports.ts'
import { docsUrlOf, type ExampleSettings, isOnlyLocal, sourceLimitDefault } from './settings.ts'
import { withExampleReceiver } from './webhook/example-receiver.ts'
import { pacedSender, webhookPace } from './webhook/webhook-pace.ts'
import { createKeyState } from './key/key-state.ts'
import { defaultKeyLimits, type KeyStates, keyStatesWithin } from './key/key-states.ts'

export type ExamplePorts = {
  readonly sender: HttpWebhookSender
  readonly inBackground: SystemPorts['inBackground']
  readonly log: Logger
  /** Real time. */
  readonly realNow: Clock
  readonly isServing: () => boolean
}

export type ExampleApp = {
  readonly app: Express
  readonly keyStates: KeyStates
  readonly journal: RequestJournal
  /** The work of keys that are due. */
  readonly work: PendingWork
}

/** Endpoints of one key. */
const endpointsPerTenant = 2

const bid = rate(99_500n)

/** Composes the API over memory, with one state for each key. It does not listen yet. */
export function exampleApp(ports: ExamplePorts, settings: ExampleSettings): ExampleApp {
  const { inBackground, log, realNow, isServing } = ports
  const sender = withExampleReceiver(ports.sender)
  const limits = { ...defaultKeyLimits, keys: settings.EXAMPLE_KEYS }
  const keyStates = keyStatesWithin(limits, (key) => createKeyState(key, { realNow, ids: keyPorts.ids }))
  const keyPorts = currentKeyPorts(keyStates, realNow)
  const { network, topUps, now, ids, random } = keyPorts
  const chain = mockChain(keyPorts, log)
  const pace = webhookPace(realNow)
  const secretBox = aesSecretBox([{ id: '1', key: systemRandom(32) }], systemRandom)
  const urlGuard = webhookUrlGuard({ allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE })
  const headerPrefix = settings.WEBHOOK_HEADER_PREFIX
  const sending = { sender, secretBox, pace, headerPrefix, signedAt: realNow }
  const work = pendingWork({ keyPorts, chain, inBackground, log, ...sending })

  const { publicApp: app, journal } = createApp(
    {
      stores: { ...keyPorts.stores, ping: async () => ({ now: realNow() }) },
      network,
      rates: fixedRate({ bid, now }),
      sandboxQrs: network,
      topUps,
      faucetChain: mockFaucetChain(keyPorts),
      webhooks: { sender: pacedSender(sender, pace, () => currentKey().key), urlGuard, secretBox, signedAt: realNow },
      system: { now, monotonic: systemMonotonic, timer: systemTimer, ids, random, log, inBackground, isServing },
      extension: {
        authenticate: authenticateKey(keyPorts.stores.apiKeys, now),
        before: [
          allowPages,
          sourceLimit(limitOf(settings), settings.RATE_LIMIT_IPV6_PREFIX, realNow),
          enterKey(keyStates),
        ],
        routes: mockRoutes({ keyStates, chain, work }),
        isExample: true,
        endpointPolicy: { ...defaultEndpointPolicy, endpointsPerTenant },
      },
    },
    appSettings(settings),
  )
  return { app, keyStates, journal, work }
}

/** Switches off rate limits per tenant: they follow the clock of the key, which it can advance. */
const appSettings = (settings: ExampleSettings): AppSettings => ({
  ...readSettings(AppSettings, { RATE_LIMIT_READS: 'off', RATE_LIMIT_WRITES: 'off', RATE_LIMIT_FAILED_KEYS: 'off' }),
  TRUSTED_PROXIES: settings.TRUSTED_PROXIES,
  WEBHOOK_HEADER_PREFIX: settings.WEBHOOK_HEADER_PREFIX,
  DOCS_URL: docsUrlOf(settings),
})

const limitOf = (settings: ExampleSettings): Limit =>
  settings.RATE_LIMIT_SOURCE ?? (isOnlyLocal(settings) ? 'off' : sourceLimitDefault)
