import { storeContracts, useCaseContracts } from '@quipu/core/testing'
import { afterAll } from 'vitest'
import { reusedStores } from './test/reused-stores.fixture.ts'

const { open, drop } = reusedStores()
afterAll(drop)

storeContracts('PostgreSQL', open)
useCaseContracts('PostgreSQL', open)
