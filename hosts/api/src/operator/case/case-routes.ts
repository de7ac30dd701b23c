import type { IRouter, Request } from 'express'
import type { Clock, Ids } from '@quipu/core'
import type { CaseStore } from '@quipu/core/operator'
import { caseWorkToJson, parseCaseNote, parseNoBody, parseOperatorList, takenCaseToJson } from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import type { Stores } from '../../ports.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { unauthorized } from '../proposal/proposal-refusal.ts'

export type CaseRoutes = Pick<Stores, 'deposits' | 'overview' | 'differences' | 'screeningCases'> & {
  readonly cases: CaseStore
  readonly ids: Ids
  readonly now: Clock
}

/** Notes about records, and who works on them. */
export function caseRoutes(router: IRouter, ports: CaseRoutes): void {
  const { cases, ids, now } = ports
  const answer = async (id: string): Promise<Answer> => {
    const [taker, notes] = await Promise.all([cases.taker(id), cases.notes(id)])
    return { status: 200, json: caseWorkToJson(id, taker, notes) }
  }
  const done = async (id: string, result: 'committed' | 'stale' | 'unauthorized'): Promise<Answer> => {
    if (result === 'unauthorized') throw unauthorized()
    if (result === 'stale') throw new ApiError('CASE_TAKEN')
    return answer(id)
  }

  bind(router, '/operator/v1/cases', {
    get: allowedPage('viewer', {
      query: (search) => parseOperatorList('cases', search),
      list: (query) => cases.taken(query),
      toJson: takenCaseToJson,
    }),
  })
  bind(router, '/operator/v1/cases/:id', {
    get: allowed('viewer', { handle: async (_actor, { req }) => answer(await recordIn(ports, req)) }),
  })
  bind(router, '/operator/v1/cases/:id/notes', {
    post: allowed('operator', {
      body: parseCaseNote,
      async handle(actor, { req, body }) {
        const [id, at] = [await recordIn(ports, req), now()]
        return done(id, await cases.note(ids.next('nte', at), id, body, actor, at))
      },
    }),
  })
  for (const step of ['take', 'release'] as const)
    bind(router, `/operator/v1/cases/:id/${step}`, {
      post: allowed('operator', {
        body: parseNoBody,
        async handle(actor, { req }) {
          const id = await recordIn(ports, req)
          return done(id, await cases[step](id, actor, now()))
        },
      }),
    })
}

/** The id in the path, of a record that exists. A new kind of case is added here. @throws ApiError 404 */
async function recordIn(
  { deposits, overview, differences, screeningCases }: CaseRoutes,
  req: Request,
): Promise<string> {
  const id = String(req.params['id'])
  const finders: Readonly<Record<string, () => Promise<unknown>>> = {
    dep: () => deposits.find(id),
    dif: () => differences.find(id),
    po: () => overview.payout(id),
    scr: () => screeningCases.find(id),
  }
  const found = /^[a-z]{2,4}_[0-9A-Z]{26}$/.test(id) ? await finders[id.split('_')[0] ?? '']?.() : undefined
  if (!found) throw new ApiError('CASE_NOT_FOUND')
  return id
}
