import { qrNetworkContract, type QrNetworkHarness } from '@quipu/contracts'
import { systemClock, systemMonotonic } from '@quipu/core/system'
import { httpSandboxQrIssuer } from '@quipu/qr-network'
import { startOpenHub } from '@quipu/simulators'
import { dateOf, endOfDate } from './bolivian-time.ts'
import { openHub } from './openhub.ts'

const plain = (text: string | null): string | null =>
  text === null ? null : text.replaceAll(/\p{Cc}/gu, 'x').trim() || 'x'

/** The adapter with a simulated OpenHub, at its worst. */
async function open(): Promise<QrNetworkHarness> {
  const client = { clientId: 'client', clientSecret: 'client-secret' }
  const hub = await startOpenHub({ ...client })
  const { url, nit, accounts } = hub
  const clocks = { now: systemClock, monotonic: systemMonotonic }
  const network = openHub({ url, credentials: client, nit, sourceAccount: accounts[0], ...clocks })
  const issuer = httpSandboxQrIssuer({ url: hub.adminUrl, token: 'none' })
  return {
    network,
    issuer: {
      // A reading has the last date alone, and texts without control characters and blanks around them.
      async issue({ merchantName, description, ...request }) {
        const texts = { merchantName: plain(merchantName), description: plain(description) }
        const issued = await issuer.issue({ ...request, ...texts })
        return { ...issued, expiresAt: endOfDate(dateOf(issued.expiresAt)) ?? issued.expiresAt }
      },
    },
    async settle(reference) {
      hub.settle(reference)
    },
    async close() {
      await Promise.all([network.stop(), issuer.stop()])
      await hub.stop()
    },
  }
}

qrNetworkContract(
  'openHub',
  open,
  {
    unpaidProof: { by: 'people' },
    identityProof: 'statement',
    isPayRepeatable: false,
    isReadingSingleUse: true,
    givesReferenceAtPay: true,
    hasCallbacks: false,
    statementGrain: 'day',
  },
  ['limit'],
)
