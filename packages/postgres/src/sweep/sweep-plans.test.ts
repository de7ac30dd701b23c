import { expectPlans } from '../test/plans.fixture.ts'
import { sweepListStatements } from './sweep-list.ts'

expectPlans(sweepListStatements, {
  'sweep.list_addresses': { top_up_address_newest: 2, deposit_of_address: 1, sweep_transfer_of_account: 2 },
  'sweep.find_batch': { sweep_batch_pkey: 1 },
  'sweep.list_transfers': { sweep_transfer_of_batch: 1 },
  'sweep.list_batches': { sweep_batch_newest: 1, sweep_transfer_of_batch: 1 },
  'sweep.sum_swept': { sweep_transfer_of_account: 2 },
})
