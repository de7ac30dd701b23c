import { afterAll, beforeAll, describe } from 'vitest'
import { type ConsoleSystem, startConsole } from './console.fixture.ts'
import { controlTests } from './control-tests.fixture.ts'
import { screeningTests } from './screening-tests.fixture.ts'
import { peopleTests } from './people-tests.fixture.ts'
import { everyPageTests } from './every-page.fixture.ts'
import { operationTests } from './operation-tests.fixture.ts'
import { listTests, payoutTests } from './payout-tests.fixture.ts'
import { productionTests } from './production-tests.fixture.ts'
import { sessionTests } from './session-tests.fixture.ts'
import { storedScriptTests } from './stored-script-tests.fixture.ts'
import { tenantTests } from './tenant-tests.fixture.ts'

// Two APIs, one database and one browser for all of them: each suite adds its tests here.
let system: ConsoleSystem

beforeAll(async () => {
  system = await startConsole()
})
afterAll(() => system.stop())

describe('every page of the console', () => {
  everyPageTests(() => system)
})
describe('stored scripts in the console', () => {
  storedScriptTests(() => system)
})
describe('sessions of the console', () => {
  sessionTests(() => system)
})
describe('lists in the console', () => {
  listTests(() => system)
  afterAll(() => system.closeTabs())
})
describe('actions by keyboard', () => {
  afterAll(() => system.closeTabs())
  payoutTests(() => system)
  tenantTests(() => system)
})
describe('further actions by keyboard', { tags: 'long' }, () => {
  afterAll(() => system.closeTabs())
  controlTests(() => system)
  screeningTests(() => system)
  peopleTests(() => system)
  productionTests(() => system)
})
// Last: it checks what the tests above have called.
describe('the operator API', () => {
  operationTests(() => system)
})
