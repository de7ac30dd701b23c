import path from 'node:path'
import { startOpenHub, startQrNetwork } from '@quipu/simulators'
import type { Secrets } from './data-folder/secrets.ts'
import type { Ports } from './ports.ts'
import { StartRefusal } from './start-refusal.ts'

const host = '127.0.0.1'

/** The kind of QR network that a data folder pays at. */
export type NetworkName = 'http' | 'openhub'

/** A simulated QR network, and the settings of API and worker for it. */
export type LocalNetwork = {
  readonly url: string
  readonly adminUrl: string
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts the QR network. Its state is stored, so that open payments survive a restart. */
export async function openNetwork(
  name: NetworkName,
  dataDir: string,
  ports: Ports,
  secrets: Secrets,
): Promise<LocalNetwork> {
  const listeners = { host, port: ports.qrNetwork, adminPort: ports.qrNetworkAdmin }
  const { network_token: token, callback_secret: callbackSecret } = secrets
  if (name === 'openhub') {
    const storage = path.join(dataDir, 'openhub')
    const hub = await startOpenHub({ clientId: 'quipu', clientSecret: token, storage, ...listeners })
    return {
      ...hub,
      env: {
        QR_NETWORK: 'openhub',
        QR_NETWORK_IDENTITY: 'openhub-simulator',
        OPENHUB_URL: hub.url,
        OPENHUB_CLIENT_ID: 'quipu',
        OPENHUB_CLIENT_SECRET: token,
        OPENHUB_NIT: hub.nit,
        OPENHUB_SOURCE_ACCOUNT: hub.accounts[0],
        OPENHUB_SANDBOX_QR_URL: hub.adminUrl,
      },
    }
  }
  const callbackUrl = `http://${host}:${ports.api}/network/callbacks`
  const storage = path.join(dataDir, 'qr-network')
  const network = await startQrNetwork({ token, callbackSecret, callbackUrl, storage, ...listeners })
  return {
    ...network,
    env: {
      QR_NETWORK_URL: network.url,
      QR_NETWORK_IDENTITY: 'simulator',
      QR_NETWORK_TOKEN: token,
      QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    },
  }
}

/**
 * The value of `--network`; `http` without it.
 *
 * @throws StartRefusal for another name
 */
export function networkNamed(args: readonly string[]): NetworkName {
  const at = args.findIndex((arg) => arg === '--network' || arg.startsWith('--network='))
  const name = at === -1 ? 'http' : (args[at]?.split('=')[1] ?? args[at + 1])
  if (name === 'http' || name === 'openhub') return name
  throw new StartRefusal(`--network must be http or openhub, got ${name ?? 'nothing'}`)
}
