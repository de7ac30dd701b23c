import type { IRouter, Request } from 'express'
import type { SweepPlan, SweepPlanAnswer, SweepStore } from '@quipu/core/operator'
import {
  type HttpErrorCode,
  parseOperatorList,
  parseSignedSweeps,
  parseSweepRequest,
  plannedSweepToJson,
  sweepAddressToJson,
  sweepBatchSummaryToJson,
  sweepBatchToJson,
  sweepFileToJson,
  sweepImportToJson,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import type { Sweeping } from '../../ports.ts'
import { allowed, allowedPage } from '../allowed.ts'

export type SweepRoutes = {
  /** Undefined where no treasury is configured. */
  readonly sweeping: Sweeping | undefined
  readonly sweeps: Pick<SweepStore, 'addresses' | 'find' | 'list'>
}

/** Top-up addresses and their sweeps to the treasury. */
export function sweepRoutes(router: IRouter, ports: SweepRoutes): void {
  const { sweeps } = ports
  bind(router, '/operator/v1/sweep/addresses', {
    get: allowedPage('viewer', {
      query: (search) => parseOperatorList('sweep_addresses', search),
      async list(query) {
        const { chain, tokenBalances } = configured(ports)
        const page = await sweeps.addresses(chain, query)
        const { balances } = await tokenBalances(page.items.map(({ account }) => account))
        const items = page.items.map((address) => ({ address, balance: balances.get(address.account) ?? 0n }))
        return { ...page, items }
      },
      toJson: ({ address, balance }) => sweepAddressToJson(address, balance),
      chunkRows: 100, // Each balance is a question to the node.
    }),
  })

  bind(router, '/operator/v1/sweep/batches', {
    post: allowed('admin', {
      body: parseSweepRequest,
      async handle(actor, { body }) {
        const { plan, skipped } = planned(await configured(ports).plan(actor, body))
        return { status: 201, json: plannedSweepToJson(plan, skipped) }
      },
    }),
    get: allowedPage('viewer', {
      query: (search) => parseOperatorList('sweeps', search),
      list: (query) => sweeps.list(query),
      toJson: sweepBatchSummaryToJson,
    }),
  })

  bind(router, '/operator/v1/sweep/batches/:id', {
    get: allowed('viewer', {
      handle: async (_actor, { req }) => ({ status: 200, json: sweepBatchToJson(await found(ports, req)) }),
    }),
  })

  signing(router, ports)
}

function signing(router: IRouter, ports: SweepRoutes): void {
  bind(router, '/operator/v1/sweep/batches/:id/unsigned', {
    get: allowed('operator', {
      async handle(_actor, { req }) {
        const plan = await found(ports, req)
        return { status: 200, json: sweepFileToJson(plan, configured(ports)) }
      },
    }),
  })

  bind(router, '/operator/v1/sweep/batches/:id/signed', {
    post: allowed('operator', {
      body: parseSignedSweeps,
      async handle(actor, { req, body }) {
        const id = batchIdOf(req)
        const answer = await configured(ports).importSigned(actor, id, body)
        if (answer.type === 'not_found') throw new ApiError('SWEEP_NOT_FOUND')
        return { status: 200, json: sweepImportToJson(answer.results) }
      },
    }),
  })
}

/** @throws ApiError 409 where no treasury is configured */
function configured({ sweeping }: SweepRoutes): Sweeping {
  if (!sweeping) throw new ApiError('SWEEPS_NOT_CONFIGURED')
  return sweeping
}

async function found({ sweeps }: SweepRoutes, req: Request): Promise<SweepPlan> {
  const plan = await sweeps.find(batchIdOf(req))
  if (!plan) throw new ApiError('SWEEP_NOT_FOUND')
  return plan
}

const batchIdOf = idInPath('swb', 'SWEEP_NOT_FOUND')

type Refused = Extract<SweepPlanAnswer, { type: 'refused' }>

const codes: Readonly<Record<Refused['code'], HttpErrorCode>> = {
  treasury_is_top_up_address: 'TREASURY_NOT_ALLOWED',
  treasury_blocked: 'TREASURY_NOT_ALLOWED',
  nothing_to_sweep: 'NOTHING_TO_SWEEP',
}

function planned(answer: SweepPlanAnswer): Exclude<SweepPlanAnswer, Refused> {
  if (answer.type === 'planned') return answer
  const skipped = answer.skipped.map(({ address, reason }) => `${address} (${reason})`)
  if (skipped.length === 0) throw new ApiError(codes[answer.code])
  throw new ApiError(codes[answer.code], {
    message: `No address was planned. Left out: ${skipped.slice(0, 20).join(', ')}.`,
  })
}
