import { everyone } from '../access.ts'
import { startServers } from '../control/start-servers.ts'
import { parseExactJson } from '../exact-json.ts'
import { openHubAdminRoutes } from './admin/admin-routes.ts'
import { createOpenHubControls, type OpenHubControls } from './admin/controls.ts'
import { openHub, type Hub, type HubOptions } from './hub.ts'
import { publicRoutes } from './public-routes.ts'
import { gatewayText } from './switches/switches.ts'

/** The network, and where it listens. */
export type OpenHubOptions = HubOptions & {
  /** `127.0.0.1` by default, for both ports. */
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  readonly adminPort?: number | undefined
}

/** A running network, with the functions of the admin port. */
export type OpenHubSimulator = OpenHubControls & {
  readonly url: string
  /** Also the base URL of the sandbox's QR issuer. */
  readonly adminUrl: string
  readonly nit: string
  /** The paying accounts. */
  readonly accounts: readonly [string, string]
  /** Runs due timers of the stepped clock. */
  tick(): Promise<void>
  /** Closes all connections, also those of requests that hang. */
  stop(): Promise<void>
}

/** Starts a network like OpenHub, payout sync v3, with a public and an admin port. */
export async function startOpenHub(options: OpenHubOptions): Promise<OpenHubSimulator> {
  const hub = await openHub(options)
  try {
    return await listen(hub, options)
  } catch (error) {
    await hub.stop()
    throw error
  }
}

async function listen(hub: Hub, { host, port, adminPort }: OpenHubOptions): Promise<OpenHubSimulator> {
  const { timers, journal, nit, accounts } = hub
  const { server, admin, controls } = await startServers({
    host,
    port,
    adminPort,
    access: everyone,
    routes: publicRoutes(hub),
    parse: parseExactJson,
    missing: () => gatewayText(404),
    controlsOf: (server) => createOpenHubControls(hub, server),
    adminRoutes: (controls) => openHubAdminRoutes(hub, controls),
  })
  return {
    ...controls,
    url: server.url,
    adminUrl: admin.url,
    nit,
    accounts,
    async tick() {
      timers.tick()
      await journal.flushed()
    },
    async stop() {
      await Promise.all([server.pause(), admin.pause()])
      await hub.stop()
    },
  }
}
