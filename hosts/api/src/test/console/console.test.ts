import { afterAll, beforeAll, describe } from 'vitest'
import { type ConsoleSystem, startConsole } from './console.fixture.ts'
import { controlTests } from './control-tests.fixture.ts'
import { everyPageTests } from './every-page.fixture.ts'
import { payoutTests } from './payout-tests.fixture.ts'
import { sessionTests } from './session-tests.fixture.ts'
import { tenantTests } from './tenant-tests.fixture.ts'

// One API, one database and one browser for all of them: each suite adds its tests here.
let system: ConsoleSystem

beforeAll(async () => {
  system = await startConsole()
})
afterAll(() => system.stop())

describe('every page of the console', () => {
  everyPageTests(() => system)
})
describe('payouts in the console', () => {
  payoutTests(() => system)
})
describe('sessions of the console', () => {
  sessionTests(() => system)
})
describe('tenants and keys in the console', () => {
  tenantTests(() => system)
})
describe('decisions in the console', () => {
  controlTests(() => system)
})
