/** @module-tag long */
import { beforeAll, expect, test } from 'vitest'
import { readDocument } from './documents.fixture.ts'
import { compilePlanted, type Plant, type Stop } from './planted-copy.fixture.ts'

/** The first step of each recipe of contributing.md that the compiler follows, by its heading. Its name is `planted`. */
const recipes: Readonly<Record<string, Plant & { readonly planted: string }>> = {
  'A field of a payout': {
    planted: 'plantedField',
    file: 'packages/core/src/payout/payout.ts',
    text: '  readonly quoteId: string\n}',
    by: '  readonly quoteId: string\n  readonly plantedField: string | null\n}',
  },
  'A metric': {
    planted: 'plantedCount',
    file: 'packages/core/src/backlog/backlog.ts',
    text: 'export type Backlog = {\n',
    by: 'export type Backlog = {\n  readonly plantedCount: number\n',
  },
  'A fault': {
    planted: 'PLANTED_FAULT',
    file: 'packages/core/src/alert.ts',
    text: 'export const faultCodes = [\n',
    by: "export const faultCodes = [\n  'PLANTED_FAULT',\n",
  },
  'An event type': {
    planted: 'planted.event',
    file: 'packages/core/src/event/event.ts',
    text: "'deposit.closed'] as const",
    by: "'deposit.closed', 'planted.event'] as const",
  },
  'An error code of a payout': {
    planted: 'PLANTED_DECLINE',
    file: 'packages/core/src/payout/payout.ts',
    text: 'export type DeclineCode =\n',
    by: "export type DeclineCode =\n  | 'PLANTED_DECLINE'\n",
  },
  'A review code of a deposit': {
    planted: 'PLANTED_REVIEW',
    file: 'packages/core/src/deposit/deposit.ts',
    text: "  'TRANSFER_DROPPED',\n",
    by: "  'TRANSFER_DROPPED',\n  'PLANTED_REVIEW',\n",
  },
  'A final answer of the QR network (`FinalAnswer`)': {
    planted: 'planted_outcome',
    file: 'packages/core/src/network/qr-network.ts',
    text: "  | { readonly type: 'refused_qr' }\n",
    by: "  | { readonly type: 'refused_qr' }\n  | { readonly type: 'planted_outcome' }\n",
  },
}
const headings = Object.keys(recipes)

const { text } = readDocument('docs/contributing.md')

/** The files in the sentence of a recipe that names where the compiler stops. */
function documentedStops(heading: string): readonly string[] {
  const [, section = ''] = text.split(`\n### ${heading}\n`)
  const [, sentence = ''] =
    /The compiler stops (?:in|at) ([^]*?)(?:\n\n|\n\d\. |$)/.exec(section.split(/\n##/)[0] ?? '') ?? []
  return Array.from(sentence.matchAll(/`([^`]+\.ts)`/g), ([, file = '']) => file)
}

let stops: readonly Stop[]
beforeAll(async () => {
  stops = await compilePlanted(Object.values(recipes))
})

const names = Object.values(recipes).map(({ planted }) => planted)

/** Some messages, such as that of a missing return, do not say what is missing. */
const isNameless = ({ message }: Stop): boolean => !names.some((name) => message.includes(name))

test.each(headings)('%s: the compiler stops in exactly the files that the recipe names', (heading) => {
  const documented = documentedStops(heading)
  expect(documented.length).toBeGreaterThan(0)
  const found = stops.filter(
    (stop) =>
      stop.message.includes(recipes[heading]?.planted ?? '') || (isNameless(stop) && documented.includes(stop.file)),
  )
  expect([...new Set(found.map(({ file }) => file))].toSorted()).toEqual(documented.toSorted())
})

test('the compiler stops nowhere else', () => {
  const documented = headings.flatMap(documentedStops)
  expect(stops.filter(({ file }) => !documented.includes(file))).toEqual([])
})
