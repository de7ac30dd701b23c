import { qrNetworkContract, type QrNetworkHarness, sandboxQrIssuerContract } from '@quipu/contracts'
import { cancelling } from '@quipu/core'
import { startQrNetwork } from '@quipu/simulators'
import { httpQrNetwork } from './http-qr-network.ts'
import { httpSandboxQrIssuer } from './sandbox-qr-issuer.ts'

const token = 'network token'

/** The adapters with a simulated network over HTTP. */
async function open(): Promise<QrNetworkHarness> {
  const simulator = await startQrNetwork({ token, callbackSecret: 'secret' })
  const network = httpQrNetwork({ url: simulator.url, token })
  const issuer = httpSandboxQrIssuer({ url: simulator.url, token })
  return {
    network,
    issuer,
    async settle(reference) {
      simulator.settle(reference)
    },
    async close() {
      await Promise.all([network.stop(), issuer.stop()])
      await simulator.stop()
    },
  }
}

qrNetworkContract('httpQrNetwork', open, cancelling)
sandboxQrIssuerContract('httpSandboxQrIssuer', open)
