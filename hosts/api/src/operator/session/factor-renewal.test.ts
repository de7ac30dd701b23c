import { randomBytes } from 'node:crypto'
import { type KeyRing, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { secondFactors } from './second-factors.ts'

const ringOf = (id: string): KeyRing => [{ id, key: new Uint8Array(32).fill(Number(id)) }]

test('secrets of an older key are encrypted by the current one; what no key reads is named and stays', async () => {
  const kept = new Map<string, string>()
  const unused = () => Promise.reject(new Unavailable('store', 'not used'))
  const store = {
    confirmedAt: unused,
    claim: unused,
    confirm: unused,
    remove: unused,
    enrol: async (by: { tokenHash: string }, secret: string) => {
      kept.set(by.tokenHash, secret)
      return 'committed' as const
    },
    secrets: async () => Array.from(kept, ([person, secret]) => ({ person, secret })),
    renew: async (person: string, secret: string, renewed: string) => {
      const isKept = kept.get(person) === secret
      if (isKept) kept.set(person, renewed)
      return isKept
    },
  }
  const ports = {
    secondFactors: store,
    operatorTokens: { authenticate: unused },
    now: () => new Date(0),
    random: (size: number) => new Uint8Array(randomBytes(size)),
  }
  const by = (person: string) => ({ tokenHash: person, address: '192.0.2.7' })
  await secondFactors(ports, ringOf('1')).enrol(by('ana'), 'ana')
  await secondFactors(ports, ringOf('3')).enrol(by('ben'), 'ben')
  const unread = kept.get('ben')
  const rotated = secondFactors(ports, [...ringOf('2'), ...ringOf('1')] as unknown as KeyRing)
  expect(await rotated.renew()).toEqual({ renewed: 1, unreadable: ['ben'] })
  expect([kept.get('ana')?.startsWith('2.'), kept.get('ben')]).toEqual([true, unread])
  expect(await secondFactors(ports, ringOf('2')).renew()).toEqual({ renewed: 0, unreadable: ['ben'] })
})
