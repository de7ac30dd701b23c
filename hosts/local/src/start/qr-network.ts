import { existsSync } from 'node:fs'
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
    const storage = path.join(dataDir, folders.openhub)
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
  const storage = path.join(dataDir, folders.http)
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

const folders: Readonly<Record<NetworkName, string>> = { http: 'qr-network', openhub: 'openhub' }

/**
 * The network of a data folder: that of its first start, as another one would halt its payments.
 *
 * @param named  undefined: none
 * @throws StartRefusal when another one is named
 */
export function networkOf(dataDir: string, named: NetworkName | undefined): NetworkName {
  const has = (name: NetworkName): boolean => existsSync(path.join(dataDir, folders[name]))
  const kept = has('openhub') ? 'openhub' : has('http') ? 'http' : undefined
  if (named && kept && named !== kept)
    throw new StartRefusal(`${dataDir} pays at ${kept}, not ${named}: set QUIPU_DATA_DIR to another folder.`)
  return kept ?? named ?? 'http'
}
