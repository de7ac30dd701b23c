import { expectPlans } from '../test/plans.fixture.ts'
import { differenceStatements } from './difference-store.ts'

expectPlans(differenceStatements, {
  'difference.find': { difference_pkey: 1 },
  'difference.list_changed': { difference_changed: 1 },
  'difference.list': { difference_newest: 1 },
  'difference.list_by_status': { difference_of_status: 2 },
  'difference.list_of_tenant': { difference_of_tenant: 2 },
  'difference.list_of_subject': { difference_of_subject: 2 },
})
