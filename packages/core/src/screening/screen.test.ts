import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { countingIds } from '../ids.fixture.ts'
import { Unavailable } from '../unavailable.ts'
import type { ScreeningHit } from './case.ts'
import { normalizedName } from './name.ts'
import { screenSubjects } from './screen.ts'
import { merchantSubject, type ScreeningAnswer, senderSubject, subjectKey } from './screening.ts'

const latin = fc.stringMatching(/^[A-Za-z0-9ÁÉÍÓÚÑÜáéíóúñüßç]{1,8}$/)

describe('a name', () => {
  test('is the same in any case, with or without accents, and in any order of its words', () => {
    fc.assert(
      fc.property(
        fc.array(latin, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(' ', '  ', ', ', '-', '\u00A0'),
        (words, gap) => {
          const name = normalizedName(words.join(' '))
          const same = [words.toReversed().join(gap), ` ${words.join(gap)} `, words.join(gap).toUpperCase()]
          for (const text of [...same, words.join(gap).normalize('NFD'), words.join(gap).toLowerCase(), name])
            expect(normalizedName(text)).toBe(name)
        },
      ),
    )
  })

  test('is another one with a word more, less or changed', () => {
    fc.assert(
      fc.property(fc.array(latin, { minLength: 1, maxLength: 4 }), latin, (words, word) => {
        expect(normalizedName([...words, word].join(' '))).not.toBe(normalizedName(words.join(' ')))
        expect(normalizedName(`${words.join(' ')}x9y8z7q6`)).not.toBe(normalizedName(words.join(' ')))
      }),
    )
  })

  test.each([
    ['  Peña,  José ', 'JOSE PENA'],
    ['S.R.L. «Ñandú»', 'L NANDU R S'],
    ['Straße', 'STRASSE'],
    ['Ⅻ Ｋｌｍ', 'KLM XII'],
    ['!!', ''],
  ])('%j is %j', (text, name) => expect(normalizedName(text)).toBe(name))
})

test('the key of a merchant is its bank and name, of a sender its address as it is', () => {
  expect(subjectKey(merchantSubject({ name: 'José Peña', bankCode: '1014' }))).toBe('1014 JOSE PENA')
  expect(subjectKey(senderSubject('Tabc'))).toBe('Tabc')
})

function begin(screen: () => ScreeningAnswer | Promise<ScreeningAnswer>, isLocal = true) {
  const hits: ScreeningHit[] = []
  const alerts: Alert[] = []
  let nowMs = 0
  let status: 'open' | 'cleared' = 'open'
  const cases = {
    hit: async (id: string, hit: ScreeningHit) => {
      const at = new Date(nowMs)
      hits.push(hit)
      const stored = { ...hit, id, createdAt: at, openedAt: at, lastHitAt: at, decidedAt: null, decidedBy: null }
      return { found: { ...stored, status, proposalId: null }, isNew: hits.length === 1 }
    },
  }
  const ports = {
    cases,
    ids: countingIds(),
    now: () => new Date(nowMs),
    raiseAlert: (alert: Alert) => void alerts.push(alert),
  }
  const ask = screenSubjects({ ...ports, screening: { name: 'own', isLocal, screen } }, { clearSeconds: 60 })
  const place = { tenantId: 'ten_1', reference: null }
  return {
    hits,
    alerts,
    clears: () => (status = 'cleared'),
    ask: () => ask(merchantSubject({ name: 'Ana', bankCode: '1' }), place),
    waits: (seconds: number) => (nowMs += seconds * 1_000),
  }
}
const clear = { outcome: 'clear', list: 'own', version: '1' } as const

test('a local list answers at once, and the next version of it, too', () => {
  let version = 1
  const { ask } = begin(() => ({ ...clear, version: String(version) }))
  expect(ask()).toEqual(clear)
  version = 2
  expect(ask()).toEqual({ ...clear, version: '2' })
})

test('a local list that throws Unavailable is unanswered, as a provider is; a bug is thrown', async () => {
  const none = () => {
    throw new Unavailable('screening', 'gone')
  }
  expect(await begin(none).ask()).toEqual({ outcome: 'unanswered', problem: 'screening unavailable: gone' })
  const bug = () => Promise.reject(new TypeError('x'))
  await expect(begin(bug, false).ask()).rejects.toThrow(TypeError)
})

test('an outage is written every ten seconds, with all of its hits', async () => {
  const { ask, hits, waits } = begin(() => Promise.reject(new Unavailable('screening', 'gone')), false)
  for (let time = 0; time < 25; time++) {
    await ask()
    waits(1)
  }
  expect(hits.map((hit) => hit.hits)).toEqual([1, 10, 10])
})

const listed = { outcome: 'listed', list: 'own', version: '1', reason: 'x' } as const

test('a hit is stored each time and alerted once; a cleared case is asked for once in its time', async () => {
  const { ask, hits, alerts, clears, waits } = begin(() => listed)
  expect(await ask()).toMatchObject({ outcome: 'listed' })
  await ask()
  expect([hits.length, alerts.length]).toEqual([2, 1])
  clears()
  for (let time = 0; time < 3; time++) expect(await ask()).toEqual(clear)
  expect(hits).toHaveLength(3)
  waits(60)
  await ask()
  expect(hits).toHaveLength(4)
})
