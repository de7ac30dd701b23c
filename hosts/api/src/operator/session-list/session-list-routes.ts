import type { IRouter, Request, Response } from 'express'
import type { Clock } from '@quipu/core'
import { type ConsoleSessionStore, hasRole, type SecondFactorStore } from '@quipu/core/operator'
import { enrolmentToJson, parseCode, parseNoBody, parseOperatorList, sessionRecordToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { qrPath } from '../../public/draw-qr.ts'
import type { SignInPolicy } from '../../settings/sign-in-settings.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { unauthorized } from '../proposal/proposal-refusal.ts'
import { operatorOf } from '../session/operator-authentication.ts'
import type { SecondFactors } from '../session/second-factors.ts'

export type SessionListRoutes = {
  readonly consoleSessions: Pick<ConsoleSessionStore, 'list' | 'endListed'>
  readonly secondFactors: SecondFactorStore
  readonly factors: SecondFactors
  readonly signIn: Pick<SignInPolicy, 'idleMs'>
  readonly now: Clock
}

/** Open sessions of the console, and second factors. */
export function sessionListRoutes(router: IRouter, ports: SessionListRoutes): void {
  const { consoleSessions, signIn, now } = ports
  bind(router, '/operator/v1/sessions', {
    get: allowedPage('viewer', {
      query: (search) => parseOperatorList('sessions', search),
      list: (query, { res }) => {
        const { person, role } = operatorOf(res as Response)
        const own = hasRole(role, 'admin') ? {} : { person }
        return consoleSessions.list({ ...query, ...own, now: now(), idleMs: signIn.idleMs })
      },
      toJson: sessionRecordToJson,
    }),
  })

  bind(router, '/operator/v1/sessions/:id/end', {
    post: allowed('viewer', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const result = await consoleSessions.endListed(String(req.params['id']), actor, now())
        if (result === 'unauthorized') throw unauthorized()
        if (result === 'stale') throw new ApiError('SESSION_NOT_FOUND')
        return { status: 204 }
      },
    }),
  })

  factorRoutes(router, ports)
}

function factorRoutes(router: IRouter, { secondFactors, factors, now }: SessionListRoutes): void {
  bind(router, '/operator/v1/second-factor', {
    get: allowed('viewer', {
      handle: async ({ person }) => ({
        status: 200,
        json: { confirmed_at: (await secondFactors.confirmedAt(person))?.toISOString() ?? null },
      }),
    }),
    post: allowed('viewer', {
      body: parseNoBody,
      async handle(actor) {
        const uri = await factors.enrol(actor, actor.person)
        return { status: 201, json: enrolmentToJson(uri, await qrPath(uri)) }
      },
    }),
  })

  bind(router, '/operator/v1/second-factor/confirm', {
    post: allowed('viewer', {
      body: parseCode,
      async handle(actor, { body: code }) {
        const at = now()
        const used = await factors.use(actor, code, actor.tokenHash)
        const result = used ? await secondFactors.confirm(actor, used, at) : 'wrong'
        if (result === 'unauthorized') throw unauthorized()
        if (result !== 'committed') throw new ApiError('SECOND_FACTOR_WRONG')
        return { status: 200, json: { confirmed_at: at.toISOString() } }
      },
    }),
  })

  bind(router, '/operator/v1/people/:person/second-factor/remove', {
    post: allowed('admin', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const result = await secondFactors.remove(personIn(req), actor, now())
        if (result === 'unauthorized') throw unauthorized()
        if (result === 'stale') throw new ApiError('SECOND_FACTOR_NOT_FOUND')
        return { status: 204 }
      },
    }),
  })
}

const personIn = (req: Request): string => String(req.params['person']).toLowerCase()
