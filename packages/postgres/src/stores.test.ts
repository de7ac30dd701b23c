import { storeContracts, useCaseContracts } from '@quipu/contracts'
import { afterAll } from 'vitest'
import { reusedStores } from './test/reused-stores.fixture.ts'

const { open, drop } = reusedStores()
afterAll(drop)

storeContracts('PostgreSQL', open)
useCaseContracts('PostgreSQL', open)
