import { depositSimulationContract, payoutSimulationContract } from '@quipu/contracts'
import { memoryQrNetwork } from './network/qr-network.ts'
import { memoryStores } from './stores.ts'

payoutSimulationContract('memory', (now) => {
  const network = memoryQrNetwork({ now, lateSeconds: null })
  return { stores: memoryStores({ now }), network, issuer: network, settle: network.settle }
})

depositSimulationContract('memory', (now) => memoryStores({ now }))
