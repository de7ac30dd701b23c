import { expectPlans } from '../test/plans.fixture.ts'
import { screeningStatements } from './screening-store.ts'

expectPlans(screeningStatements, {
  'screening.find': { screening_case_pkey: 1 },
  'screening.list': { screening_case_newest: 1 },
  'screening.outages': { screening_case_open: 0 },
})
