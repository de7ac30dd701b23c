import { expectPlans } from '../test/plans.fixture.ts'
import { proposalListStatements } from './proposal-list.ts'
import { proposalStatements } from './proposal-store.ts'

expectPlans([...proposalStatements, ...proposalListStatements], {
  'proposal.find': { proposal_pkey: 1 },
  'proposal.list': { proposal_newest: 1 },
  'proposal.list_by_status': { proposal_of_status: 2 },
  'proposal.list_of_tenant': { proposal_of_tenant: 2 },
  'proposal.list_of_subject': { proposal_of_subject: 2 },
})
