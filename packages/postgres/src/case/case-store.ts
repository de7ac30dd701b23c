import type { CaseNote, CaseStore, CaseTaker } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { keysetOf, pageOf } from '../page.ts'

// Decided by migrations/0045-cases.sql.

const listNotes = statement('case_note.list')`
  select n.id, n.person, n.note, n.created_at as "createdAt" from quipu.case_note n
  where n.subject = $1 order by n.created_at, n.id limit 200`

const findTaker = statement('case_taker.find')`
  select t.subject as id, t.person, t.taken_at as "createdAt" from quipu.case_taker t where t.subject = $1`

const listTaken = statement('case_taker.list')`
  select t.subject as id, t.person, t.taken_at as "createdAt" from quipu.case_taker t
  where (t.taken_at, t.subject) < ($1, $2) order by t.taken_at desc, t.subject desc limit $3`

const addCaseNote = statement('add_case_note')`select quipu.add_case_note($1, $2, $3, $4, $5) as result`
const takeCase = statement('take_case')`select quipu.take_case($1, $2, $3) as result`
const releaseCase = statement('release_case')`select quipu.release_case($1, $2, $3) as result`

/** Notes and takers in PostgreSQL. */
export function postgresCaseStore(database: Database): CaseStore {
  const { write } = database
  return {
    notes: (subject) => database.read<CaseNote>(listNotes, [subject]),
    taker: async (subject) => (await database.read<CaseTaker>(findTaker, [subject]))[0],
    taken: async (query) => pageOf(await database.list<CaseTaker>(listTaken, keysetOf(query)), query.limit),
    note: (id, subject, note, by, at) => answer(write, addCaseNote, [id, subject, note, credentialJson(by), at]),
    take: (subject, by, at) => answer(write, takeCase, [subject, credentialJson(by), at]),
    release: (subject, by, at) => answer(write, releaseCase, [subject, credentialJson(by), at]),
  }
}
