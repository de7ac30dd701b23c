import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Alert } from '@quipu/core'
import { alertCodes, contradiction, type FaultCode, faultCodes, foundKinds, sweepProblems } from '@quipu/core/operator'
import * as contracts from '@quipu/contracts'
import { textsOfLanguage } from '@quipu/console/testing'
import { runbookOf } from '@quipu/runtime'
import { describe, expect, test } from 'vitest'
import {
  type Document,
  documents,
  isTranslation,
  markdownFiles,
  readDocument,
  repository,
} from './documents.fixture.ts'
import { settingNames, withSettingsTable } from './settings-table.fixture.ts'

const all = documents()
const originals = all.filter((document) => !isTranslation(document))

test('every document with blocks is checked here', () => {
  const withBlocks = markdownFiles().filter((file) => fences(readDocument(file)) > 0)
  expect(withBlocks.filter((file) => !all.some((known) => known.file === file))).toEqual([])
})

test('the number of blocks that are not run is pinned: a new one needs a reason', () => {
  const reasons = originals.flatMap(({ blocks }) => blocks.flatMap(({ notRun }) => notRun ?? []))
  expect(reasons).toHaveLength(44)
})

test('no block installs or runs a package by a name that a registry may give to others', () => {
  const named = all.flatMap(({ file, blocks }) =>
    blocks
      .flatMap(({ text }) => text.match(/\b(?:npm (?:i|install)|(?:p?npm|yarn|bun) add|npx|dlx) .+/g) ?? [])
      .filter((command) => !/^npx -y pnpm@\d/.test(command))
      .filter((command) => !/^npm install (?:\.\/|"?\$)/.test(command))
      .map((command) => `${file}: ${command}`),
  )
  expect(named).toEqual([])
})

/** Also counts indented and quoted fences. */
const fences = ({ text }: Document): number => text.match(/^[\s>]*(?:```|~~~)/gm)?.length ?? 0

test('every fence belongs to a parsed block', () => {
  const astray = all.filter((document) => fences(document) !== 2 * document.blocks.length)
  expect(astray.map(({ file }) => file)).toEqual([])
})

/** Other languages than TypeScript. `other-languages.test.ts` of hosts/example runs their files. */
const samples = ['python', 'php', 'go', 'java']

test('every sample in another language is a whole file, and every file is shown', () => {
  const folder = path.join(repository, 'docs', 'examples', 'other-languages')
  const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
  // The page at /docs shows the file that a comment names.
  const shown = originals.flatMap(({ file, text, blocks }) => [
    ...blocks.filter(({ language }) => samples.includes(language)).map((block) => block.text),
    ...Array.from(text.matchAll(/^<!-- shows (\S+other-languages\S+) -->$/gm), ([, name = '']) =>
      readFileSync(path.join(repository, path.dirname(file), name), 'utf8'),
    ),
  ])
  expect(shown.toSorted()).toEqual(files.toSorted())
})

test('every block has a checked language', () => {
  // Diagrams and program output have no language.
  const kinds = new Set(['', 'sh', 'text', 'json', 'ts', 'sql', ...samples])
  const others = all.flatMap(({ file, blocks }) =>
    blocks.filter(({ language }) => !kinds.has(language)).map(({ line }) => `${file}:${line}`),
  )
  expect(others).toEqual([])
})

test('every output block follows the shell block that prints it', () => {
  const astray = all.flatMap(({ file, blocks }) =>
    blocks
      .filter(({ language }, n) => language === 'text' && blocks[n - 1]?.language !== 'sh')
      .map(({ line }) => `${file}:${line}`),
  )
  expect(astray).toEqual([])
})

test('every TypeScript block is a complete program that a test runs', () => {
  const folder = path.join(repository, 'docs', 'examples', 'src')
  const examples = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
  const others = all.flatMap(({ file, blocks }) =>
    blocks
      .filter(({ language }) => language === 'ts')
      .filter(({ text }) => !examples.includes(text) && !isRunByPackage(file, text))
      .map(({ line }) => `${file}:${line}`),
  )
  expect(others).toEqual([])
})

/** A package's test runs the programs of its README: a copy, or the blocks themselves. */
function isRunByPackage(file: string, program: string): boolean {
  const [copy, runner] = ['readme.fixture.ts', 'readme.test.ts'].map((name) => {
    const beside = path.join(repository, path.dirname(file), 'src', name)
    return existsSync(beside) ? readFileSync(beside, 'utf8') : ''
  })
  if (copy) return copy === program && runner?.includes("'./readme.fixture.ts'") === true
  return runner?.includes("'README.md'") === true
}

test('every JSON block can be parsed', () => {
  for (const { file, blocks } of all)
    for (const { language, text, line } of blocks)
      if (language === 'json') expect(() => JSON.parse(text), `${file}:${line}`).not.toThrow()
})

/** Links within the repository, except in code. */
function linksOf({ text }: Document): readonly string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`(?!\])/g, '')
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter(
    (link) => !/^https?:/.test(link),
  )
}

/** Anchors of all headings. */
const anchorsOf = (file: string): readonly string[] =>
  Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link within the repository has a target', () => {
  const dead = all.flatMap((document) =>
    linksOf(document)
      .filter((link) => {
        const [to = '', anchor] = link.split('#')
        const file = to === '' ? document.file : path.join(path.dirname(document.file), to)
        const target = path.join(repository, file)
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      })
      .map((link) => `${document.file}: ${link}`),
  )
  expect(dead).toEqual([])
})

test('the settings table matches the schemas (update: `pnpm --filter @quipu/local generate`)', () => {
  const { text } = readDocument('docs/operations/settings.md')
  expect(text).toBe(withSettingsTable(text))
})

test('every setting that the console or the doctor names exists', async () => {
  const doctor = path.join(repository, 'hosts/admin/src/doctor')
  const sources = readdirSync(doctor).filter((name) => /^check-.*(?<!\.test|\.fixture)\.ts$/.test(name))
  const texts = sources.flatMap(
    (name) => readFileSync(path.join(doctor, name), 'utf8').match(/'[^'\n]*'|`[^`]*`/g) ?? [],
  )
  const languages = await Promise.all([textsOfLanguage('en'), textsOfLanguage('es')])
  const named = [...texts, ...languages.flat()].flatMap((text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])
  const known: ReadonlySet<string> = new Set([...settingNames(), ...alertCodes, 'INSUFFICIENT_FUNDS'])
  expect(named).toContain('TENANT_NOTICE_URL')
  expect([...new Set(named)].filter((name) => !known.has(name) && !name.startsWith('QUIPU_'))).toEqual([])
})

test('checks.md says what to do about each kind of difference that a reconciliation run finds', () => {
  const { text } = readDocument('docs/operations/checks.md')
  const kinds = (['network', 'chain', 'liquidity'] as const).flatMap((check) => foundKinds[check])
  const lost = kinds.filter((kind) => kind !== contradiction && !text.includes(`\n| \`${kind}\` |`))
  expect(lost).toEqual([])
})

describe('alerts.md', () => {
  const { text } = readDocument('docs/operations/alerts.md')

  test('every alert code has its section, which its line in the log names', () => {
    const sections = Array.from(text.matchAll(/^### ([A-Z_]+)$/gm), ([, code = '']) => code as Alert['code'])
    expect(sections.toSorted()).toEqual(alertCodes.toSorted())
    const file = path.join(repository, 'docs/operations/alerts.md')
    const lost = sections.filter((code) => {
      const [named = '', anchor = ''] = runbookOf(code).split('#')
      return path.join(repository, named) !== file || !anchorsOf(file).includes(anchor)
    })
    expect(lost).toEqual([])
  })

  test('SWEEP_UNSENT says what to do about each problem of a sweep', () => {
    const [section = ''] = text.split('\n### SWEEP_UNSENT\n')[1]?.split('\n### ') ?? []
    expect(sweepProblems.filter((problem) => !section.includes(`\`${problem}\`: `))).toEqual([])
  })

  /** The check of the doctor, in this file of hosts/admin/src/doctor, that does not pass while the fault lasts. */
  const doctor = {
    PROCESS_MISSING: ['check-work.ts', 'processes'],
    NO_WORKER: ['check-work.ts', 'workers'],
    CLOCK_APART: ['check-work.ts', 'processes'],
    LEDGER_UNCHECKED: ['check-work.ts', 'workers'],
    SCAN_BEHIND: ['check-work.ts', 'scans'],
    DEPOSITS_BEHIND: ['check-work.ts', 'deposits.undecided'],
    NOTICES_BEHIND: ['check-work.ts', 'notices'],
    REVIEWS_WAIT: ['check-work.ts', 'deposits.in_review'],
    REVIEWS_LARGE: ['check-work.ts', 'deposits.in_review'],
    ALERTS_BEHIND: ['check-work.ts', 'alerts'],
    LOCK_HELD: ['check-work.ts', 'database.locks'],
    TOKEN_ENDS_SOON: ['check-operators.ts', 'operator-tokens'],
    RECONCILIATION_LATE: ['check-work.ts', 'reconciliations'],
    RECONCILIATION_EMPTY: ['check-work.ts', 'reconciliations'],
    NETWORK_CHANGED: ['check-work.ts', 'network.identity'],
    RATE_SOURCE_FAILED: ['check-rates.ts', 'rates.source_'],
    RATE_SOURCES_DISAGREE: ['check-rates.ts', 'rates'],
    RATE_UNAVAILABLE: ['check-rates.ts', 'rates'],
    EXPOSURE_ABOVE_LIMIT: ['check-exposure.ts', 'exposure'],
    PAYMENTS_HALTED: ['check-database.ts', 'database.restored'],
    PAYMENTS_UNCHECKED: ['check-database.ts', 'database.restored'],
    PAYOUTS_STOPPED: ['check-database.ts', 'payouts.stopped'],
  } as const satisfies Record<FaultCode, readonly [file: string, check: string]>

  const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8')

  test.each(faultCodes)('%s: a rule with a test, a row of the faults, a check of the doctor', (code) => {
    const [, section = ''] = text.split(`\n### ${code}\n`)
    const rule = /`(Quipu\w+)`/.exec(section.split('**Do:**')[0] ?? '')?.[1] ?? 'no rule'
    expect(read('docs/operations/alerts.yaml')).toContain(`- alert: ${rule}\n`)
    expect(read('docs/operations/alerts.test.yaml')).toContain(`{alertname="${rule}",`)
    expect(text.split('\n## What breaks')[1]).toContain(`\`${code}\``)
    const [file, check] = doctor[code]
    expect(read(`hosts/admin/src/doctor/${file}`)).toMatch(new RegExp(`['\`]${check}`))
  })

  test('every runbook says what to do', () => {
    const sections = text.split(/^##+ /m).filter((section) => /^(?:Quipu\w+|[A-Z_]{8,})\n/.test(section))
    expect(sections.filter((section) => !section.includes('**Do:**')).map((section) => section.split('\n')[0])).toEqual(
      [],
    )
  })
})

test('embedding.md names every contract suite', () => {
  const { text } = readDocument('docs/embedding.md')
  const suites = Object.keys(contracts).filter((name) => /Contracts?$/.test(name))
  const unnamed = suites.filter((name) => !text.includes(`\`${name}\``))
  expect(suites).toContain('storeContracts')
  expect(unnamed).toEqual([])
})
