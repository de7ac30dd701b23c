import { type ExplainedTransaction, explainedOutcomes } from '@quipu/core/operator'
import { toDecimal } from '@quipu/core'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instantToJson } from '../json/instant.ts'
import { queryMembers } from '../json/fields.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { txHashFilter } from '../json/chain.ts'
import { operatorDeposit, operatorDepositToJson } from './operator-deposit.ts'

/** A transaction, as chain and database have it. */
export const explainedTransaction = z
  .object({
    tx_hash: z.string(),
    state: z
      .enum(['solid', 'not_yet_solid', 'unknown', 'no_chain'])
      .meta({
        description:
          '`not_yet_solid`: a block has it that a fork may still revert. `unknown`: no block of the node has it: it never entered one, or is of another chain. `no_chain`: no node is configured.',
      }),
    block: z.int().nullable().meta({ description: 'The number of its block.' }),
    transfers: z
      .array(
        z
          .object({
            tenant_id: idText('ten'),
            address: z.string().meta({ description: 'The top-up address.' }),
            retired_at: time
              .nullable()
              .meta({ description: 'Since when the address is retired; null for the current one.' }),
            amount: z.string().nullable().meta({ description: 'USDT; null for another token.' }),
            contract: z
              .string()
              .nullable()
              .meta({ description: 'The contract of another token, in hexadecimal; null for USDT.' }),
            deposit_id: idText('dep').nullable(),
            outcome: z
              .enum(explainedOutcomes)
              .meta({
                description:
                  '`deposit`: it made the deposit. `unknown_token` and `zero_value` make none. `not_scanned`: its block is not scanned yet. `not_recorded`: its block was scanned without it; look for an alert about the address.',
              }),
          })
          .meta({ id: 'ExplainedTransfer' }),
      )
      .meta({ description: 'The first 50 transfers to top-up addresses.' }),
    other_transfers: z
      .int()
      .meta({
        description:
          'Transfers to addresses that are no top-up addresses. With none and no `transfers` it failed, or moved no tokens.',
      }),
    deposits: z
      .array(operatorDeposit)
      .meta({
        description:
          'Its deposits, also those that no solid block confirms; `review_code` says why one is not credited.',
      }),
  })
  .meta({ id: 'ExplainedTransaction' })
export type ExplainedTransactionJson = z.output<typeof explainedTransaction>

export const explainedTransactionToJson = (found: ExplainedTransaction): ExplainedTransactionJson => ({
  tx_hash: found.txHash,
  state: found.state,
  block: found.block,
  transfers: found.transfers.map(({ tenantId, address, retiredAt, value, contract, depositId, outcome }) => ({
    tenant_id: tenantId,
    address,
    retired_at: retiredAt && instantToJson(retiredAt),
    amount: value === null ? null : toDecimal({ currency: 'USDT', minor: value }),
    contract,
    deposit_id: depositId,
    outcome,
  })),
  other_transfers: found.otherTransfers,
  deposits: found.deposits.map(operatorDepositToJson),
})

export const transactionQuery = queryMembers({ tx_hash: txHashFilter })

/** Reads the query of `GET /operator/v1/transactions`: the hash in lower case. */
export const parseTransactionQuery = (search: URLSearchParams | string): Parsed<string> =>
  mapParsed(parseQuery(transactionQuery, search), ({ tx_hash: txHash }) => txHash)
