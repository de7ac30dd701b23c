import { type Harness, storeContracts, useCaseContracts } from '@quipu/core/testing'
import { openTestStores } from './stores.fixture.ts'

async function open(): Promise<Harness> {
  let now = new Date('2026-04-01T00:00:00.000Z')
  return {
    ...(await openTestStores({ now: () => now })),
    advance: async (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
  }
}

storeContracts('PostgreSQL', open)
useCaseContracts('PostgreSQL', open)
