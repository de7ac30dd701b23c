/**
 * One version of the programs, for the tests of rolling upgrades. `pnpm previous-version` bundles this file,
 * with its core and stores, into the fixture of the previous version.
 */
import { builders } from '@quipu/contracts'
import { randomBytes } from 'node:crypto'
import { postgresStores } from '../stores.ts'
import { type Delivering, delivering } from './delivering.fixture.ts'
import { type Funding, funding } from './funding.fixture.ts'
import { type Maintenance, maintenance } from './maintenance.fixture.ts'
import { type Paying, paying } from './paying.fixture.ts'
import { type Tenancy, tenancy } from './tenancy.fixture.ts'

export { storeContracts } from '@quipu/contracts'
export { migrate } from '../migration/migrate.ts'
export { postgresStores } from '../stores.ts'

/**
 * The calls of one version's API and worker on a database. Arguments and results are strings, numbers and
 * plain records of them, so that a test can pass the results of one version to another, whatever their types
 * are. Amounts are micro-USDT.
 */
export type Program = Tenancy &
  Paying &
  Funding &
  Delivering &
  Maintenance & {
    close(): Promise<void>
  }

export function openProgram(url: string): Program {
  const stores = postgresStores({ url })
  const world = { ...stores, ...builders(stores, randomBytes), advance: async () => {} }
  return {
    ...tenancy(world),
    ...paying(world),
    ...funding(world),
    ...delivering(world),
    ...maintenance(stores, url),
    close: stores.close,
  }
}
