import { expectPlans } from '../test/plans.fixture.ts'
import { operatorTokenStatements } from './operator-token-store.ts'

expectPlans(operatorTokenStatements, {
  'operator_token.find': { operator_token_pkey: 1 },
  'operator_token.list': { operator_token_newest: 1 },
})
