import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { matching } from '../json/fields.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage } from '../openapi/answers.ts'
import { caseNoteRequest, caseWork, parseCaseNote, takenCasePage, type TakenCaseJson } from './case.ts'

const tag = 'Cases'
const id = `dep_${example.ulid('0A')}`
const path = z.object({
  id: matching(/^[a-z]{2,4}_[0-9A-Z]{26}$/, 'must be the id of a record').meta({ examples: [id] }),
})
const taken: TakenCaseJson = { id, taken_by: 'olivia', taken_at: example.at(0).toISOString() }
const note = {
  id: `nte_${example.ulid('0A')}`,
  person: 'omar',
  created_at: example.at(60).toISOString(),
  note: 'The bank answers on Monday.',
}
const answers = {
  200: { description: 'The work on it.', schema: caseWork, examples: { taken: { ...taken, notes: [note] } } },
}
const errors = ['CASE_NOT_FOUND'] as const
const kinds = 'A deposit, payout, difference or case of screening.'

export const casePaths: ZodOpenApiPathsObject = {
  '/operator/v1/cases': {
    get: operation({
      id: 'listTakenCases',
      tag,
      summary: 'List the records that people have taken, the last one first',
      access: 'operator',
      query: operatorListQuery,
      answers: lastPage(takenCasePage, [taken], (each: TakenCaseJson) => each),
      refused: parseOperatorList('cases', 'limit=0'),
    }),
  },
  '/operator/v1/cases/{id}': {
    get: operation({
      id: 'getCase',
      tag,
      summary: 'Who has taken a record, and the notes about it',
      description: kinds,
      access: 'operator',
      path,
      answers,
      refused: parseNoQuery('expand=tenant'),
      errors,
    }),
  },
  '/operator/v1/cases/{id}/notes': {
    post: operation({
      id: 'addCaseNote',
      tag,
      summary: 'Add a note about a record, for good',
      description: kinds,
      access: 'operator',
      path,
      body: { schema: caseNoteRequest, examples: { note: { note: note.note } } },
      answers,
      refused: parseCaseNote({ note: '' }),
      errors,
    }),
  },
  '/operator/v1/cases/{id}/take': {
    post: operation({
      id: 'takeCase',
      tag,
      summary: 'Take a record, so that others see who works on it',
      description: kinds,
      access: 'operator',
      path,
      body: noBody,
      answers,
      refused: parseNoBody({ person: 'ana' }),
      errors: [...errors, 'CASE_TAKEN'],
    }),
  },
  '/operator/v1/cases/{id}/release': {
    post: operation({
      id: 'releaseCase',
      tag,
      summary: 'Release a record that you have taken; an admin releases any',
      access: 'operator',
      path,
      body: noBody,
      answers,
      refused: parseNoBody({ person: 'ana' }),
      errors: [...errors, 'CASE_TAKEN'],
    }),
  },
}
