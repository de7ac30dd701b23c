import { programsOnly } from '../access.ts'
import { startJsonServer, type JsonServer, type JsonServerOptions, type Route } from '../json-server.ts'

type ServersOptions<Controls> = Omit<JsonServerOptions, 'host' | 'port'> & {
  /** `127.0.0.1` by default, for both ports. */
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  readonly adminPort?: number | undefined
  /** The controls of the network behind the public server. */
  controlsOf(server: JsonServer): Controls
  adminRoutes(controls: Controls): readonly Route[]
}

/** Starts the public and the admin port of a network; none of them when one fails. */
export async function startServers<Controls>(
  options: ServersOptions<Controls>,
): Promise<{ readonly server: JsonServer; readonly admin: JsonServer; readonly controls: Controls }> {
  const { host = '127.0.0.1', port = 0, adminPort = 0, controlsOf, adminRoutes, ...rest } = options
  const server = await startJsonServer({ ...rest, host, port })
  try {
    const controls = controlsOf(server)
    const access = programsOnly(host)
    const admin = await startJsonServer({ host, port: adminPort, access, routes: adminRoutes(controls) })
    return { server, admin, controls }
  } catch (error) {
    await server.pause()
    throw error
  }
}
