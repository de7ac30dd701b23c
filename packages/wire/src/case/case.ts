import { type CaseNote, caseNoteMax, type CaseTaker } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { pageOf } from '../list/list.ts'

const person = z.string().meta({ examples: ['ana'] })

/** A record that a person has taken. */
export const takenCase = z
  .object({
    id: z.string().meta({ description: 'Of the record.', examples: ['dep_01K6HZ8M00000000000000000A'] }),
    taken_by: person,
    taken_at: time,
  })
  .meta({ id: 'TakenCase' })
export type TakenCaseJson = z.output<typeof takenCase>
export const takenCasePage = pageOf(takenCase, 'TakenCasePage')

export const takenCaseToJson = ({ id, person: by, createdAt }: CaseTaker): TakenCaseJson => ({
  id,
  taken_by: by,
  taken_at: instantToJson(createdAt),
})

/** The work of people on a record. */
export const caseWork = z
  .object({
    id: z.string().meta({ description: 'Of the record.', examples: ['dep_01K6HZ8M00000000000000000A'] }),
    taken_by: person.nullable().meta({ description: 'Null: nobody.' }),
    taken_at: time.nullable(),
    notes: z.array(z.object({ id: idText('nte'), person, created_at: time, note: z.string() })),
  })
  .meta({ id: 'CaseWork' })
export type CaseWorkJson = z.output<typeof caseWork>

export const caseWorkToJson = (id: string, taker: CaseTaker | undefined, notes: readonly CaseNote[]): CaseWorkJson => ({
  id,
  taken_by: taker?.person ?? null,
  taken_at: taker ? instantToJson(taker.createdAt) : null,
  notes: notes.map((each) => ({
    id: each.id,
    person: each.person,
    created_at: instantToJson(each.createdAt),
    note: each.note,
  })),
})

export const caseNoteRequest = members({
  note: text(1, caseNoteMax).meta({ examples: ['The bank answers on Monday.'] }),
}).meta({ id: 'CaseNoteRequest' })

/** Reads the body of `POST /operator/v1/cases/{id}/notes`: the text. */
export const parseCaseNote = (body: unknown): Parsed<string> =>
  mapParsed(parse(caseNoteRequest, body), ({ note }) => note)
