import { bearerToken } from '../access.ts'
import { startServers } from '../control/start-servers.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import type { CallbackRequest } from './callback/callbacks.ts'
import { createControls, type Controls } from './admin/controls.ts'
import { issueQr, type IssuedQr, type QrRequest } from './qr/issue-qr.ts'
import { openNetwork, type Network, type NetworkOptions } from './network.ts'
import { publicRoutes } from './public-routes.ts'

/** The network, and where it listens. */
export type QrNetworkOptions = NetworkOptions & {
  /** Bearer token of the public API. */
  readonly token: string
  /** `127.0.0.1` by default, for both ports. */
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  readonly adminPort?: number | undefined
}

/** A running network, with the functions of the admin port. */
export type QrNetworkSimulator = Controls & {
  readonly url: string
  readonly adminUrl: string
  /** PEM of the key that decrypts QR contents. */
  readonly publicKey: string
  /** Issues a test QR. @throws ZodError if the request is invalid */
  issueQr(request: QrRequest): IssuedQr
  /** Sends one callback. @returns the receiver's status, or null without an answer */
  sendCallback(request: CallbackRequest): Promise<number | null>
  setCallbackUrl(url: string | undefined): void
  /** Runs due timers of the stepped clock. Resolves when their callbacks are answered. */
  tick(): Promise<void>
  /** Closes all connections, also those of requests that hang. */
  stop(): Promise<void>
}

/** Starts a QR network with a public and an admin port. */
export async function startQrNetwork(options: QrNetworkOptions): Promise<QrNetworkSimulator> {
  const network = await openNetwork(options)
  try {
    return await listen(network, options)
  } catch (error) {
    await network.stop()
    throw error
  }
}

async function listen(network: Network, options: QrNetworkOptions): Promise<QrNetworkSimulator> {
  const { host, port, adminPort, token } = options
  const { callbacks, codec, journal, timers } = network
  const { server, admin, controls } = await startServers({
    host,
    port,
    adminPort,
    access: bearerToken(token),
    routes: publicRoutes(network),
    controlsOf: (server) => createControls(network, server),
    adminRoutes: (controls) => adminRoutes(network, controls),
  })
  return {
    ...controls,
    url: server.url,
    adminUrl: admin.url,
    publicKey: network.publicKey,
    issueQr: (request) => issueQr(codec, request, timers.now()),
    sendCallback: (request) => callbacks.send(request),
    setCallbackUrl: (url) => callbacks.setUrl(url),
    async tick() {
      timers.tick()
      await journal.flushed()
      await callbacks.idle()
    },
    async stop() {
      await Promise.all([server.pause(), admin.pause()])
      await network.stop()
    },
  }
}
