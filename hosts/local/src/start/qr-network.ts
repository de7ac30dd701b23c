import path from 'node:path'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import type { Secrets } from './data-folder/secrets.ts'
import type { Ports } from './ports.ts'

const host = '127.0.0.1'

/** Starts the QR network. Its state is stored, so that open payments survive a restart. */
export const openNetwork = (dataDir: string, ports: Ports, secrets: Secrets): Promise<QrNetworkSimulator> =>
  startQrNetwork({
    token: secrets.network_token,
    host,
    port: ports.qrNetwork,
    adminPort: ports.qrNetworkAdmin,
    storage: path.join(dataDir, 'qr-network'),
    callbackSecret: secrets.callback_secret,
    callbackUrl: `http://${host}:${ports.api}/network/callbacks`,
  })
