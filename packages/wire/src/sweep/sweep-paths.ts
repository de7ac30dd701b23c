import { usdt } from '@quipu/core'
import { type SweepBatch, sweepExpirySeconds, type SweepPlan, type SweepTransfer } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage, ok } from '../openapi/answers.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import { sweepFile, sweepFileToJson } from './sweep-file.ts'
import {
  parseSignedSweeps,
  parseSweepRequest,
  plannedSweep,
  plannedSweepToJson,
  signedSweeps,
  sweepAddressPage,
  sweepAddressToJson,
  sweepBatch,
  sweepBatchPage,
  sweepBatchSummaryToJson,
  sweepBatchToJson,
  sweepImport,
  sweepImportToJson,
  sweepRequest,
  sweepTransfersMax,
} from './sweep.ts'

const tag = 'Sweeps'
const path = z.object({ id: id('swb') })

const tokenContract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const txId = '5e'.repeat(32)
const batch: SweepBatch = {
  id: `swb_${example.ulid('0S')}`,
  chain: 'tron',
  treasury: { account: 'a1'.repeat(20), address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' },
  threshold: usdt(10_000_000n),
  createdBy: 'olivia',
  createdAt: example.at(0),
  expiresAt: example.at(sweepExpirySeconds.default),
}
const transfer: SweepTransfer = {
  id: `swp_${example.ulid('0T')}`,
  batchId: batch.id,
  account: 'b2'.repeat(20),
  address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  index: 7,
  amount: usdt(250000000n),
  energy: 130285n,
  feeLimit: 16937050n,
  trxNeeded: 16937050n,
  trxMissing: 16937050n,
  txHash: txId,
  rawHex: '0a02',
  expiresAt: batch.expiresAt,
  transaction: JSON.stringify({ txID: txId, raw_data: {}, raw_data_hex: '0a02', visible: false }),
  status: 'planned',
  signature: null,
  sentAt: null,
  problem: null,
  endedAt: null,
}
const plan: SweepPlan = { batch, transfers: [transfer] }
const solid: SweepPlan = {
  batch,
  transfers: [{ ...transfer, status: 'solid', sentAt: example.at(3_600), endedAt: example.at(3_700) }],
}
const address = {
  tenantId: example.tenant.id,
  account: transfer.account,
  address: transfer.address,
  index: 7,
  createdAt: example.at(0),
  received: transfer.amount,
  swept: usdt(0n),
  hasOpenReview: false,
  liveTransferId: transfer.id,
}

const addresses = operation({
  id: 'listSweepAddresses',
  tag,
  summary: 'List top-up addresses with their solid balances, newest first',
  access: 'operator',
  query: operatorListQuery,
  answers: lastPage(sweepAddressPage, [address], (each) => sweepAddressToJson(each, 250_000_000n)),
  refused: parseOperatorList('sweep_addresses', 'limit=0'),
  errors: ['SWEEPS_NOT_CONFIGURED'],
})

const create = operation({
  id: 'planSweep',
  tag,
  summary: 'Plan a batch of sweeps',
  description: `Needs the role \`admin\`. Stores unsigned transfers of the whole solid balance of addresses to the treasury, at most ${sweepTransfersMax}. An address with a live sweep is left out, so that the request can be repeated. An address with an open review is left out unless \`addresses\` names it.`,
  access: 'operator',
  body: { schema: sweepRequest, examples: { ten: { threshold: '10.00', limit: 100 } } },
  answers: created('The batch, and the addresses that were left out.', plannedSweep, {
    planned: plannedSweepToJson(plan, [{ address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', reason: 'TRANSFER_REVERTS' }]),
  }),
  refused: parseSweepRequest({ threshold: '0' }),
  errors: ['SWEEPS_NOT_CONFIGURED', 'NOTHING_TO_SWEEP', 'TREASURY_NOT_ALLOWED'],
})

const list = operation({
  id: 'listSweeps',
  tag,
  summary: 'List batches, newest first',
  access: 'operator',
  query: operatorListQuery,
  answers: lastPage(
    sweepBatchPage,
    [{ batch, counts: { planned: 1, signed: 0, solid: 0, failed: 0, expired: 0 } }],
    sweepBatchSummaryToJson,
  ),
  refused: parseOperatorList('sweeps', 'limit=0'),
})

const get = operation({
  id: 'getSweep',
  tag,
  summary: 'Read a batch with its transfers',
  access: 'operator',
  path,
  answers: ok('The batch.', sweepBatch, { planned: sweepBatchToJson(plan), solid: sweepBatchToJson(solid) }),
  refused: parseNoQuery('expand=transfers'),
  errors: ['SWEEP_NOT_FOUND'],
})

const unsigned = operation({
  id: 'exportSweep',
  tag,
  summary: 'Export the unsigned transfers of a batch for the offline signer',
  description:
    'Needs the role `operator`. The signer has the seed and its own copy of the treasury’s address: it signs only transfers to that treasury, whatever the file says.',
  access: 'operator',
  path,
  answers: ok('The file.', sweepFile, {
    file: sweepFileToJson(plan, { tokenContract, pathOf: (at) => `m/44'/195'/0'/0/${at}` }),
  }),
  refused: parseNoQuery('format=csv'),
  errors: ['SWEEP_NOT_FOUND', 'SWEEPS_NOT_CONFIGURED'],
})

const signedExample = { id: transfer.id, tx_id: txId, signature: `${'ab'.repeat(64)}1b` }

const signed = operation({
  id: 'importSweep',
  tag,
  summary: 'Import signatures of a batch',
  description:
    'All of a batch’s or some, in one request or several. Each is checked alone: it must be of the exported transaction and of the key of its address. A repeated import changes nothing. Workers then send the transfers until solid blocks have them, or are past their expiry.',
  access: 'operator',
  path,
  body: { schema: signedSweeps, examples: { one: { transfers: [signedExample] } } },
  answers: ok('What became of each signature.', sweepImport, {
    signed: sweepImportToJson([{ id: transfer.id, result: 'signed' }]),
  }),
  refused: parseSignedSweeps({ transfers: [] }),
  errors: ['SWEEP_NOT_FOUND', 'SWEEPS_NOT_CONFIGURED'],
})

export const sweepPaths: ZodOpenApiPathsObject = {
  '/operator/v1/sweep/addresses': { get: addresses },
  '/operator/v1/sweep/batches': { get: list, post: create },
  '/operator/v1/sweep/batches/{id}': { get },
  '/operator/v1/sweep/batches/{id}/unsigned': { get: unsigned },
  '/operator/v1/sweep/batches/{id}/signed': { post: signed },
}
