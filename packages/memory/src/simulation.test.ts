import { depositSimulationContract, payoutSimulationContract, testOperatorTokens } from '@quipu/contracts'
import { memoryQrNetwork } from './network/qr-network.ts'
import { memoryStores } from './stores.ts'

payoutSimulationContract('memory', (now) => {
  const network = memoryQrNetwork({ now, lateSeconds: null })
  const stores = memoryStores({ now, operatorTokens: testOperatorTokens() })
  return { stores, network, issuer: network, settle: network.settle }
})

depositSimulationContract('memory', (now) => memoryStores({ now, operatorTokens: testOperatorTokens() }))
