import {
  type OpenQrNetwork,
  qrNetworkContract,
  type QrNetworkHarness,
  sandboxQrIssuerContract,
  withoutCancel,
} from '@quipu/contracts'
import { cancelling, type NetworkCapabilities } from '@quipu/core'
import { memoryQrNetwork } from './qr-network.ts'

const opening =
  (capabilities: NetworkCapabilities): OpenQrNetwork =>
  async (): Promise<QrNetworkHarness> => {
    const now = new Date('2026-03-01T00:00:00.000Z')
    const network = memoryQrNetwork({ now: () => now, capabilities })
    return { network, issuer: network, settle: async (reference) => network.settle(reference), close: async () => {} }
  }

qrNetworkContract('memory', opening(cancelling), cancelling)
qrNetworkContract('memory without cancel', opening(withoutCancel()), withoutCancel())
sandboxQrIssuerContract('memory', opening(cancelling))
