import { bearerToken, programsOnly } from '../access.ts'
import { startJsonServer } from '../json-server.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import type { CallbackRequest } from './callback/callbacks.ts'
import { createControls, type Controls } from './admin/controls.ts'
import { issueQr, type IssuedQr, type QrRequest } from './qr/issue-qr.ts'
import { openNetwork, type Network, type NetworkOptions } from './network.ts'
import { publicRoutes } from './public-routes.ts'

export type QrNetworkOptions = NetworkOptions & {
  /** The bearer token that members of the network carry. */
  readonly token: string
  /** `127.0.0.1` by default, for both ports. */
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  readonly adminPort?: number | undefined
}

/** A running network: what the admin port can do, at hand in the same process. */
export type QrNetworkSimulator = Controls & {
  readonly url: string
  readonly adminUrl: string
  /** PEM. Recovers what a content says, as a reader with the bank's certificate would. */
  readonly publicKey: string
  /** Issues a test QR. @throws ZodError when the request breaks a rule */
  issueQr(request: QrRequest): IssuedQr
  /** Sends one callback now. @returns the receiver's status, or null when it did not answer */
  sendCallback(request: CallbackRequest): Promise<number | null>
  setCallbackUrl(url: string | undefined): void
  /** Runs what is due by the stepped clock, and resolves when its callbacks have been answered. */
  tick(): Promise<void>
  /** Ends every connection at once, also those of requests that are waiting. */
  stop(): Promise<void>
}

/** Starts a QR network on two ports: its members' and the admin's. */
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
  const { host = '127.0.0.1', port = 0, adminPort = 0, token } = options
  const { callbacks, codec, journal, timers } = network
  const server = await startJsonServer({
    host,
    port,
    access: bearerToken(token),
    routes: publicRoutes(network),
  })
  const controls = createControls(network, server)
  const admin = await startJsonServer({
    host,
    port: adminPort,
    access: programsOnly(host),
    routes: adminRoutes(network, controls),
  }).catch(async (error: unknown) => {
    await server.pause()
    throw error
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
