import type { IRouter } from 'express'
import {
  type ManageOperatorTokens,
  type Operator,
  type OperatorTokenAnswer,
  operatorTokenDaysMax,
  type OperatorTokenStore,
} from '@quipu/core/operator'
import { operatorTokenToJson, parseNoBody, parseOperatorList, parseOperatorTokenRequest } from '@quipu/wire'
import type { Answer } from '../../http/answer.ts'
import { ApiError, invalid } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { isGuessableHash } from '../guessable-hash.ts'
import { expiryIssues, notInFuture, type TextMembers, withLaterIssues } from '../later-issues.ts'
import { unauthorized } from '../proposal/proposal-refusal.ts'
import { proposedAnswer, type ProposalView } from '../proposal/proposal-routes.ts'

export type OperatorTokenRoutes = ProposalView & {
  readonly manageOperatorTokens: ManageOperatorTokens
  readonly operatorTokens: Pick<OperatorTokenStore, 'authenticate' | 'list'>
}

/** Who operates. */
export function operatorTokenRoutes(router: IRouter, ports: OperatorTokenRoutes): void {
  const { manageOperatorTokens, operatorTokens, now } = ports
  bind(router, '/operator/v1/me', { get: allowed('viewer', { handle: async (actor) => readOwn(ports, actor) }) })

  bind(router, '/operator/v1/operator-tokens', {
    get: allowedPage('auditor', {
      query: (search) => parseOperatorList('operator_tokens', search),
      list: (query) => operatorTokens.list(query),
      toJson: operatorTokenToJson,
    }),
    post: allowed('admin', {
      body: (json) =>
        withLaterIssues(parseOperatorTokenRequest(json), json, (members) => [
          ...expiryIssues(members, now()),
          ...hashFaults(members),
        ]),
      async handle(actor, { body: { request, note } }) {
        if (isGuessableHash(request.hash, request.person)) throw invalid([guessableHash])
        const answer = await manageOperatorTokens.issue(actor, request, note)
        if (answer.type === 'proposal') return proposedAnswer(ports, answer.proposal)
        return answerOf(answer, 201)
      },
    }),
  })

  bind(router, '/operator/v1/operator-tokens/:id/revoke', {
    post: allowed('viewer', {
      body: parseNoBody,
      async handle(actor, { req }) {
        return answerOf(await manageOperatorTokens.revoke(actor, tokenIdOf(req)), 200)
      },
    }),
  })
}

async function readOwn({ operatorTokens, now }: OperatorTokenRoutes, { tokenHash }: Operator): Promise<Answer> {
  const own = await operatorTokens.authenticate(tokenHash, now())
  if (!own) throw unauthorized()
  return { status: 200, json: operatorTokenToJson(own) }
}

/** @throws ApiError when it was refused */
function answerOf(answer: OperatorTokenAnswer, status: 200 | 201): Answer {
  if (answer.type === 'token') return { status, json: operatorTokenToJson(answer.token) }
  if (answer.type === 'proposal') throw new Error('a proposal is no token')
  switch (answer.code) {
    case 'already_expired':
      throw invalid([notInFuture])
    case 'expires_too_late':
      throw invalid([{ field: 'expires_at', message: `must be at most ${operatorTokenDaysMax} days away` }])
    case 'hash_used':
      throw new ApiError('OPERATOR_TOKEN_HASH_USED')
    case 'not_found':
      throw new ApiError('OPERATOR_TOKEN_NOT_FOUND')
    case 'not_own':
      throw new ApiError('ROLE_REQUIRED', {
        message: 'Only the role admin revokes another token than the presented one.',
      })
    case 'last_admin':
      throw new ApiError('LAST_ADMIN')
  }
}

const guessableHash = { field: 'hash', message: 'must be the SHA-256 of a random token' }

const hashFaults = ({ hash, person = '' }: TextMembers) =>
  hash !== undefined && isGuessableHash(hash, person) ? [guessableHash] : []

const tokenIdOf = idInPath('opt', 'OPERATOR_TOKEN_NOT_FOUND')
