import { qrNetworkContract, type QrNetworkHarness, sandboxQrIssuerContract } from '@quipu/contracts'
import { memoryQrNetwork } from './qr-network.ts'

async function open(): Promise<QrNetworkHarness> {
  const now = new Date('2026-03-01T00:00:00.000Z')
  const network = memoryQrNetwork({ now: () => now })
  return { network, issuer: network, settle: async (reference) => network.settle(reference), close: async () => {} }
}

qrNetworkContract('memory', open)
sandboxQrIssuerContract('memory', open)
