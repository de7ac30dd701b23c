import { storeContracts, testOperatorTokens, testSignInKeys } from '@quipu/contracts'
import { memoryStores } from '@quipu/memory'

async function openStores() {
  let now = new Date('2026-11-21T12:00:00.000Z')
  const advance = async (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000)
  }
  const stores = memoryStores({ now: () => now, operatorTokens: testOperatorTokens(), signInKeys: testSignInKeys })
  return { ...stores, advance, close: async () => {} }
}

storeContracts('our database', openStores)
