import { expectPlans } from '../test/plans.fixture.ts'
import { treasuryStatements } from './treasury-store.ts'

expectPlans(treasuryStatements, {
  'treasury.find': { treasury_movement_pkey: 1 },
  'treasury.list': { treasury_movement_newest: 1 },
})
